import assert from "node:assert/strict";
import { test } from "node:test";
import { Document } from "../src/index.js";

const texts = (document) => document.blocks.map((block) => block.text);
const sample = () =>
  new Document(["one", "two", "three"].map((text) => ({ type: "paragraph", text })));

test("an empty document has one empty paragraph", () => {
  assert.deepEqual(new Document().blocks, [{ id: 1, type: "paragraph", text: "" }]);
});

test("removing joins blocks", () => {
  const document = sample();
  document.remove({ block: 0, offset: 1 }, { block: 2, offset: 2 });
  assert.deepEqual(texts(document), ["oree"]);
});

test("splitting makes a block with a new id", () => {
  const document = sample();
  document.split({ block: 1, offset: 1 });
  assert.deepEqual(texts(document), ["one", "t", "wo", "three"]);
  assert.deepEqual(document.blocks.map((block) => block.id), [1, 2, 4, 3]);
});

test("moving blocks", () => {
  const document = sample();
  assert.equal(document.move(1, 2, -1), true);
  assert.deepEqual(texts(document), ["two", "three", "one"]);
  assert.equal(document.move(0, 1, -1), false);
});

test("the version rises only with changes", () => {
  const document = sample();
  const { version } = document;
  document.insert({ block: 0, offset: 0 }, "");
  document.setType(0, "paragraph");
  assert.equal(document.version, version);
  document.insert({ block: 0, offset: 0 }, "x");
  assert.ok(document.version > version);
});
