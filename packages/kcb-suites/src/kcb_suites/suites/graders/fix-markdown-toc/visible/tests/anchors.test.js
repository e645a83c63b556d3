import assert from "node:assert/strict";
import { test } from "node:test";
import { anchorOf, headings } from "../src/index.js";

test("an anchor is in lower case, with dashes for spaces", () => {
  assert.equal(anchorOf("Getting Started"), "getting-started");
  assert.equal(anchorOf("Q & A"), "q--a");
});

test("markup is no part of an anchor", () => {
  assert.equal(anchorOf("The `--check` **flag**"), "the---check-flag");
  assert.equal(anchorOf("See [the guide](guide.md)"), "see-the-guide");
});

test("letters of every script stay", () => {
  assert.equal(anchorOf("Über uns"), "über-uns");
});

test("anchors are unique", () => {
  const anchors = headings("## Usage\n## Usage\n## Usage\n").map(({ anchor }) => anchor);
  assert.deepEqual(anchors, ["usage", "usage-1", "usage-2"]);
});
