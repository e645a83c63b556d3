/**
 * The tokens of one caller under one limit.
 * It counts in units, of which a token has `perSeconds * 1000`, so that each millisecond gives back
 * `requests` of them and nothing is ever rounded.
 */
export class Bucket {
  #at;
  #units;
  #perToken;
  #full;

  /** A full bucket; `scope` is the name of its limit, `at` the time in milliseconds. */
  constructor(name, scope, limit, at) {
    this.name = name;
    this.scope = scope;
    this.limit = limit;
    this.#at = at;
    this.#perToken = limit.perSeconds * 1000;
    this.#full = limit.burst * this.#perToken;
    this.#units = this.#full;
  }

  /** Add what came back until `at`. */
  refill(at) {
    if (at <= this.#at) return;
    this.#units = Math.min(this.#full, this.#units + (at - this.#at) * this.limit.requests);
    this.#at = at;
  }

  /** Take tokens, or give them back where `count` is negative, as far as the bucket can hold them. */
  take(count) {
    this.#units = Math.min(this.#full, this.#units - count * this.#perToken);
  }

  holds(count) {
    return this.#units >= count * this.#perToken;
  }

  get isFull() {
    return this.#units === this.#full;
  }

  /** The whole tokens in it. */
  get remaining() {
    return Math.floor(this.#units / this.#perToken);
  }

  /** Milliseconds until it holds `count` tokens; by default until it is full. */
  wait(count = this.limit.burst) {
    return Math.max(0, count * this.#perToken - this.#units) / this.limit.requests;
  }
}
