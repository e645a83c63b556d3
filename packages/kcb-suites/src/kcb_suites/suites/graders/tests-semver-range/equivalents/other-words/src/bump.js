import { VersionError } from "./errors.js";
import { formatVersion, toVersion } from "./version.js";

/** The text of the next version. */
export function bump(version, part) {
  const next = STEPS[part];
  if (!next) throw new VersionError(`no such part: ${part}`);
  const [major, minor, patch, prerelease = []] = next(toVersion(version));
  return formatVersion({ major, minor, patch, prerelease, build: [] });
}

const STEPS = Object.assign(Object.create(null), {
  major({ major, minor, patch, prerelease }) {
    const begun = prerelease.length > 0 && minor === 0 && patch === 0;
    return [begun ? major : major + 1, 0, 0];
  },
  minor({ major, minor, patch, prerelease }) {
    const begun = prerelease.length > 0 && patch === 0;
    return [major, begun ? minor : minor + 1, 0];
  },
  patch({ major, minor, patch, prerelease }) {
    return [major, minor, prerelease.length > 0 ? patch : patch + 1];
  },
  prerelease({ major, minor, patch, prerelease }) {
    if (prerelease.length === 0) return [major, minor, patch + 1, [0]];
    return [major, minor, patch, nextPrerelease(prerelease)];
  },
});

function nextPrerelease(identifiers) {
  const last = identifiers.map((identifier) => typeof identifier).lastIndexOf("number");
  if (last < 0) return [...identifiers, 0];
  return identifiers.map((identifier, index) => (index === last ? identifier + 1 : identifier));
}
