import { test } from "node:test";

test("weekly events go on", () => {});
test("the end of February", () => {});
