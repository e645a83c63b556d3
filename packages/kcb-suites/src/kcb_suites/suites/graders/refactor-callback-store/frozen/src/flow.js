/** Call `worker(item, callback)` for each item, one after the other; stops at the first error. */
export function eachSeries(items, worker, callback) {
  let index = 0;
  const next = (error) => {
    if (error) return callback(error);
    if (index === items.length) return callback(null);
    const item = items[index];
    index += 1;
    worker(item, next);
  };
  next(null);
}

/** Call `worker(item, callback)` for all items, at most `limit` at a time; the results in order. */
export function mapLimit(items, limit, worker, callback) {
  const results = new Array(items.length);
  let started = 0;
  let ended = 0;
  let failed = false;
  if (items.length === 0) return callback(null, results);
  const start = () => {
    const index = started;
    started += 1;
    worker(items[index], (error, result) => {
      if (failed) return;
      if (error) {
        failed = true;
        return callback(error);
      }
      results[index] = result;
      ended += 1;
      if (ended === items.length) return callback(null, results);
      if (started < items.length) start();
    });
  };
  while (started < Math.min(limit, items.length)) start();
}

/** A callback that does nothing when it is called again. */
export function once(callback) {
  let called = false;
  return (...args) => {
    if (called) return;
    called = true;
    callback(...args);
  };
}
