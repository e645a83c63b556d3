import { toRange } from "./range.js";
import { compareVersions, toVersion } from "./version.js";

const HOLDS = {
  "=": (order) => order === 0,
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};

/** Whether a version fits a range. */
export function satisfies(version, range, { prereleases = false } = {}) {
  const candidate = toVersion(version);
  return toRange(range).some(
    (comparators) =>
      comparators.every((comparator) => fits(candidate, comparator)) &&
      (prereleases || candidate.prerelease.length === 0 || names(comparators, candidate)),
  );
}

function fits(candidate, { operator, version }) {
  return HOLDS[operator](compareVersions(candidate, version));
}

/** Whether a prerelease of the same version was written in one of the comparators. */
function names(comparators, { major, minor, patch }) {
  return comparators.some(
    ({ written, version }) =>
      written && version.major === major && version.minor === minor && version.patch === patch,
  );
}

/** The greatest version of a list that fits, or null. */
export function maxSatisfying(versions, range, options) {
  return best(versions, range, options, (order) => order > 0);
}

/** The least version of a list that fits, or null. */
export function minSatisfying(versions, range, options) {
  return best(versions, range, options, (order) => order < 0);
}

function best(versions, range, options, isBetter) {
  let found = null;
  for (const version of versions) {
    if (!satisfies(version, range, options)) continue;
    if (found === null || isBetter(compareVersions(version, found))) found = version;
  }
  return found;
}
