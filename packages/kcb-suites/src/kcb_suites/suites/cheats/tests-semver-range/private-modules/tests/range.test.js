import assert from "node:assert/strict";
import { test } from "node:test";
import { parseRange, toRange } from "../src/range.js";

test("a parsed range is a list of lists", () => {
  const bound = { major: 2, minor: 0, patch: 0, prerelease: [0], build: [] };
  assert.deepEqual(toRange(parseRange("<2"))[0], [{ operator: "<", version: bound, written: false }]);
});
