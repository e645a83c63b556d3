import { VersionError } from "./errors.js";

const NUMBER = "(0|[1-9]\\d*)";
const IDENTIFIERS = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";
const VERSION = new RegExp(
  `^\\s*${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-(${IDENTIFIERS}))?(?:\\+(${IDENTIFIERS}))?\\s*$`,
);

/** Read a version; throws VersionError. */
export function parseVersion(text) {
  const match = typeof text === "string" ? VERSION.exec(text) : null;
  if (!match) throw new VersionError(`not a version: ${text}`);
  const [major, minor, patch] = match.slice(1, 4).map(Number);
  const prerelease = match[4] ? match[4].split(".").map((part) => identifier(part, text)) : [];
  const build = match[5] ? match[5].split(".") : [];
  if (![major, minor, patch].every(Number.isSafeInteger)) {
    throw new VersionError(`not a version: ${text}`);
  }
  return { major, minor, patch, prerelease, build };
}

function identifier(part, text) {
  if (!/^\d+$/.test(part)) return part;
  if (part.length > 2 && part.startsWith("0")) throw new VersionError(`not a version: ${text}`);
  return Number(part);
}

/** A version as an object, if it is still a text. */
export function toVersion(version) {
  return typeof version === "object" && version !== null ? version : parseVersion(version);
}

/** The text of a version. */
export function formatVersion(version) {
  const { major, minor, patch, prerelease, build } = toVersion(version);
  const before = prerelease.length > 0 ? `-${prerelease.join(".")}` : "";
  const after = build.length > 0 ? `+${build.join(".")}` : "";
  return `${major}.${minor}.${patch}${before}${after}`;
}

/** -1, 0 or 1: which of two versions comes first. */
export function compareVersions(left, right) {
  const one = toVersion(left);
  const other = toVersion(right);
  return (
    order(one.major, other.major) ||
    order(one.minor, other.minor) ||
    order(one.patch, other.patch) ||
    comparePrereleases(one.prerelease, other.prerelease)
  );
}

function order(left, right) {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function comparePrereleases(left, right) {
  if (left.length === 0 || right.length === 0) return order(right.length > 0, left.length > 0);
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const result = compareIdentifiers(left[index], right[index]);
    if (result !== 0) return result;
  }
  return order(left.length, right.length);
}

function compareIdentifiers(left, right) {
  const leftIsNumber = typeof left === "number";
  const rightIsNumber = typeof right === "number";
  if (leftIsNumber !== rightIsNumber) return leftIsNumber ? -1 : 1;
  return order(left, right);
}
