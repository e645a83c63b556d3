import { Journal } from "./journal.js";
import { Pantry } from "./pantry.js";
import { Store } from "./store.js";

/** Open the store that a backend holds. */
export function open(backend, options, callback) {
  const journal = new Journal(backend);
  journal.load((error, loaded) => {
    if (error) return callback(error);
    const pantry = new Pantry(options.indexes);
    for (const [key, entry] of loaded.documents) pantry.set(key, entry);
    for (const change of loaded.changes) pantry.apply(change);
    callback(null, new Store(backend, journal, pantry, options));
  });
}
