import assert from "node:assert/strict";
import { test } from "node:test";
import { VersionError, bump, compareVersions, formatVersion, parseVersion } from "../src/index.js";

test("white space around a version is ignored", () => {
  assert.equal(formatVersion(" 1.2.3 "), "1.2.3");
  assert.equal(formatVersion("1.2.3\t"), "1.2.3");
});

test("formatting keeps prerelease and build", () => {
  for (const text of ["0.0.0", "1.2.3-a.1.b-c", "1.2.3+7", "1.2.3-0+x.y", "1.2.3+0007.a"]) {
    assert.equal(formatVersion(text), text);
    assert.equal(formatVersion(parseVersion(text)), text);
  }
});

test("what is no version is refused with its text", () => {
  const wrong = [
    "", "1", "1.2", "1.2.3.4", "v1.2.3", "01.2.3", "1.02.3", "1.2.03", "1.2.3-", "1.2.3-01",
    "1.2.3-a..b", "1.2.3+", "1.2.3-ä", "a.b.c", "1.2.9007199254740992", "9007199254740992.0.0",
  ];
  for (const text of wrong) {
    assert.throws(
      () => parseVersion(text),
      (error) => error instanceof VersionError && error.message === `not a version: ${text}`,
    );
  }
  assert.throws(() => parseVersion(7), VersionError);
  assert.equal(parseVersion("1.2.9007199254740991").patch, Number.MAX_SAFE_INTEGER);
});

test("versions have an order", () => {
  const sorted = [
    "0.9.9", "1.0.0-0", "1.0.0-2", "1.0.0-10", "1.0.0-B", "1.0.0-a", "1.0.0-a.1", "1.0.0-a.b",
    "1.0.0-b", "1.0.0", "1.0.9", "1.0.10", "1.1.2", "1.2.1", "2.0.0-rc.1", "2.0.0", "10.0.0",
  ];
  for (const [index, left] of sorted.entries()) {
    for (const [place, right] of sorted.entries()) {
      const expected = Math.sign(index - place);
      assert.equal(compareVersions(left, parseVersion(right)), expected, `${left} ${right}`);
    }
  }
});

test("the build plays no part in the order", () => {
  assert.equal(compareVersions("1.0.0+a", "1.0.0+b"), 0);
  assert.equal(compareVersions("1.0.0", "1.0.0+b"), 0);
});

test("the next version", () => {
  const steps = [
    ["1.2.3", "major", "2.0.0"], ["2.0.0-rc.1", "major", "2.0.0"],
    ["2.1.0-rc.1", "major", "3.0.0"], ["2.0.1-rc.1", "major", "3.0.0"],
    ["1.2.3", "minor", "1.3.0"], ["1.2.0-rc", "minor", "1.2.0"], ["1.2.3-rc", "minor", "1.3.0"],
    ["1.2.3+b", "patch", "1.2.4"], ["1.2.3-rc+b", "patch", "1.2.3"],
    ["1.2.3", "prerelease", "1.2.4-0"], ["1.2.3-rc.9", "prerelease", "1.2.3-rc.10"],
    ["1.2.3-rc", "prerelease", "1.2.3-rc.0"], ["1.2.3-1.x.2.y", "prerelease", "1.2.3-1.x.3.y"],
  ];
  for (const [version, part, next] of steps) assert.equal(bump(version, part), next);
  assert.throws(() => bump("1.2.3", "build"), { message: "no such part: build" });
});

test("arguments are not changed", () => {
  const version = parseVersion("1.2.3-rc.1+b");
  bump(version, "prerelease");
  assert.deepEqual(version, parseVersion("1.2.3-rc.1+b"));
});
