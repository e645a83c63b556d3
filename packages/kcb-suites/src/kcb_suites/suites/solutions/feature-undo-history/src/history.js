/** The steps of an editor. A moment is `{ state, selection }`: the blocks, and what is selected. */
export class History {
  #undo = [];
  #redo = [];
  #limit;
  #pause;
  /** What may still be added to the last step: `{ command, time, text }`, or null. */
  #open = null;
  /** Every state on the way of the history has a place; only identity counts. */
  #place = {};
  #saved = this.#place;

  constructor(limit, pause) {
    if (!Number.isInteger(limit) || limit < 0) throw new RangeError("historyLimit is a whole number");
    if (typeof pause !== "number" || !(pause >= 0)) throw new RangeError("groupPause is a number");
    this.#limit = limit;
    this.#pause = pause;
  }

  /** What the history says of itself to the outside. */
  get facts() {
    return {
      canUndo: this.#undo.length > 0,
      canRedo: this.#redo.length > 0,
      undoLabel: this.#undo.at(-1)?.label ?? null,
      redoLabel: this.#redo.at(-1)?.label ?? null,
      isModified: this.#place !== this.#saved,
    };
  }

  close() {
    this.#open = null;
  }

  markSaved() {
    this.close();
    this.#saved = this.#place;
  }

  clear() {
    this.close();
    this.#undo = [];
    this.#redo = [];
  }

  /**
   * Adds a change to the last step, or makes a step of it. `open` is what may be added to the step:
   * null for nothing, or `{ command, time, text, joins }` of the change.
   */
  record(label, before, after, open = null) {
    const from = this.#place;
    this.#place = {};
    this.#redo = [];
    if (open !== null && this.#grows(open, before)) {
      Object.assign(this.#undo.at(-1), { after, to: this.#place });
    } else {
      this.#undo.push({ label, before, after, from, to: this.#place });
      if (this.#undo.length > this.#limit) this.#undo.shift();
    }
    this.#open = open === null || open.joins ? null : open;
  }

  /** The moment before the last step, which from now on can be redone; null if there is none. */
  undo() {
    this.close();
    const step = this.#undo.pop();
    if (!step) return null;
    this.#redo.push(step);
    this.#place = step.from;
    return step.before;
  }

  redo() {
    this.close();
    const step = this.#redo.pop();
    if (!step) return null;
    this.#undo.push(step);
    this.#place = step.to;
    return step.after;
  }

  #grows({ command, time, text, joins }, before) {
    const last = this.#open;
    if (last === null || this.#undo.length === 0 || last.command !== command || joins) return false;
    if (!before.selection.collapsed || time - last.time > this.#pause) return false;
    return command !== "typeText" || !/\s$/.test(last.text) || /^\s/.test(text);
  }
}

/** True if both states have the same blocks in the same order. */
export function sameState(one, other) {
  return (
    one.length === other.length &&
    one.every(({ id, type, text }, number) => {
      const block = other[number];
      return id === block.id && type === block.type && text === block.text;
    })
  );
}
