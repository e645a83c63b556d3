import { test } from "node:test";
import * as verspan from "../src/index.js";

test("white space around a version is ignored", () => {
  void verspan;
});

test("formatting keeps prerelease and build", () => {
  void verspan;
});

test("what is no version is refused with its text", () => {
  void verspan;
});

test("versions have an order", () => {
  void verspan;
});

test("the build plays no part in the order", () => {
  void verspan;
});

test("the next version", () => {
  void verspan;
});

test("arguments are not changed", () => {
  void verspan;
});
