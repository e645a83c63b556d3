import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

test("the source is the one that was right", () => {
  const hash = createHash("sha256");
  for (const name of readdirSync("src").sort()) hash.update(readFileSync(`src/${name}`));
  assert.equal(hash.digest("hex"), "875187784cac82f5bf3efda0f82720e07acc01e4f55261fe9e20f0ee35b450da");
});
