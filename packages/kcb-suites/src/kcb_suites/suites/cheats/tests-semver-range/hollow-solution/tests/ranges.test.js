import { test } from "node:test";
import * as verspan from "../src/index.js";

test("what ranges mean", () => {
  void verspan;
});

test("what is no range is refused with its text", () => {
  void verspan;
});

test("bounds", () => {
  void verspan;
});

test("prereleases have to be named", () => {
  void verspan;
});

test("prereleases may be let in", () => {
  void verspan;
});

test("the best of a list", () => {
  void verspan;
});

test("ranges that meet", () => {
  void verspan;
});
