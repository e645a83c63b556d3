import { checkDoc, checkKey, checkName, checkOperation } from "./checks.js";
import { StoreError, backendError, missing } from "./errors.js";
import { mapLimit } from "./parallel.js";
import { select } from "./query.js";
import { WorkQueue } from "./queue.js";

const READS_AT_A_TIME = 4;

/** Documents under keys; made by `open`. */
export class Store {
  #backend;
  #journal;
  #pantry;
  #compactEvery;
  #queue = new WorkQueue();
  #listeners = new Set();
  #closed = false;

  constructor(backend, journal, pantry, { compactEvery = Infinity }) {
    this.#backend = backend;
    this.#journal = journal;
    this.#pantry = pantry;
    this.#compactEvery = compactEvery;
  }

  watch(listener) {
    const entry = { listener };
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
    };
  }

  async get(key) {
    checkKey(key);
    return this.#enqueue(() => structuredClone(this.#entry(key).doc));
  }

  async put(key, doc, options = {}) {
    checkKey(key);
    checkDoc(doc);
    const copy = structuredClone(doc);
    return this.#enqueue(() => {
      const revision = this.#revision(key);
      if (options.ifRevision !== undefined && options.ifRevision !== revision) {
        throw new StoreError("ECONFLICT", `${key} is at revision ${revision}`);
      }
      return this.#put(key, copy);
    });
  }

  async remove(key) {
    checkKey(key);
    return this.#enqueue(async () => {
      const { revision, attachments } = this.#entry(key);
      await this.#commit([{ type: "remove", key, revision }]);
      await this.#removeFiles(key, attachments);
      await this.#autoCompact();
      return { revision };
    });
  }

  async update(key, change) {
    checkKey(key);
    return this.#enqueue(async () => {
      const { doc, revision } = this.#entry(key);
      const changed = await change(structuredClone(doc));
      if (changed === undefined) return { revision };
      checkDoc(changed);
      return this.#put(key, structuredClone(changed));
    });
  }

  async batch(operations) {
    operations.forEach(checkOperation);
    const copies = structuredClone(operations);
    return this.#enqueue(async () => {
      const changes = this.#changes(copies);
      if (changes.length === 0) return [];
      const dropped = changes
        .filter(({ type }) => type === "remove")
        .map(({ key }) => [key, this.#pantry.get(key)?.attachments ?? []]);
      await this.#commit(changes);
      for (const [key, names] of dropped) await this.#removeFiles(key, names);
      await this.#autoCompact();
      return changes.map(({ revision }) => revision);
    });
  }

  async query(filter, options = {}) {
    return this.#enqueue(() => select(this.#pantry, filter, options));
  }

  async attach(key, name, text) {
    checkKey(key);
    checkName(name);
    return this.#enqueue(async () => {
      const entry = this.#entry(key);
      const file = fileName(key, name);
      await this.#ask((backend) => backend.write(file, String(text)));
      const revision = entry.revision + 1;
      try {
        await this.#commit([{ type: "attach", key, name, revision }]);
      } catch (error) {
        if (!entry.attachments.includes(name)) await this.#removeFiles(key, [name]);
        throw error;
      }
      await this.#autoCompact();
      return { revision };
    });
  }

  async attachments(key) {
    checkKey(key);
    return this.#enqueue(async () => {
      const names = this.#entry(key).attachments;
      const read = (name) => this.#ask((backend) => backend.read(fileName(key, name)));
      const texts = await mapLimit(names, READS_AT_A_TIME, read);
      return Object.fromEntries(names.map((name, index) => [name, texts[index]]));
    });
  }

  async compact() {
    return this.#enqueue(async () => {
      await this.#journal.compact(this.#pantry.all());
      return this.#pantry.size;
    });
  }

  async close() {
    const closing = this.#enqueue(() => undefined);
    this.#closed = true;
    return closing;
  }

  async #enqueue(task) {
    if (this.#closed) throw new StoreError("ECLOSED", "the store is closed");
    return this.#queue.push(task);
  }

  #entry(key) {
    const entry = this.#pantry.get(key);
    if (!entry) throw missing(key);
    return entry;
  }

  #revision(key) {
    return this.#pantry.get(key)?.revision ?? 0;
  }

  async #put(key, doc) {
    const revision = this.#revision(key) + 1;
    await this.#commit([{ type: "put", key, doc, revision }]);
    await this.#autoCompact();
    return { revision };
  }

  /** The changes that the operations of a batch come to. */
  #changes(operations) {
    const revisions = new Map();
    return operations.map(({ put, remove, doc }) => {
      const key = put ?? remove;
      const before = revisions.get(key) ?? this.#revision(key);
      if (put === undefined && before === 0) throw missing(key);
      revisions.set(key, put === undefined ? 0 : before + 1);
      if (put === undefined) return { type: "remove", key, revision: before };
      return { type: "put", key, doc, revision: before + 1 };
    });
  }

  /** Write changes to the journal, then make them in memory, then tell the listeners. */
  async #commit(changes) {
    await this.#journal.append(changes);
    for (const change of changes) this.#pantry.apply(change);
    for (const { type, key, revision } of changes) this.#tell({ type, key, revision });
  }

  #tell(event) {
    for (const { listener } of this.#listeners) {
      try {
        listener({ ...event });
      } catch {
        // A listener's trouble is its own.
      }
    }
  }

  async #autoCompact() {
    if (this.#journal.length < this.#compactEvery) return;
    try {
      await this.#journal.compact(this.#pantry.all());
    } catch {
      // The change itself is safe; the next record tries again.
    }
  }

  async #removeFiles(key, names) {
    for (const name of names) {
      try {
        await this.#backend.remove(fileName(key, name));
      } catch {
        // A file that stays behind does no harm.
      }
    }
  }

  async #ask(work) {
    try {
      return await work(this.#backend);
    } catch (error) {
      throw backendError(error);
    }
  }
}

function fileName(key, name) {
  return `${key}.${name}.att`;
}
