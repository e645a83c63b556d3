const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const COMMENT_START = /^ {0,3}<!--/;

/** The lines of a document without their ends: `{ text, start, end }`, `end` after the line's end. */
export function splitLines(source) {
  const lines = [];
  let start = 0;
  while (start < source.length) {
    const newline = source.indexOf("\n", start);
    const end = newline < 0 ? source.length : newline + 1;
    lines.push({ text: source.slice(start, end).replace(/\r?\n$/, ""), start, end });
    start = end;
  }
  return lines;
}

/** The line end that a document uses: that of its first line. */
export function lineEnd(source) {
  const newline = source.indexOf("\n");
  return newline > 0 && source[newline - 1] === "\r" ? "\r\n" : "\n";
}

/** An opening fence as `{ char, length }`, or null. */
function openingFence(text) {
  const match = FENCE.exec(text);
  if (!match || (match[1][0] === "`" && match[2].includes("`"))) return null;
  return { char: match[1][0], length: match[1].length };
}

function closesFence(text, fence) {
  const match = FENCE.exec(text);
  return (
    match !== null &&
    match[1][0] === fence.char &&
    match[1].length >= fence.length &&
    match[2].trim() === ""
  );
}

/** How many lines at the top are front matter. */
function frontMatterLength(lines) {
  if (lines[0]?.text !== "---") return 0;
  return lines.findIndex((line, index) => index > 0 && line.text === "---") + 1;
}

/**
 * What each line is: "front", "code", "comment" or "text".
 * A comment line is told from text only where it starts the line.
 */
export function classify(lines) {
  const kinds = [];
  const front = frontMatterLength(lines);
  let fence = null;
  let inComment = false;
  lines.forEach(({ text }, index) => {
    if (index < front) {
      kinds.push("front");
    } else if (fence) {
      kinds.push("code");
      if (closesFence(text, fence)) fence = null;
    } else if (inComment) {
      kinds.push("comment");
      inComment = !text.includes("-->");
    } else if ((fence = openingFence(text))) {
      kinds.push("code");
    } else if (COMMENT_START.test(text)) {
      kinds.push("comment");
      inComment = !text.includes("-->");
    } else {
      kinds.push("text");
    }
  });
  return kinds;
}
