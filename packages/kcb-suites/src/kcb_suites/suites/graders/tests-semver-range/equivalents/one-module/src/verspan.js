// Everything in one module.
/** A text is no version, or a version cannot be made. */
class VersionError extends Error {
  constructor(message) {
    super(message);
    this.name = "VersionError";
  }
}

/** A text is no range. */
class RangeSyntaxError extends Error {
  constructor(text) {
    super(`not a range: ${text}`);
    this.name = "RangeSyntaxError";
  }
}

const NUMBER = "(0|[1-9]\\d*)";
const IDENTIFIERS = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";
const VERSION = new RegExp(
  `^\\s*${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-(${IDENTIFIERS}))?(?:\\+(${IDENTIFIERS}))?\\s*$`,
);

/** Read a version; throws VersionError. */
function parseVersion(text) {
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
function toVersion(version) {
  return typeof version === "object" && version !== null ? version : parseVersion(version);
}

/** The text of a version. */
function formatVersion(version) {
  const { major, minor, patch, prerelease, build } = toVersion(version);
  const before = prerelease.length > 0 ? `-${prerelease.join(".")}` : "";
  const after = build.length > 0 ? `+${build.join(".")}` : "";
  return `${major}.${minor}.${patch}${before}${after}`;
}

/** -1, 0 or 1: which of two versions comes first. */
function compareVersions(left, right) {
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

/** The text of the next version. */
function bump(version, part) {
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
  const last = identifiers.findLastIndex((identifier) => typeof identifier === "number");
  if (last < 0) return [...identifiers, 0];
  return identifiers.with(last, identifiers[last] + 1);
}

const PARTIAL = /^(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?$/;
const COMPARATOR = /^(<=|>=|<|>|=|~|\^)?\s*(\S+)$/;
const HYPHEN = /^(\S+)\s+-\s+(\S+)$/;

/**
 * Read a range; throws RangeSyntaxError.
 * It is a list of alternatives, each a list of `{ operator, version, written }`, where `written`
 * tells whether the prerelease of the version stands in the text.
 */
function parseRange(text) {
  if (typeof text !== "string") throw new RangeSyntaxError(text);
  try {
    return text.split("||").map((part) => parseAlternative(part.trim()));
  } catch (error) {
    if (!(error instanceof VersionError)) throw error;
    throw new RangeSyntaxError(text);
  }
}

/** A range as a list of alternatives, if it is still a text. */
function toRange(range) {
  return Array.isArray(range) ? range : parseRange(range);
}

/** The text of a range, in comparators only. */
function formatRange(range) {
  return toRange(range)
    .map((comparators) => comparators.map(formatComparator).join(" "))
    .join(" || ");
}

function formatComparator({ operator, version }) {
  return (operator === "=" ? "" : operator) + formatVersion({ ...version, build: [] });
}

function parseAlternative(text) {
  if (text === "") return every();
  const ends = HYPHEN.exec(text);
  if (ends) return hyphen(parsePartial(ends[1]), parsePartial(ends[2]));
  const words = text.replace(/(<=|>=|<|>|=|~|\^)\s+/g, "$1").split(/\s+/);
  return words.flatMap(parseComparator);
}

function parseComparator(word) {
  const match = COMPARATOR.exec(word);
  if (!match) throw new VersionError(word);
  return EXPAND[match[1] ?? "="](parsePartial(match[2]));
}

/** A version of which numbers may be missing: `{ numbers, version }`, `version` if none is. */
function parsePartial(word) {
  const match = PARTIAL.exec(word);
  if (!match) return whole(parseVersion(word));
  const numbers = [];
  for (const part of match.slice(1)) {
    if (part === undefined || /[xX*]/.test(part)) break;
    numbers.push(part);
  }
  if (numbers.length === 3) return whole(parseVersion(word));
  const { major, minor, patch } = parseVersion([...numbers, 0, 0, 0].slice(0, 3).join("."));
  return { numbers: [major, minor, patch].slice(0, numbers.length), version: null };
}

function whole(version) {
  return { numbers: [version.major, version.minor, version.patch], version };
}

const EXPAND = {
  "=": (partial) => (partial.version ? [exact("=", partial)] : within(partial)),
  ">=": (partial) => [atLeast(partial)],
  "<=": (partial) => (partial.version ? [exact("<=", partial)] : upTo(partial)),
  ">": (partial) => {
    if (partial.version) return [exact(">", partial)];
    if (partial.numbers.length === 0) return none();
    return [bound(">=", raised(partial.numbers, partial.numbers.length - 1))];
  },
  "<": (partial) => {
    if (partial.version) return [exact("<", partial)];
    return partial.numbers.length === 0 ? none() : [before(filled(partial.numbers))];
  },
  "~": (partial) => {
    if (!partial.version) return within(partial);
    return [atLeast(partial), before(raised(partial.numbers, 1))];
  },
  "^": (partial) => {
    if (partial.numbers.length === 0) return every();
    const first = partial.numbers.findIndex((number) => number !== 0);
    const place = first < 0 ? partial.numbers.length - 1 : first;
    return [atLeast(partial), before(raised(partial.numbers, place))];
  },
};

function hyphen(low, high) {
  const from = low.numbers.length === 0 ? [] : [atLeast(low)];
  const to = high.version ? [exact("<=", high)] : high.numbers.length === 0 ? [] : upTo(high);
  return from.length + to.length === 0 ? every() : [...from, ...to];
}

/** All versions that begin with the numbers. */
function within(partial) {
  return partial.numbers.length === 0 ? every() : [atLeast(partial), ...upTo(partial)];
}

function upTo({ numbers }) {
  return numbers.length === 0 ? every() : [before(raised(numbers, numbers.length - 1))];
}

function every() {
  return [bound(">=", [0, 0, 0])];
}

function none() {
  return [before([0, 0, 0])];
}

function atLeast(partial) {
  return partial.version ? exact(">=", partial) : bound(">=", filled(partial.numbers));
}

/** A comparator with the version as it was written. */
function exact(operator, { version }) {
  return { operator, version, written: version.prerelease.length > 0 };
}

function bound(operator, [major, minor, patch], prerelease = []) {
  return { operator, version: { major, minor, patch, prerelease, build: [] }, written: false };
}

/** Less than a version and all of its prereleases. */
function before(numbers) {
  return bound("<", numbers, [0]);
}

/** The numbers with the one at `place` increased, and zeros behind it. */
function raised(numbers, place) {
  return filled([...numbers.slice(0, place), numbers[place] + 1]);
}

function filled(numbers) {
  return [...numbers, 0, 0, 0].slice(0, 3);
}

const HOLDS = {
  "=": (order) => order === 0,
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};

/** Whether a version fits a range. */
function satisfies(version, range, { prereleases = false } = {}) {
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
function maxSatisfying(versions, range, options) {
  return best(versions, range, options, (order) => order > 0);
}

/** The least version of a list that fits, or null. */
function minSatisfying(versions, range, options) {
  return best(versions, range, options, (order) => order < 0);
}

function best(versions, range, options, isBetter) {
  const alternatives = toRange(range);
  let found = null;
  for (const version of versions) {
    if (!satisfies(version, alternatives, options)) continue;
    if (found === null || isBetter(compareVersions(version, found))) found = version;
  }
  return found;
}

/** Whether some version fits both ranges. */
function intersects(left, right) {
  const others = toRange(right).map(span);
  return toRange(left)
    .map(span)
    .some((one) => others.some((other) => !isEmpty(meet(one, other))));
}

/** What an alternative allows: `{ low, high }`, each `{ version, included }` or null for no bound. */
function span(comparators) {
  return comparators.map(spanOf).reduce(meet);
}

function spanOf({ operator, version }) {
  const end = { version, included: operator.includes("=") };
  if (operator === "=") return { low: end, high: end };
  return operator.startsWith("<") ? { low: LEAST, high: end } : { low: end, high: null };
}

// No version comes before this one: a number comes before a text, and fewer before more.
const LEAST = {
  version: { major: 0, minor: 0, patch: 0, prerelease: [0], build: [] },
  included: true,
};

function meet(one, other) {
  return { low: tighter(one.low, other.low, 1), high: tighter(one.high, other.high, -1) };
}

/** The bound that allows less; `direction` is 1 for lower bounds and -1 for upper ones. */
function tighter(one, other, direction) {
  if (one === null || other === null) return one ?? other;
  const order = compareVersions(one.version, other.version) * direction;
  if (order !== 0) return order > 0 ? one : other;
  return one.included ? other : one;
}

function isEmpty({ low, high }) {
  if (low === null || high === null) return false;
  const order = compareVersions(low.version, high.version);
  return order > 0 || (order === 0 && !(low.included && high.included));
}

export {
  RangeSyntaxError,
  VersionError,
  bump,
  compareVersions,
  formatRange,
  formatVersion,
  intersects,
  maxSatisfying,
  minSatisfying,
  parseRange,
  parseVersion,
  satisfies,
};
