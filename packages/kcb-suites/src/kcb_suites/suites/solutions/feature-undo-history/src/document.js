import { position } from "./position.js";

export const TYPES = Object.freeze(["paragraph", "heading", "item"]);

/**
 * Blocks of text, at least one. Each has an id that no other block of this document has or had.
 * Only the methods change it, and each of them raises `version` if it did something.
 */
export class Document {
  #blocks;
  #lastId = 0;
  #version = 0;

  /** `blocks` are `{ type, text }`. */
  constructor(blocks = []) {
    this.#blocks = [];
    this.reset(blocks);
  }

  get version() {
    return this.#version;
  }

  get length() {
    return this.#blocks.length;
  }

  /** Copies of the blocks: `{ id, type, text }`. */
  get blocks() {
    return this.#blocks.map((block) => ({ ...block }));
  }

  text(number) {
    return this.#blocks[number].text;
  }

  type(number) {
    return this.#blocks[number].type;
  }

  /** Other contents, with new ids. */
  reset(blocks) {
    const list = blocks.length ? blocks : [{ type: "paragraph", text: "" }];
    this.#blocks = list.map(({ type, text }) => ({ id: this.#newId(), type, text }));
    this.#version += 1;
  }

  /** Goes back to `blocks` as this document had them once; ids given since stay given. */
  restore(blocks) {
    this.#blocks = blocks.map((block) => ({ ...block }));
    this.#version += 1;
  }

  /** Puts `text`, which has no line break, at a position; returns where it ends. */
  insert({ block, offset }, text) {
    if (text === "") return position(block, offset);
    const old = this.#blocks[block].text;
    this.#blocks[block].text = old.slice(0, offset) + text + old.slice(offset);
    this.#version += 1;
    return position(block, offset + text.length);
  }

  /** Takes out what is between two positions; blocks between them go, the last joins the first. */
  remove(start, end) {
    if (start.block === end.block && start.offset === end.offset) return;
    const first = this.#blocks[start.block];
    const rest = this.#blocks[end.block].text.slice(end.offset);
    first.text = first.text.slice(0, start.offset) + rest;
    this.#blocks.splice(start.block + 1, end.block - start.block);
    this.#version += 1;
  }

  /** Splits a block; the second half is a new block of `type`, by default of the same. */
  split({ block, offset }, type = this.#blocks[block].type) {
    const first = this.#blocks[block];
    const second = { id: this.#newId(), type, text: first.text.slice(offset) };
    first.text = first.text.slice(0, offset);
    this.#blocks.splice(block + 1, 0, second);
    this.#version += 1;
    return position(block + 1, 0);
  }

  setType(number, type) {
    if (!TYPES.includes(type)) throw new RangeError(`no such type: ${type}`);
    if (this.#blocks[number].type === type) return;
    this.#blocks[number].type = type;
    this.#version += 1;
  }

  /** Moves the blocks `first` to `last` by one: up for -1, down for 1. */
  move(first, last, by) {
    if (by < 0 ? first === 0 : last === this.#blocks.length - 1) return false;
    const from = by < 0 ? first - 1 : last + 1;
    const [passed] = this.#blocks.splice(from, 1);
    this.#blocks.splice(by < 0 ? last : first, 0, passed);
    this.#version += 1;
    return true;
  }

  #newId() {
    this.#lastId += 1;
    return this.#lastId;
  }
}
