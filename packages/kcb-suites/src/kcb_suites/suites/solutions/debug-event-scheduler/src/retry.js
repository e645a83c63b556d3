/** What is to be tried again of one occurrence, and how often it was tried. */
export class Retries {
  #plan;
  #failures = 0;

  constructor(plan) {
    this.#plan = plan;
  }

  /** The number of the next attempt: 1, and one more after each failure. */
  get attempt() {
    return this.#failures + 1;
  }

  /** Count a failure; gives how long to wait before the next attempt, or null if that was all. */
  fail() {
    this.#failures += 1;
    const { times = 0, delay = 0, factor = 1, most = Infinity } = this.#plan ?? {};
    if (this.#failures > times) return null;
    return Math.min(delay * factor ** (this.#failures - 1), most);
  }
}
