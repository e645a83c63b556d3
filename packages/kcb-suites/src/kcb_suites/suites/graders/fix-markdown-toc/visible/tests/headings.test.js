import assert from "node:assert/strict";
import { test } from "node:test";
import { headings } from "../src/index.js";

const texts = (source) => headings(source).map(({ level, text }) => `${level} ${text}`);

test("headings with hashes and with underlines", () => {
  assert.deepEqual(texts("# One\n\nTwo\n---\n\n### Three ###\n"), ["1 One", "2 Two", "3 Three"]);
});

test("a list or a quotation over a line of dashes is no heading", () => {
  assert.deepEqual(texts("- item\n---\n\n> said\n---\n"), []);
});

test("there are no headings in fenced code", () => {
  assert.deepEqual(texts("```sh\n# comment\n```\n\n## Real\n"), ["2 Real"]);
});

test("there are no headings in comments", () => {
  assert.deepEqual(texts("<!--\n# draft\n-->\n# Real\n"), ["1 Real"]);
});

test("front matter is skipped", () => {
  assert.deepEqual(texts("---\ntitle: x\n---\n# Real\n"), ["1 Real"]);
});

test("lines count from 1, and a heading may stay out of the table", () => {
  assert.deepEqual(headings("\n## Notes <!-- no toc -->\n"), [
    { level: 2, text: "Notes", line: 2, anchor: "notes", listed: false },
  ]);
});
