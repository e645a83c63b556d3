import { HttpError } from "./errors.js";

/** Knows the keys of callers. */
export class Keyring {
  #keys;

  constructor(keys) {
    this.#keys = keys;
  }

  /** Whose key a request carries: `{ owner, plan, unlimited }`. Throws HttpError 401. */
  identify(headers) {
    const key = headers["x-api-key"];
    const identity = key === undefined ? undefined : this.#keys.get(key);
    if (!identity) throw new HttpError(401, "unauthorized", "a valid x-api-key is needed");
    return identity;
  }
}
