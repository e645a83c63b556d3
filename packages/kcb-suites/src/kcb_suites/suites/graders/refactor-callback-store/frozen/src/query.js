/** What fits a filter, sorted and cut: `{ key, revision, doc }`. */
export function select(pantry, filter, { sort, skip = 0, limit = Infinity } = {}) {
  const rows = [];
  for (const key of possible(pantry, filter)) {
    const { doc, revision } = pantry.get(key);
    if (fits(doc, filter)) rows.push({ key, revision, doc: structuredClone(doc) });
  }
  if (sort) rows.sort(comparator(sort));
  return rows.slice(skip, skip + limit);
}

function possible(pantry, filter) {
  for (const [field, wanted] of Object.entries(filter)) {
    const keys = isCondition(wanted) ? null : pantry.candidates(field, wanted);
    if (keys) return keys.sort();
  }
  return pantry.all().map(([key]) => key);
}

function isCondition(wanted) {
  return typeof wanted === "object" && wanted !== null;
}

function fits(doc, filter) {
  return Object.entries(filter).every(([field, wanted]) => {
    const value = doc[field];
    if (!isCondition(wanted)) return value === wanted;
    if ("gt" in wanted && !(value > wanted.gt)) return false;
    if ("lt" in wanted && !(value < wanted.lt)) return false;
    return !("in" in wanted) || wanted.in.includes(value);
  });
}

function comparator(sort) {
  const down = sort.startsWith("-");
  const field = down ? sort.slice(1) : sort;
  return (left, right) => {
    const [one, other] = [left.doc[field], right.doc[field]];
    if (one === undefined || other === undefined) {
      return Number(one === undefined) - Number(other === undefined);
    }
    const order = one < other ? -1 : Number(one > other);
    return down ? -order : order;
  };
}
