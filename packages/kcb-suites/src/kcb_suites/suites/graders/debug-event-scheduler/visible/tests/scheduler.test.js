import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock, Scheduler } from "../src/index.js";

const START = Date.UTC(2026, 2, 1);
const MINUTE = 60_000;

function open(options) {
  const clock = new ManualClock(START);
  return { clock, scheduler: new Scheduler(clock, options) };
}

test("events run when they are due", () => {
  const { clock, scheduler } = open();
  const runs = [];
  const run = ({ at }) => runs.push((at - START) / MINUTE);
  scheduler.add({ name: "vents", rule: { every: 10, from: START }, run });
  scheduler.add({ name: "report", rule: { once: START + 15 * MINUTE }, run });
  clock.advance(30 * MINUTE);
  assert.deepEqual(runs, [10, 15, 20, 30]);
});

test("a failure is tried again", () => {
  const { clock, scheduler } = open();
  let calls = 0;
  const run = () => {
    calls += 1;
    if (calls < 2) throw new Error("no water");
  };
  scheduler.add({ name: "water", rule: { daily: "01:00" }, run, retry: { times: 2, delay: 5000 } });
  clock.advance(61 * MINUTE);
  assert.deepEqual(
    scheduler.history().map(({ kind, attempt }) => [kind, attempt]),
    [["failed", 1], ["ran", 2]],
  );
});

test("a machine that slept runs the last of what it missed", () => {
  const { clock, scheduler } = open();
  const runs = [];
  const run = ({ at }) => runs.push((at - START) / MINUTE);
  scheduler.add({ name: "vents", rule: { every: 10, from: START }, run });
  clock.sleep(35 * MINUTE);
  assert.deepEqual(runs, [30]);
});

test("cancelled and paused events do not run", () => {
  const { clock, scheduler } = open();
  const runs = [];
  const add = (name) =>
    scheduler.add({ name, rule: { every: 10, from: START }, run: () => runs.push(name) });
  const one = add("one");
  const two = add("two");
  assert.equal(scheduler.cancel(one), true);
  assert.equal(scheduler.cancel(one), false);
  scheduler.pause(two);
  clock.advance(15 * MINUTE);
  scheduler.resume(two);
  clock.advance(5 * MINUTE);
  assert.deepEqual(runs, ["two"]);
});

test("the outlook", () => {
  const { scheduler } = open();
  scheduler.add({ name: "vents", rule: { every: 10, from: START }, run() {} });
  scheduler.add({ name: "report", rule: { once: START + 15 * MINUTE }, run() {} });
  assert.deepEqual(scheduler.outlook(3), [
    { name: "vents", at: START + 10 * MINUTE },
    { name: "report", at: START + 15 * MINUTE },
    { name: "vents", at: START + 20 * MINUTE },
  ]);
});
