/** Keeps files in a map: for tests, and for stores that need not last. */
export class MemoryBackend {
  files = new Map();

  read(name, callback) {
    setImmediate(() => {
      if (!this.files.has(name)) return callback(notThere(name));
      callback(null, this.files.get(name));
    });
  }

  write(name, text, callback) {
    setImmediate(() => {
      this.files.set(name, text);
      callback(null);
    });
  }

  append(name, text, callback) {
    setImmediate(() => {
      this.files.set(name, (this.files.get(name) ?? "") + text);
      callback(null);
    });
  }

  remove(name, callback) {
    setImmediate(() => {
      if (!this.files.delete(name)) return callback(notThere(name));
      callback(null);
    });
  }
}

function notThere(name) {
  return Object.assign(new Error(`no file ${name}`), { code: "ENOENT" });
}
