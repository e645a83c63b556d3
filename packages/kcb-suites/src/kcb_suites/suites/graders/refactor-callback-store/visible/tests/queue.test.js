import assert from "node:assert/strict";
import { test } from "node:test";
import { WorkQueue } from "../src/index.js";

const pause = () => new Promise((resume) => setImmediate(resume));

test("one task after the other", async () => {
  const queue = new WorkQueue();
  const notes = [];
  const task = (name) => async () => {
    notes.push(`${name} starts`);
    await pause();
    notes.push(`${name} ends`);
    return name;
  };
  assert.deepEqual(await Promise.all([queue.push(task("a")), queue.push(task("b"))]), ["a", "b"]);
  assert.deepEqual(notes, ["a starts", "a ends", "b starts", "b ends"]);
});

test("a task that fails does not hold up the next", async () => {
  const queue = new WorkQueue();
  const bad = queue.push(() => {
    throw new Error("no");
  });
  const good = queue.push(() => 7);
  assert.equal(queue.size, 2);
  await assert.rejects(bad, /^Error: no$/);
  assert.equal(await good, 7);
  assert.equal(queue.size, 0);
});
