import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryBackend, StoreError, open } from "../src/index.js";

test("documents are kept, and come back after opening again", async () => {
  const backend = new MemoryBackend();
  const store = await open(backend);
  assert.deepEqual(await store.put("jam", { jars: 3 }), { revision: 1 });
  assert.deepEqual(await store.put("jam", { jars: 2 }, { ifRevision: 1 }), { revision: 2 });
  await store.close();
  const again = await open(backend, {});
  assert.deepEqual(await again.get("jam"), { jars: 2 });
});

test("calls take effect in their order", async () => {
  const store = await open(new MemoryBackend(), {});
  const results = await Promise.all([
    store.put("jam", { jars: 1 }),
    store.update("jam", async (doc) => ({ jars: doc.jars + 1 })),
    store.get("jam"),
    store.remove("jam"),
  ]);
  assert.deepEqual(results, [{ revision: 1 }, { revision: 2 }, { jars: 2 }, { revision: 2 }]);
});

test("errors reject, also those of arguments", async () => {
  const store = await open(new MemoryBackend(), {});
  await assert.rejects(store.get("jam"), (error) => {
    assert.ok(error instanceof StoreError);
    assert.equal(error.code, "ENOENT");
    return true;
  });
  await assert.rejects(store.put("", {}), TypeError);
  await assert.rejects(store.put("jam", {}, { ifRevision: 4 }), { code: "ECONFLICT" });
  await store.close();
  await assert.rejects(store.close(), { code: "ECLOSED" });
});

test("queries, batches and attachments", async () => {
  const store = await open(new MemoryBackend(), { indexes: ["kind"] });
  const operations = [
    { put: "jam", doc: { kind: "sweet", jars: 3 } },
    { put: "gherkins", doc: { kind: "sour", jars: 5 } },
    { put: "honey", doc: { kind: "sweet", jars: 1 } },
  ];
  assert.deepEqual(await store.batch(operations), [1, 1, 1]);
  const rows = await store.query({ kind: "sweet" }, { sort: "jars" });
  assert.deepEqual(rows.map(({ key }) => key), ["honey", "jam"]);
  await store.attach("jam", "label", "Plum 2025");
  assert.deepEqual(await store.attachments("jam"), { label: "Plum 2025" });
});
