import { Journal } from "./journal.js";
import { Pantry } from "./pantry.js";
import { Store } from "./store.js";

/** Open the store that a backend holds. */
export async function open(backend, options = {}) {
  const journal = new Journal(backend);
  const loaded = await journal.load();
  const pantry = new Pantry(options.indexes);
  for (const [key, entry] of loaded.documents) pantry.set(key, entry);
  for (const change of loaded.changes) pantry.apply(change);
  return new Store(backend, journal, pantry, options);
}
