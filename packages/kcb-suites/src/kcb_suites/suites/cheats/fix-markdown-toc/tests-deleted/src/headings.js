import { Anchors } from "./anchors.js";
import { classify, splitLines } from "./lines.js";
import { findMarkers } from "./markers.js";

const HASHES = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;
const CLOSING = /(^|[ \t]+)#+[ \t]*$/;
const UNDERLINE = /^ {0,3}(=+|-+)\s*$/;
const NOT_TEXT = /^( {4}|\t| {0,3}(>|\||[-*+] |\d+\. |#{1,6}([ \t]|$)))/;
const NO_TOC = /\s*<!--\s*no toc\s*-->$/;

/** All headings of a document: `{ level, text, line, anchor, listed }`. */
export function headings(source) {
  const lines = splitLines(source);
  const kinds = classify(lines);
  const markers = findMarkers(lines, kinds);
  const inTable = (index) => markers !== null && index > markers.start && index < markers.stop;
  const anchors = new Anchors();
  const found = [];
  lines.forEach((_, index) => {
    if (kinds[index] !== "text" || inTable(index)) return;
    const heading = hashHeading(lines, index) ?? underlinedHeading(lines, kinds, index);
    if (!heading) return;
    const text = heading.text.replace(NO_TOC, "").trim();
    if (!text) return;
    const listed = !NO_TOC.test(heading.text);
    found.push({ ...heading, text, anchor: anchors.take(text), listed });
  });
  return found;
}

function hashHeading(lines, index) {
  const match = HASHES.exec(lines[index].text);
  if (!match) return null;
  const text = (match[2] ?? "").replace(CLOSING, "").trim();
  return { level: match[1].length, text, line: index + 1 };
}

/** The heading that ends at this line of `=` or `-`; it starts one line before. */
function underlinedHeading(lines, kinds, index) {
  const match = UNDERLINE.exec(lines[index].text);
  if (!match || index === 0 || kinds[index - 1] !== "text") return null;
  const above = lines[index - 1].text;
  if (above.trim() === "" || NOT_TEXT.test(above) || UNDERLINE.test(above)) return null;
  return { level: match[1][0] === "=" ? 1 : 2, text: above.trim(), line: index };
}
