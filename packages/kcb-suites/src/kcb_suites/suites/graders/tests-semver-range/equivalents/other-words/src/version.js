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
  if (part.length > 1 && part.startsWith("0")) throw new VersionError(`not a version: ${text}`);
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
  const one = sortKey(toVersion(left));
  const other = sortKey(toVersion(right));
  for (let index = 0; index < one.length && index < other.length; index += 1) {
    if (one[index] < other[index]) return -1;
    if (one[index] > other[index]) return 1;
  }
  return Math.sign(one.length - other.length);
}

/** Numbers and texts that are in the order of versions, if compared one by one. */
function sortKey({ major, minor, patch, prerelease }) {
  const key = [major, minor, patch, prerelease.length === 0 ? 1 : 0];
  for (const part of prerelease) key.push(typeof part === "number" ? 0 : 1, part);
  return key;
}
