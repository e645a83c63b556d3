import { test } from "node:test";

test("a request over the limit is refused", () => {});
test("headers tell of the bucket", () => {});
