import { ConfigError } from "./errors.js";

/** Refuse what is no plain object, or has other fields than the known ones. */
export function fields(value, where, known) {
  record(value, where);
  for (const name of Object.keys(value)) {
    if (!known.includes(name)) throw new ConfigError(`${where}.${name}`, "unknown field");
  }
  return value;
}

/** Refuse what is no plain object. */
export function record(value, where) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ConfigError(where, "must be an object");
  }
  return value;
}

/** Refuse what is no list. */
export function list(value, where) {
  if (!Array.isArray(value)) throw new ConfigError(where, "must be a list");
  return value;
}

/** Refuse what is no text, or an empty one. */
export function text(value, where) {
  if (typeof value !== "string" || value === "") {
    throw new ConfigError(where, "must be a text");
  }
  return value;
}

/** Refuse what is no truth value; missing is false. */
export function flag(value, where) {
  if (value === undefined) return false;
  if (typeof value !== "boolean") throw new ConfigError(where, "must be true or false");
  return value;
}

/** Refuse what is no whole number from 1. */
export function positiveInteger(value, where) {
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new ConfigError(where, "must be a positive integer");
  }
  return value;
}

/** Refuse what is no whole number from 0. */
export function naturalNumber(value, where) {
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new ConfigError(where, "must be a non-negative integer");
  }
  return value;
}
