import { toRange } from "./range.js";
import { compareVersions } from "./version.js";

/** Whether some version fits both ranges. */
export function intersects(left, right) {
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
