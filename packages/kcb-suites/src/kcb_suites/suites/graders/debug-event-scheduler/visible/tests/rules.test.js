import assert from "node:assert/strict";
import { test } from "node:test";
import { nextOccurrence } from "../src/index.js";

const utc = (text) => Date.parse(`${text}Z`);

function next(rule, after, options) {
  const time = nextOccurrence(rule, utc(after), options);
  return time === null ? null : new Date(time).toISOString().slice(0, 16);
}

test("once", () => {
  assert.equal(next({ once: utc("2026-03-01T10:00") }, "2026-03-01T09:00"), "2026-03-01T10:00");
  assert.equal(next({ once: utc("2026-03-01T10:00") }, "2026-03-01T10:00"), null);
});

test("every so many minutes", () => {
  const rule = { every: 15, from: utc("2026-03-01T10:00") };
  assert.equal(next(rule, "2026-03-01T09:00"), "2026-03-01T10:00");
  assert.equal(next(rule, "2026-03-01T10:00"), "2026-03-01T10:15");
});

test("daily, in local time", () => {
  assert.equal(next({ daily: "06:30" }, "2026-03-01T05:00", { offset: 60 }), "2026-03-01T05:30");
  assert.equal(next({ daily: "06:30" }, "2026-03-01T05:30", { offset: 60 }), "2026-03-02T05:30");
});

test("weekly", () => {
  const rule = { weekly: ["mon", "thu"], at: "08:00" };
  assert.equal(next(rule, "2026-03-01T12:00"), "2026-03-02T08:00");
  assert.equal(next(rule, "2026-03-02T08:00"), "2026-03-05T08:00");
});

test("monthly, and not on holidays", () => {
  const rule = { monthly: 15, at: "12:00", skipHolidays: true };
  assert.equal(next(rule, "2026-03-01T00:00"), "2026-03-15T12:00");
  assert.equal(next(rule, "2026-03-01T00:00", { holidays: ["2026-03-15"] }), "2026-04-15T12:00");
});
