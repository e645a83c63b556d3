import { TocError } from "./errors.js";
import { headings } from "./headings.js";
import { label } from "./inline.js";

const DEFAULTS = { min: 2, max: 4, ordered: false };

/** The table of contents of a document, its lines separated by `\n`. */
export function table(source, options = {}) {
  const { min, max, ordered } = { ...DEFAULTS, ...options };
  if (min > max) throw new TocError("min is greater than max");
  const entries = headings(source).filter(
    ({ level, listed }) => listed && level >= min && level <= max,
  );
  return render(entries, ordered).join("\n");
}

function render(entries, ordered) {
  const indent = ordered ? "   " : "  ";
  const open = []; // the levels of the entries that the next one may lie under
  const counts = [0]; // how many siblings came before, at each depth
  return entries.map((entry) => {
    while (open.length > 0 && open.at(-1) >= entry.level) open.pop();
    const depth = open.length;
    counts.length = depth + 1;
    counts[depth] = (counts[depth] ?? 0) + 1;
    open.push(entry.level);
    const bullet = ordered ? `${counts[depth]}.` : "-";
    return `${indent.repeat(depth)}${bullet} [${label(entry.text)}](#${entry.anchor})`;
  });
}
