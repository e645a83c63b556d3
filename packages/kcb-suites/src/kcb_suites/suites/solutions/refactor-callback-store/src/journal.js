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
  async load() {
    const snapshot = parseSnapshot(await this.#readOrEmpty("snapshot"));
    const text = await this.#readOrEmpty("journal");
    const records = parseLines(text);
    await this.#mend(text, records);
    const fresh = records.filter(({ sequence }) => sequence > snapshot.sequence);
    this.length = records.length;
    this.#sequence = fresh.at(-1)?.sequence ?? snapshot.sequence;
    return { documents: snapshot.documents, changes: fresh.flatMap(({ changes }) => changes) };
  }

  /** Write one record. */
  async append(changes) {
    const sequence = this.#sequence + 1;
    const line = JSON.stringify({ sequence, changes });
    await this.#ask((backend) => backend.append("journal", `${line}\n`));
    this.#sequence = sequence;
    this.length += 1;
  }

  /** Write a snapshot, and begin a new journal. */
  async compact(documents) {
    const text = JSON.stringify({ sequence: this.#sequence, documents });
    await this.#ask((backend) => backend.write("snapshot", text));
    await this.#ask((backend) => backend.remove("journal"), { unlessMissing: null });
    this.length = 0;
  }

  /** Write the journal again if its last line is not complete, so that the next one can follow. */
  async #mend(text, records) {
    const whole = records.map((record) => `${JSON.stringify(record)}\n`).join("");
    if (text !== whole) await this.#ask((backend) => backend.write("journal", whole));
  }

  #readOrEmpty(name) {
    return this.#ask((backend) => backend.read(name), { unlessMissing: "" });
  }

  /** What the backend does, its errors made ours; a file that is not there may be no trouble. */
  async #ask(work, { unlessMissing } = {}) {
    try {
      return await work(this.#backend);
    } catch (error) {
      if (error.code === "ENOENT" && unlessMissing !== undefined) return unlessMissing;
      throw backendError(error);
    }
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
