import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryBackend, open } from "../src/index.js";

test("a store opens", () => {
  assert.equal(open(new MemoryBackend(), {}, () => {}), undefined);
});
