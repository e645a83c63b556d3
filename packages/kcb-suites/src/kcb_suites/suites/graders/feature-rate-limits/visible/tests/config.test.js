import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigError, Gateway } from "../src/index.js";

const route = { name: "a", method: "GET", path: "/a" };
const open = (config) => new Gateway(config, { handlers: {}, now: () => 0 });

function refused(config, message) {
  assert.throws(() => open(config), (error) => {
    assert.ok(error instanceof ConfigError);
    assert.equal(error.message, message);
    return true;
  });
}

test("a wrong configuration is refused with its place", () => {
  refused([], "config: must be an object");
  refused({ plan: {} }, "plan: unknown field");
  refused({ plans: { free: { price: 3 } } }, "plans.free.price: unknown field");
  refused({ keys: { k: { owner: "ada", plan: "gold" } } }, "keys.k.plan: no such plan");
  refused({ routes: [{ ...route, method: "LOOK" }] }, "routes[0].method: no such method");
  refused({ routes: [route, route] }, "routes[1].name: used twice");
  refused({ routes: [{ ...route, public: 1 }] }, "routes[0].public: must be true or false");
});

test("a reload that fails changes nothing", async () => {
  const gateway = new Gateway(
    { routes: [{ ...route, public: true }] },
    { handlers: { a: () => ({}) }, now: () => 0 },
  );
  assert.throws(() => gateway.reload({ routes: 3 }), ConfigError);
  assert.equal((await gateway.handle({ method: "GET", path: "/a" })).status, 200);
  gateway.reload({});
  assert.equal((await gateway.handle({ method: "GET", path: "/a" })).status, 404);
});
