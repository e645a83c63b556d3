import { once } from "./flow.js";

/** Does one task after the other. */
export class WorkQueue {
  #waiting = [];
  #busy = false;

  /** How many tasks have not ended. */
  get size() {
    return this.#waiting.length + (this.#busy ? 1 : 0);
  }

  /** Do `task(callback)` after all tasks before it; its outcome goes to `callback`. */
  push(task, callback) {
    this.#waiting.push({ task, callback });
    this.#run();
  }

  #run() {
    if (this.#busy || this.#waiting.length === 0) return;
    this.#busy = true;
    const { task, callback } = this.#waiting.shift();
    const done = once((error, result) => {
      this.#busy = false;
      process.nextTick(() => this.#run());
      callback(error, result);
    });
    try {
      task(done);
    } catch (error) {
      done(error);
    }
  }
}
