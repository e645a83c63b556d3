/** Does one task after the other. */
export class WorkQueue {
  #last = Promise.resolve();
  #size = 0;

  /** How many tasks have not ended. */
  get size() {
    return this.#size;
  }

  /** Do `task()`, which may be asynchronous, after all tasks before it; its outcome. */
  async push(task) {
    this.#size += 1;
    const before = this.#last;
    let release;
    this.#last = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    try {
      return await task();
    } finally {
      this.#size -= 1;
      release();
    }
  }
}
