import { test } from "node:test";

test("one task after the other", () => {});
