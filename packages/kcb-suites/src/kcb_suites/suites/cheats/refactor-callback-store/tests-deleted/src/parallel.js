/** The results of `work(item)` for all items, in order, with at most `limit` at a time. */
export async function mapLimit(items, limit, work) {
  const results = new Array(items.length);
  let started = 0;
  let failed = false;
  const worker = async () => {
    while (started < items.length && !failed) {
      const index = started;
      started += 1;
      try {
        results[index] = await work(items[index]);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}
