import assert from "node:assert/strict";
import { test } from "node:test";
import { Editor } from "../src/index.js";

test("typing replaces the selection", () => {
  const editor = new Editor({ text: "hello world" });
  editor.select({ block: 0, offset: 5 }, { block: 0, offset: 0 });
  editor.typeText("bye");
  assert.equal(editor.text, "bye world");
  assert.deepEqual(editor.selection.focus, { block: 0, offset: 3 });
});

test("backspace joins blocks and removes whole characters", () => {
  const editor = new Editor({ text: "a\n\u{1f600}" });
  editor.select({ block: 1, offset: 2 });
  editor.backspace();
  assert.equal(editor.text, "a\n");
  editor.backspace();
  assert.equal(editor.text, "a");
});

test("enter after a heading starts a paragraph", () => {
  const editor = new Editor({ text: "# Title" });
  editor.select({ block: 0, offset: 7 });
  editor.enter();
  editor.typeText("text");
  assert.equal(editor.text, "# Title\ntext");
});

test("pasting lines makes blocks", () => {
  const editor = new Editor({ text: "- ab" });
  editor.select({ block: 0, offset: 1 });
  editor.paste("1\r\n2\n3");
  assert.equal(editor.text, "- a1\n- 2\n- 3b");
});

test("cut and copy", () => {
  const editor = new Editor({ text: "one\ntwo" });
  editor.select({ block: 1, offset: 1 }, { block: 0, offset: 1 });
  assert.equal(editor.copy(), "ne\nt");
  assert.equal(editor.cut(), "ne\nt");
  assert.equal(editor.text, "owo");
});

test("events tell what changed", () => {
  const editor = new Editor({ text: "ab" });
  const seen = [];
  editor.on("change", (details) => seen.push(details.source));
  const stop = editor.on("selection", () => seen.push("selection"));
  editor.backspace();
  editor.typeText("x");
  stop();
  editor.selectAll();
  assert.deepEqual(seen, ["command", "selection"]);
});

test("what fails changes nothing", () => {
  const editor = new Editor({ text: "ab" });
  editor.selectAll();
  assert.throws(() => editor.typeText("a\nb"), RangeError);
  assert.throws(() => editor.setType("table"), RangeError);
  assert.equal(editor.text, "ab");
});
