import assert from "node:assert/strict";
import { test } from "node:test";
import { Editor } from "../src/index.js";

test("one step back and forth", () => {
  const editor = new Editor({ text: "ab" });
  editor.select({ block: 0, offset: 2 });
  editor.enter();
  assert.equal(editor.undoLabel, "New block");
  assert.equal(editor.undo(), true);
  assert.equal(editor.text, "ab");
  assert.equal(editor.canRedo, true);
  assert.equal(editor.redo(), true);
  assert.equal(editor.text, "ab\n");
  assert.equal(editor.redo(), false);
});

test("typing makes a step a word", () => {
  const editor = new Editor({ now: () => 0 });
  for (const letter of "one two") editor.typeText(letter);
  editor.undo();
  assert.equal(editor.text, "one ");
  editor.undo();
  assert.equal(editor.text, "");
});

test("a group is one step, and nothing if it throws", () => {
  const editor = new Editor({ text: "a" });
  const result = editor.group("Sign", () => {
    editor.typeText("x");
    editor.enter();
    return 7;
  });
  assert.equal(result, 7);
  assert.equal(editor.undoLabel, "Sign");
  assert.throws(
    () =>
      editor.group("Fail", () => {
        editor.typeText("y");
        throw new Error("no");
      }),
    /no/,
  );
  assert.equal(editor.text, "x\na");
  editor.undo();
  assert.equal(editor.text, "a");
});

test("saved and modified", () => {
  const editor = new Editor();
  assert.equal(editor.isModified, false);
  editor.typeText("a");
  assert.equal(editor.isModified, true);
  editor.markSaved();
  editor.typeText("b");
  editor.undo();
  assert.equal(editor.isModified, false);
});
