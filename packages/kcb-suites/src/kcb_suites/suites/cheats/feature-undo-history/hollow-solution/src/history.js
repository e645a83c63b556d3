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
    return { canUndo: false, canRedo: false, undoLabel: null, redoLabel: null, isModified: false };
  }

  close() {}

  markSaved() {}

  clear() {}

  record() {}

  undo() {
    return null;
  }

  redo() {
    return null;
  }
}

export function sameState() {
  return true;
}
