import assert from "node:assert/strict";
import { test } from "node:test";
import { Gateway } from "../src/index.js";

const CONFIG = {
  plans: { free: {} },
  keys: { "k-1": { owner: "ada", plan: "free" } },
  routes: [
    { name: "orders.show", method: "GET", path: "/orders/:id" },
    { name: "orders.drop", method: "DELETE", path: "/orders/:id" },
    { name: "health", method: "GET", path: "/health", public: true },
  ],
};
const HANDLERS = {
  "orders.show": ({ params, owner }) => ({ body: { id: params.id, owner } }),
  "orders.drop": () => {
    throw new Error("the database is away");
  },
  health: async () => ({ status: 204, headers: { "x-up": "yes" } }),
};
const headers = { "x-api-key": "k-1" };

function open(config = CONFIG) {
  return new Gateway(config, { handlers: HANDLERS, now: () => Date.UTC(2026, 2, 1, 9) });
}

test("a request with a key reaches its handler", async () => {
  const response = await open().handle({ method: "GET", path: "/orders/7", headers });
  assert.deepEqual(response, { status: 200, headers: {}, body: { id: "7", owner: "ada" } });
});

test("a public route needs no key", async () => {
  const response = await open().handle({ method: "GET", path: "/health" });
  assert.deepEqual(response, { status: 204, headers: { "x-up": "yes" }, body: undefined });
});

test("what goes wrong has a status and a code", async () => {
  const gateway = open();
  const answer = async (request) => {
    const { status, body } = await gateway.handle(request);
    return [status, body.error];
  };
  assert.deepEqual(await answer({ method: "GET", path: "/nowhere" }), [404, "not_found"]);
  assert.deepEqual(await answer({ method: "GET", path: "/orders/7" }), [401, "unauthorized"]);
  assert.deepEqual(await answer({ method: "DELETE", path: "/orders/7", headers }), [
    500,
    "internal",
  ]);
  const refused = await gateway.handle({ method: "POST", path: "/orders/7", headers });
  assert.equal(refused.status, 405);
  assert.deepEqual(refused.headers, { allow: "DELETE, GET" });
});

test("requests are logged and counted", async () => {
  const gateway = open();
  await gateway.handle({ method: "GET", path: "/orders/7", headers });
  await gateway.handle({ method: "GET", path: "/nowhere" });
  assert.deepEqual(gateway.log, [
    "2026-03-01T09:00:00.000Z ada orders.show 200",
    "2026-03-01T09:00:00.000Z - - 404",
  ]);
  assert.equal(gateway.stats().requests, 2);
  assert.deepEqual(gateway.stats().routes, { "orders.show": { 200: 1 } });
});
