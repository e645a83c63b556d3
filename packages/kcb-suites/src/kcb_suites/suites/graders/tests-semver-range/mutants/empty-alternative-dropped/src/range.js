import { RangeSyntaxError, VersionError } from "./errors.js";
import { formatVersion, parseVersion } from "./version.js";

const PARTIAL = /^(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?$/;
const COMPARATOR = /^(<=|>=|<|>|=|~|\^)?\s*(\S+)$/;
const HYPHEN = /^(\S+)\s+-\s+(\S+)$/;

/**
 * Read a range; throws RangeSyntaxError.
 * It is a list of alternatives, each a list of `{ operator, version, written }`, where `written`
 * tells whether the prerelease of the version stands in the text.
 */
export function parseRange(text) {
  if (typeof text !== "string") throw new RangeSyntaxError(text);
  try {
    return text.split("||").filter((part) => text.trim() === "" || part.trim() !== "").map((part) => parseAlternative(part.trim()));
  } catch (error) {
    if (!(error instanceof VersionError)) throw error;
    throw new RangeSyntaxError(text);
  }
}

/** A range as a list of alternatives, if it is still a text. */
export function toRange(range) {
  return Array.isArray(range) ? range : parseRange(range);
}

/** The text of a range, in comparators only. */
export function formatRange(range) {
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
