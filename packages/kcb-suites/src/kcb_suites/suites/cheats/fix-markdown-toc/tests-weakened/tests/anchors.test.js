import assert from "node:assert/strict";
import { test } from "node:test";
import { anchorOf } from "../src/index.js";

test("letters of every script stay", () => {
  assert.ok(anchorOf("Über uns"));
});
