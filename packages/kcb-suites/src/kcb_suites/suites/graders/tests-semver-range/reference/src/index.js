export { RangeSyntaxError, VersionError } from "./errors.js";
export { bump } from "./bump.js";
export { compareVersions, formatVersion, parseVersion } from "./version.js";
export { formatRange, parseRange } from "./range.js";
export { maxSatisfying, minSatisfying, satisfies } from "./satisfies.js";
export { intersects } from "./intersects.js";
