import { Heap } from "./heap.js";

/**
 * The next occurrences of some entries: `{ name, at }`.
 * `next(event, after)` gives the occurrence of an event after another one, or null.
 */
export function outlook(entries, compare, next, count) {
  const heap = new Heap(compare);
  for (const entry of entries) heap.add({ ...entry });
  const found = [];
  while (found.length < count && heap.size > 0) {
    const entry = heap.first();
    heap.remove(entry);
    found.push({ name: entry.event.name, at: entry.time });
    const time = next(entry.event, entry.time);
    if (time !== null) heap.add({ ...entry, time });
  }
  return found;
}
