/** The documents in memory, and the indexes of them. */
export class Pantry {
  #entries = new Map(); // key -> { doc, revision, attachments }
  #indexes = new Map(); // field -> Map(value -> Set of keys)

  constructor(fields = []) {
    for (const field of fields) this.#indexes.set(field, new Map());
  }

  has(key) {
    return this.#entries.has(key);
  }

  get(key) {
    return this.#entries.get(key);
  }

  get size() {
    return this.#entries.size;
  }

  /** Everything, in the order of keys, as a snapshot holds it: `[key, entry]`. */
  all() {
    return [...this.#entries].sort(([left], [right]) => (left < right ? -1 : 1));
  }

  /** The keys that may hold documents with this value in an indexed field, or null. */
  candidates(field, value) {
    const index = this.#indexes.get(field);
    return index ? [...(index.get(value) ?? [])] : null;
  }

  /** Apply a change as the journal has it. */
  apply({ type, key, doc, revision, name }) {
    if (type === "put") this.set(key, { attachments: [], ...this.#entries.get(key), doc, revision });
    if (type === "remove") this.#drop(key);
    if (type === "attach") {
      const entry = this.#entries.get(key);
      const attachments = [...new Set([...entry.attachments, name])];
      this.set(key, { ...entry, revision, attachments });
    }
  }

  set(key, entry) {
    this.#drop(key);
    this.#entries.set(key, entry);
    for (const [field, index] of this.#indexes) {
      const value = entry.doc[field];
      if (!index.has(value)) index.set(value, new Set());
      index.get(value).add(key);
    }
  }

  #drop(key) {
    const entry = this.#entries.get(key);
    if (!entry) return;
    for (const [field, index] of this.#indexes) index.get(entry.doc[field])?.delete(key);
    this.#entries.delete(key);
  }
}
