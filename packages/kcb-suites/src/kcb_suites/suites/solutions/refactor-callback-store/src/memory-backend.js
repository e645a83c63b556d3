/** Keeps files in a map: for tests, and for stores that need not last. */
export class MemoryBackend {
  files = new Map();

  async read(name) {
    if (!this.files.has(name)) throw notThere(name);
    return this.files.get(name);
  }

  async write(name, text) {
    this.files.set(name, text);
  }

  async append(name, text) {
    this.files.set(name, (this.files.get(name) ?? "") + text);
  }

  async remove(name) {
    if (!this.files.delete(name)) throw notThere(name);
  }
}

function notThere(name) {
  return Object.assign(new Error(`no file ${name}`), { code: "ENOENT" });
}
