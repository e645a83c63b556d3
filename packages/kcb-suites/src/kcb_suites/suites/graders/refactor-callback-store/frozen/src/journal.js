import { StoreError, backendError } from "./errors.js";

/** The records of a store on its backend: a snapshot, and a journal of what came after it. */
export class Journal {
  /** How many records the journal holds. */
  length = 0;
  #backend;
  #sequence = 0;

  constructor(backend) {
    this.#backend = backend;
  }

  /** Read everything; gives `{ documents, changes }`, lists of what the snapshot and journal hold. */
  load(callback) {
    this.#readOrEmpty("snapshot", (error, text) => {
      if (error) return callback(error);
      let snapshot;
      try {
        snapshot = parseSnapshot(text);
      } catch (error) {
        return callback(error);
      }
      this.#readOrEmpty("journal", (error, text) => {
        if (error) return callback(error);
        let records;
        try {
          records = parseLines(text);
        } catch (error) {
          return callback(error);
        }
        this.#mend(text, records, (error) => {
          if (error) return callback(error);
          const fresh = records.filter(({ sequence }) => sequence > snapshot.sequence);
          this.length = records.length;
          this.#sequence = fresh.at(-1)?.sequence ?? snapshot.sequence;
          const changes = fresh.flatMap((record) => record.changes);
          callback(null, { documents: snapshot.documents, changes });
        });
      });
    });
  }

  /** Write one record. */
  append(changes, callback) {
    const sequence = this.#sequence + 1;
    const line = JSON.stringify({ sequence, changes });
    this.#backend.append("journal", `${line}\n`, (error) => {
      if (error) return callback(backendError(error));
      this.#sequence = sequence;
      this.length += 1;
      callback(null);
    });
  }

  /** Write a snapshot, and begin a new journal. */
  compact(documents, callback) {
    const text = JSON.stringify({ sequence: this.#sequence, documents });
    this.#backend.write("snapshot", text, (error) => {
      if (error) return callback(backendError(error));
      this.#backend.remove("journal", (error) => {
        if (error && error.code !== "ENOENT") return callback(backendError(error));
        this.length = 0;
        callback(null);
      });
    });
  }

  /** Write the journal again if its last line is not complete, so that the next one can follow. */
  #mend(text, records, callback) {
    const whole = records.map((record) => `${JSON.stringify(record)}\n`).join("");
    if (text === whole) {
      return callback(null);
    }
    this.#backend.write("journal", whole, (error) => {
      if (error) return callback(backendError(error));
      callback(null);
    });
  }

  #readOrEmpty(name, callback) {
    this.#backend.read(name, (error, text) => {
      if (error && error.code === "ENOENT") return callback(null, "");
      if (error) return callback(backendError(error));
      callback(null, text);
    });
  }
}

function parseSnapshot(text) {
  if (text === "") return { sequence: 0, documents: [] };
  try {
    return JSON.parse(text);
  } catch {
    throw new StoreError("ECORRUPT", "the snapshot is damaged");
  }
}

function parseLines(text) {
  const lines = text.split("\n").filter((line) => line !== "");
  const records = [];
  for (const [index, line] of lines.entries()) {
    try {
      records.push(JSON.parse(line));
    } catch {
      if (index === lines.length - 1) break;
      throw new StoreError("ECORRUPT", `journal line ${index + 1} is damaged`);
    }
  }
  return records;
}
