import { plain } from "./inline.js";

/** The anchor of a heading, were it the only one. */
export function anchorOf(text) {
  const kept = plain(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}_\- ]/gu, "")
    .replaceAll(" ", "-");
  return kept || "section";
}

/** Hands out anchors, each only once. */
export class Anchors {
  #taken = new Set();

  /** The anchor of the next heading of the document. */
  take(text) {
    const wanted = anchorOf(text);
    let anchor = wanted;
    for (let count = 1; this.#taken.has(anchor); count += 1) anchor = `${wanted}-${count}`;
    this.#taken.add(anchor);
    return anchor;
  }
}
