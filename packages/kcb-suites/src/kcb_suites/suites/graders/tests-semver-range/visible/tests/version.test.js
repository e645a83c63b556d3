import assert from "node:assert/strict";
import { test } from "node:test";
import { VersionError, formatVersion, parseVersion } from "../src/index.js";

test("a version is read", () => {
  assert.deepEqual(parseVersion("1.2.3-rc.1+exp.007"), {
    major: 1,
    minor: 2,
    patch: 3,
    prerelease: ["rc", 1],
    build: ["exp", "007"],
  });
});

test("a version is written as it was read", () => {
  assert.equal(formatVersion("1.2.3-rc.1+exp.007"), "1.2.3-rc.1+exp.007");
});

test("what is no version is refused", () => {
  assert.throws(() => parseVersion("1.2"), VersionError);
});
