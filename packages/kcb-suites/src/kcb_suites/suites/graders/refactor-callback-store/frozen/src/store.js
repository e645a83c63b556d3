import { checkDoc, checkKey, checkName, checkOperation } from "./checks.js";
import { StoreError, backendError, missing } from "./errors.js";
import { eachSeries, mapLimit, once } from "./flow.js";
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

  get(key, callback) {
    checkKey(key);
    this.#enqueue((done) => {
      const entry = this.#pantry.get(key);
      if (!entry) return done(missing(key));
      done(null, structuredClone(entry.doc));
    }, callback);
  }

  put(key, doc, options, callback) {
    checkKey(key);
    checkDoc(doc);
    const copy = structuredClone(doc);
    this.#enqueue((done) => {
      const revision = this.#revision(key);
      if (options.ifRevision !== undefined && options.ifRevision !== revision) {
        return done(new StoreError("ECONFLICT", `${key} is at revision ${revision}`));
      }
      this.#put(key, copy, done);
    }, callback);
  }

  remove(key, callback) {
    checkKey(key);
    this.#enqueue((done) => {
      const entry = this.#pantry.get(key);
      if (!entry) return done(missing(key));
      const { revision } = entry;
      this.#commit([{ type: "remove", key, revision }], (error) => {
        if (error) return done(error);
        this.#removeFiles(key, entry.attachments, () => {
          this.#autoCompact(() => {
            done(null, { revision });
          });
        });
      });
    }, callback);
  }

  update(key, change, callback) {
    checkKey(key);
    this.#enqueue((done) => {
      const entry = this.#pantry.get(key);
      if (!entry) return done(missing(key));
      const changed = once((error, doc) => {
        if (error) return done(error);
        if (doc === undefined) return done(null, { revision: entry.revision });
        try {
          checkDoc(doc);
        } catch (error) {
          return done(error);
        }
        this.#put(key, structuredClone(doc), done);
      });
      try {
        change(structuredClone(entry.doc), changed);
      } catch (error) {
        changed(error);
      }
    }, callback);
  }

  batch(operations, callback) {
    operations.forEach(checkOperation);
    const copies = structuredClone(operations);
    this.#enqueue((done) => {
      const revisions = new Map();
      const changes = [];
      for (const operation of copies) {
        const key = operation.put ?? operation.remove;
        const before = revisions.has(key) ? revisions.get(key) : this.#revision(key);
        if (operation.put === undefined) {
          if (before === 0) return done(missing(key));
          changes.push({ type: "remove", key, revision: before });
          revisions.set(key, 0);
        } else {
          changes.push({ type: "put", key, doc: operation.doc, revision: before + 1 });
          revisions.set(key, before + 1);
        }
      }
      if (changes.length === 0) return done(null, []);
      const dropped = changes
        .filter(({ type }) => type === "remove")
        .map(({ key }) => [key, this.#pantry.get(key)?.attachments ?? []]);
      this.#commit(changes, (error) => {
        if (error) return done(error);
        eachSeries(
          dropped,
          ([key, names], next) => {
            this.#removeFiles(key, names, next);
          },
          () => {
            this.#autoCompact(() => {
              done(null, changes.map(({ revision }) => revision));
            });
          },
        );
      });
    }, callback);
  }

  query(filter, options, callback) {
    this.#enqueue((done) => {
      done(null, select(this.#pantry, filter, options));
    }, callback);
  }

  attach(key, name, text, callback) {
    checkKey(key);
    checkName(name);
    this.#enqueue((done) => {
      const entry = this.#pantry.get(key);
      if (!entry) return done(missing(key));
      const file = fileName(key, name);
      this.#backend.write(file, String(text), (error) => {
        if (error) return done(backendError(error));
        const revision = entry.revision + 1;
        this.#commit([{ type: "attach", key, name, revision }], (error) => {
          if (error) {
            if (entry.attachments.includes(name)) return done(error);
            return this.#backend.remove(file, () => {
              done(error);
            });
          }
          this.#autoCompact(() => {
            done(null, { revision });
          });
        });
      });
    }, callback);
  }

  attachments(key, callback) {
    checkKey(key);
    this.#enqueue((done) => {
      const entry = this.#pantry.get(key);
      if (!entry) return done(missing(key));
      mapLimit(
        entry.attachments,
        READS_AT_A_TIME,
        (name, callback) => {
          this.#backend.read(fileName(key, name), (error, text) => {
            if (error) return callback(backendError(error));
            callback(null, [name, text]);
          });
        },
        (error, pairs) => {
          if (error) return done(error);
          done(null, Object.fromEntries(pairs));
        },
      );
    }, callback);
  }

  compact(callback) {
    this.#enqueue((done) => {
      this.#journal.compact(this.#pantry.all(), (error) => {
        if (error) return done(error);
        done(null, this.#pantry.size);
      });
    }, callback);
  }

  close(callback) {
    this.#enqueue((done) => {
      done(null);
    }, callback);
    this.#closed = true;
  }

  #enqueue(task, callback) {
    if (this.#closed) {
      process.nextTick(() => callback(new StoreError("ECLOSED", "the store is closed")));
      return;
    }
    this.#queue.push(task, (error, result) => {
      if (error) return callback(error);
      callback(null, result);
    });
  }

  #revision(key) {
    return this.#pantry.get(key)?.revision ?? 0;
  }

  #put(key, doc, callback) {
    const revision = this.#revision(key) + 1;
    this.#commit([{ type: "put", key, doc, revision }], (error) => {
      if (error) return callback(error);
      this.#autoCompact(() => {
        callback(null, { revision });
      });
    });
  }

  /** Write changes to the journal, then make them in memory, then tell the listeners. */
  #commit(changes, callback) {
    this.#journal.append(changes, (error) => {
      if (error) return callback(error);
      for (const change of changes) this.#pantry.apply(change);
      for (const { type, key, revision } of changes) this.#tell({ type, key, revision });
      callback(null);
    });
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

  #autoCompact(callback) {
    if (this.#journal.length < this.#compactEvery) return callback();
    this.#journal.compact(this.#pantry.all(), () => {
      callback();
    });
  }

  #removeFiles(key, names, callback) {
    eachSeries(
      names,
      (name, next) => {
        this.#backend.remove(fileName(key, name), () => {
          next(null);
        });
      },
      callback,
    );
  }
}

function fileName(key, name) {
  return `${key}.${name}.att`;
}
