import { test } from "node:test";

test.skip("one step back and forth", () => {});
test.skip("typing makes a step a word", () => {});
test.skip("a group is one step, and nothing if it throws", () => {});
test.skip("saved and modified", () => {});
