/** Tells listeners what happens, and keeps the last of it. */
export class Notes {
  #listeners = new Map();
  #kept = [];
  #keep;

  constructor(keep) {
    this.#keep = keep;
  }

  /** Call `listener` with each note of a kind; gives a function that takes it away. */
  on(kind, listener) {
    const entry = { listener, gone: false };
    this.#listeners.set(kind, [...(this.#listeners.get(kind) ?? []), entry]);
    return () => {
      entry.gone = true;
      this.#listeners.set(
        kind,
        this.#listeners.get(kind).filter((other) => other !== entry),
      );
    };
  }

  /** Keep a note, and tell it to those who listen now. */
  add(note) {
    this.#kept.push(note);
    if (this.#kept.length > this.#keep) this.#kept.shift();
    for (const entry of this.#listeners.get(note.kind) ?? []) {
      if (!entry.gone) entry.listener({ ...note });
    }
  }

  history() {
    return this.#kept.map((note) => ({ ...note }));
  }
}
