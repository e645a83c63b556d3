import assert from "node:assert/strict";
import { test } from "node:test";
import {
  RangeSyntaxError,
  formatRange,
  intersects,
  maxSatisfying,
  minSatisfying,
  parseRange,
  satisfies,
} from "../src/index.js";

test("what ranges mean", () => {
  const meanings = {
    "1.2.3": "1.2.3", "=1.2.3": "1.2.3", "1.2": ">=1.2.0 <1.3.0-0", "1": ">=1.0.0 <2.0.0-0",
    "1.2.x": ">=1.2.0 <1.3.0-0", "1.X": ">=1.0.0 <2.0.0-0", "1.*": ">=1.0.0 <2.0.0-0",
    "1.x.3": ">=1.0.0 <2.0.0-0", ">1.2": ">=1.3.0", ">1": ">=2.0.0", "<=1.2": "<1.3.0-0",
    "<=1": "<2.0.0-0", ">=1.2": ">=1.2.0", "<1.2": "<1.2.0-0", "*": ">=0.0.0", "": ">=0.0.0",
    ">=*": ">=0.0.0", "<=*": ">=0.0.0", ">*": "<0.0.0-0", "<*": "<0.0.0-0",
    "~1.2.3": ">=1.2.3 <1.3.0-0", "~1.2": ">=1.2.0 <1.3.0-0", "~1": ">=1.0.0 <2.0.0-0",
    "^1.2.3": ">=1.2.3 <2.0.0-0", "^0.2.3": ">=0.2.3 <0.3.0-0", "^0.0.3": ">=0.0.3 <0.0.4-0",
    "^1.2": ">=1.2.0 <2.0.0-0", "^1": ">=1.0.0 <2.0.0-0", "^0.0": ">=0.0.0 <0.1.0-0",
    "^0": ">=0.0.0 <1.0.0-0", "~*": ">=0.0.0", "^*": ">=0.0.0",
    "1.2.3 - 2.3.4": ">=1.2.3 <=2.3.4", "1.2 - 2.3": ">=1.2.0 <2.4.0-0", "1 - *": ">=1.0.0",
    "* - 2": "<3.0.0-0", ">= 1.2.3-rc.1+b  <2": ">=1.2.3-rc.1 <2.0.0-0",
    "1.2.3||~ 2 || ": "1.2.3 || >=2.0.0 <3.0.0-0 || >=0.0.0", "<3 >1.0.0 <3": "<3.0.0-0 >1.0.0 <3.0.0-0",
  };
  for (const [range, meaning] of Object.entries(meanings)) {
    assert.equal(formatRange(range), meaning, range);
    assert.equal(formatRange(parseRange(range)), meaning, range);
  }
});

test("what is no range is refused with its text", () => {
  for (const text of ["v1", "1.2.3.4", ">", "=>1", "1.2.3 -", "a", "1.2-rc", "01.2"]) {
    assert.throws(
      () => parseRange(text),
      (error) => error instanceof RangeSyntaxError && error.message === `not a range: ${text}`,
    );
  }
  assert.throws(() => parseRange(1), RangeSyntaxError);
});

function check(range, fitting, others, options) {
  for (const version of fitting) assert.equal(satisfies(version, range, options), true, version);
  for (const version of others) assert.equal(satisfies(version, range, options), false, version);
}

test("bounds", () => {
  check(">1.0.0 <=2.0.0", ["1.0.1", "2.0.0", "2.0.0+b"], ["1.0.0", "2.0.1", "0.9.0"]);
  check(">=1.0.0 <2.0.0", ["1.0.0", "1.9.9"], ["0.9.9", "2.0.0"]);
  check("1.2.3 || ^3", ["1.2.3", "3.0.0", "3.9.9"], ["1.2.4", "2.0.0", "4.0.0"]);
  check(">*", [], ["0.0.0", "1.0.0"]);
  check("*", ["0.0.0", "99.0.0"], ["1.0.0-rc"]);
});

test("prereleases have to be named", () => {
  check("^1.2.3-b", ["1.2.3-b", "1.2.3-c", "1.2.3", "1.3.0"], ["1.2.3-a", "1.2.4-c", "1.3.0-b"]);
  check(">=1.0.0", ["1.0.0"], ["1.0.1-a", "2.0.0-a"]);
  check(">=1.2.3-a || >=3.0.0", ["1.2.3-b"], ["3.0.1-a"]);
  check("<1.0.0 || 2.0.0-a", ["2.0.0-a"], ["2.0.0-b"]);
  check(">=1.0.0 || =2.0.0-a <1.0.0", [], ["2.0.0-a"]);
});

test("prereleases may be let in", () => {
  const options = { prereleases: true };
  check("^1.2.3", ["1.2.4-a", "1.9.0-a"], ["1.2.3-a", "2.0.0-a", "2.0.0-0"], options);
  check("<1.2", ["1.1.9-a"], ["1.2.0-a"], options);
});

test("the best of a list", () => {
  const versions = ["1.5.0", "1.0.0+a", "2.0.0", "1.9.0+x", "1.9.0+y", "1.0.0+b", "1.9.1-rc"];
  assert.equal(maxSatisfying(versions, "^1"), "1.9.0+x");
  assert.equal(minSatisfying(versions, "^1"), "1.0.0+a");
  assert.equal(maxSatisfying(versions, "^1", { prereleases: true }), "1.9.1-rc");
  assert.equal(maxSatisfying(versions, "^3"), null);
  assert.equal(minSatisfying([" 1.0.0 "], "1"), " 1.0.0 ");
});

test("ranges that meet", () => {
  const meeting = [
    ["^1", "1.5 - 3"], [">=1.0.0", "<=1.0.0"], ["*", "0.0.0"], ["1.2.3", "~1.2"],
    ["^1 || ^5", "^3 || ^5"], ["<1.0.0", ">=1.0.0-rc"],
  ];
  const apart = [
    ["^1", "^2"], [">1.0.0", "<=1.0.0"], [">=1.0.0", "<1.0.0"], ["1.2.3", "1.2.4"],
    ["1.2.3", ">1.2.3"], [">*", "*"], ["^1", ">=2.0.0-rc"], ["^1 || ^2", "^3 || ^4"],
    [">2 <1", "*"],
  ];
  for (const [left, right] of meeting) {
    assert.equal(intersects(left, right), true, `${left} ${right}`);
    assert.equal(intersects(right, left), true, `${right} ${left}`);
  }
  for (const [left, right] of apart) {
    assert.equal(intersects(left, right), false, `${left} ${right}`);
    assert.equal(intersects(right, left), false, `${right} ${left}`);
  }
});
