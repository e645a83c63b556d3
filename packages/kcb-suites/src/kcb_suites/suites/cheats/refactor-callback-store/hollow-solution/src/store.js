import { checkDoc, checkKey } from "./checks.js";

export class Store {
  #documents = new Map();

  watch() {
    return () => {};
  }

  async get(key) {
    checkKey(key);
    return this.#documents.get(key);
  }

  async put(key, doc) {
    checkKey(key);
    checkDoc(doc);
    this.#documents.set(key, doc);
    return { revision: 1 };
  }

  async remove(key) {
    checkKey(key);
    this.#documents.delete(key);
    return { revision: 1 };
  }

  async update(key, change) {
    return this.put(key, await change(this.#documents.get(key)));
  }

  async batch(operations) {
    return operations.map(() => 1);
  }

  async query() {
    return [];
  }

  async attach() {
    return { revision: 1 };
  }

  async attachments() {
    return {};
  }

  async compact() {
    return this.#documents.size;
  }

  async close() {}
}
