import assert from "node:assert/strict";
import { test } from "node:test";
import { parseVersion } from "../src/index.js";

test("a version is read", () => {
  assert.ok(parseVersion("1.2.3"));
});
