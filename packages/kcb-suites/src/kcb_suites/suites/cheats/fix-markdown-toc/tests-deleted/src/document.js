import { classify, lineEnd, splitLines } from "./lines.js";
import { findMarkers } from "./markers.js";
import { table } from "./table.js";

const STOP = "<!-- tocstop -->";

/** Bring the table of a document up to date: `{ source, status }`. */
export function update(source, options = {}) {
  const lines = splitLines(source);
  const markers = findMarkers(lines, classify(lines));
  if (!markers) return { source, status: "no marker" };
  const end = lineEnd(source);
  const contents = table(source, { ...options, ...markers.options });
  const between = contents ? ["", ...contents.split("\n"), ""] : [];
  const before = head(source, lines[markers.start], end);
  const after = tail(source, lines, markers, end);
  const updated = before + between.map((line) => line + end).join("") + after;
  return { source: updated, status: updated === source ? "unchanged" : "updated" };
}

/** Everything up to the marker, whose line may be the last and lack its end. */
function head(source, line, end) {
  const before = source.slice(0, line.end);
  return before.endsWith("\n") ? before : before + end;
}

/** Everything from the line on that ends the table, which is added if need be. */
function tail(source, lines, { start, stop }, end) {
  if (stop >= 0) return source.slice(lines[stop].start);
  return STOP + end + source.slice(lines[start].end);
}
