import * as commands from "./commands.js";
import { Document } from "./document.js";
import { Emitter } from "./emitter.js";
import { History, sameState } from "./history.js";
import { parse, serialize } from "./markup.js";
import { clamp, position } from "./position.js";
import { Selection } from "./selection.js";

/** The labels of steps; also the commands that make steps. */
const LABELS = {
  typeText: "Typing",
  backspace: "Delete",
  deleteForward: "Delete",
  removeSelected: "Cut",
  enter: "New block",
  setType: "Format",
  moveBlocks: "Move",
  paste: "Paste",
  replaceAll: "Replace",
};

/** The commands whose steps can grow. */
const GROWING = new Set(["typeText", "backspace", "deleteForward"]);

/** A document, a selection in it, and the commands of a user. */
export class Editor {
  #document;
  #selection;
  #emitter = new Emitter();
  #history;
  #now;
  /** How many groups are running, one in the other. */
  #groups = 0;

  constructor({ text = "", historyLimit = 100, groupPause = 1000, now = Date.now } = {}) {
    this.#history = new History(historyLimit, groupPause);
    this.#now = now;
    this.#document = new Document(parse(text));
    this.#selection = new Selection(position(0, 0));
  }

  /** The document; the same object as long as the editor lives. */
  get document() {
    return this.#document;
  }

  get selection() {
    return this.#selection;
  }

  /** The document as marked up text. */
  get text() {
    return serialize(this.#document.blocks);
  }

  get canUndo() {
    return this.#history.facts.canUndo;
  }

  get canRedo() {
    return this.#history.facts.canRedo;
  }

  get undoLabel() {
    return this.#history.facts.undoLabel;
  }

  get redoLabel() {
    return this.#history.facts.redoLabel;
  }

  /** True unless the document is at the place of the history where it was saved last. */
  get isModified() {
    return this.#history.facts.isModified;
  }

  /** Events are `change`, `selection` and `history`; returns a function that stops listening. */
  on(name, listener) {
    return this.#emitter.on(name, listener);
  }

  /** Replaces the whole document, which counts as saved and has no history. */
  load(text) {
    this.#outside("load");
    this.#tell("command", () => {
      this.#document.reset(parse(text));
      this.#selection = new Selection(position(0, 0));
      this.#history.clear();
      this.#history.markSaved();
    });
  }

  /** Undoes one step; false if there is none. */
  undo() {
    this.#outside("undo");
    return this.#tell("undo", () => this.#goTo(this.#history.undo()));
  }

  /** Redoes one step; false if there is none. */
  redo() {
    this.#outside("redo");
    return this.#tell("redo", () => this.#goTo(this.#history.redo()));
  }

  /** Makes one step of all that `callback` does, or nothing if it throws. */
  group(label, callback) {
    return this.#tell("command", () => {
      const before = this.#moment();
      const result = this.#insideGroup(callback, before);
      if (this.#groups === 0 && !sameState(before.state, this.#document.blocks)) {
        this.#history.record(label, before, this.#moment());
      }
      return result;
    });
  }

  /** The next change starts a new step. */
  breakGroup() {
    this.#history.close();
  }

  markSaved() {
    this.#outside("markSaved");
    this.#tell("command", () => this.#history.markSaved());
  }

  /** Forgets all steps; the document stays. */
  clearHistory() {
    this.#outside("clearHistory");
    this.#tell("command", () => this.#history.clear());
  }

  select(anchor, focus = anchor) {
    this.#tell("command", () => {
      const old = this.#selection;
      this.#selection = new Selection(clamp(this.#document, anchor), clamp(this.#document, focus));
      if (!this.#selection.equals(old)) this.#history.close();
    });
  }

  selectAll() {
    this.select(position(0, 0), position(this.#document.length, 0));
  }

  typeText(text) {
    this.#run("typeText", text);
  }

  backspace() {
    this.#run("backspace");
  }

  deleteForward() {
    this.#run("deleteForward");
  }

  enter() {
    this.#run("enter");
  }

  setType(type) {
    this.#run("setType", type);
  }

  moveUp() {
    this.#run("moveBlocks", -1);
  }

  moveDown() {
    this.#run("moveBlocks", 1);
  }

  /** The selected text, with a line break between blocks. */
  copy() {
    const { start, end } = this.#selection;
    const lines = [];
    for (let block = start.block; block <= end.block; block += 1) {
      const to = block === end.block ? end.offset : undefined;
      lines.push(this.#document.text(block).slice(block === start.block ? start.offset : 0, to));
    }
    return lines.join("\n");
  }

  cut() {
    const text = this.copy();
    this.#run("removeSelected");
    return text;
  }

  paste(text) {
    this.#run("paste", text);
  }

  replaceAll(find, by) {
    if (find === "") throw new RangeError("nothing to find");
    if (/[\r\n]/.test(by)) throw new RangeError("a replacement has no line breaks");
    this.#run("replaceAll", find, by);
  }

  /** Runs one command, which may make a step. */
  #run(name, ...values) {
    this.#tell("command", () => {
      const before = this.#moment();
      const { version, length } = this.#document;
      this.#selection = commands[name](this.#document, this.#selection, ...values);
      const touched = this.#document.version !== version;
      if (!touched && this.#selection.equals(before.selection)) return;
      if (this.#groups > 0) return;
      const time = touched ? this.#now() : 0;
      if (sameState(before.state, this.#document.blocks)) {
        this.#history.close();
        return;
      }
      const joins = name !== "typeText" && this.#document.length < length;
      const open = GROWING.has(name) ? { command: name, time, text: values[0], joins } : null;
      this.#history.record(LABELS[name], before, this.#moment(), open);
    });
  }

  #moment() {
    return { state: this.#document.blocks, selection: this.#selection };
  }

  #goTo(moment) {
    if (moment === null) return false;
    this.#document.restore(moment.state);
    this.#selection = moment.selection;
    return true;
  }

  #outside(name) {
    if (this.#groups > 0) throw new Error(`${name} is not possible inside a group`);
  }

  /** Calls `callback`; if it fails, all is as it was at the moment `before`. */
  #insideGroup(callback, before) {
    this.#groups += 1;
    try {
      const result = callback();
      if (typeof result?.then === "function") throw new TypeError("a group is not asynchronous");
      return result;
    } catch (error) {
      this.#goTo(before);
      throw error;
    } finally {
      this.#groups -= 1;
      this.#history.close();
    }
  }

  /** Does something, then tells the listeners what is another than before; in a group, later. */
  #tell(source, action) {
    if (this.#groups > 0) return action();
    const { version } = this.#document;
    const before = this.#moment();
    const facts = this.#history.facts;
    const result = action();
    const now = this.#history.facts;
    const moved = !this.#selection.equals(before.selection);
    const changed =
      version !== this.#document.version && !sameState(before.state, this.#document.blocks);
    if (changed) this.#emitter.emit("change", { source });
    if (moved) this.#emitter.emit("selection", {});
    if (Object.keys(now).some((key) => now[key] !== facts[key])) this.#emitter.emit("history", now);
    return result;
  }
}
