import assert from "node:assert/strict";
import { test } from "node:test";
import { parse, serialize } from "../src/index.js";

test("marks make types", () => {
  assert.deepEqual(parse("# a\n- b\nc"), [
    { type: "heading", text: "a" },
    { type: "item", text: "b" },
    { type: "paragraph", text: "c" },
  ]);
});

test("what looks like a mark is quoted", () => {
  for (const text of ["# a", "\\# a", "- b", "\\\\- b", "\\x", ""]) {
    assert.deepEqual(parse(serialize([{ type: "paragraph", text }])), [{ type: "paragraph", text }]);
  }
});
