import { pathToFileURL } from "node:url";

const tocdown = await import(pathToFileURL("src/index.js").href);

/** `{ call, source, options }`: what the library gives, objects as lists of their values. */
export function answer({ call, source, options }) {
  if (call === "headings") {
    return tocdown
      .headings(source)
      .map(({ level, text, line, anchor, listed }) => [level, text, line, anchor, listed]);
  }
  if (call === "update") {
    const result = tocdown.update(source, options);
    return [result.status, result.source];
  }
  return tocdown[call](source, options);
}
