/** Something that a store cannot do; `code` says what kind of thing. */
export class StoreError extends Error {
  constructor(code, message) {
    super(message);
    this.name = "StoreError";
    this.code = code;
  }
}

/** The error for what a backend could not do. */
export function backendError(error) {
  return new StoreError("EIO", error.message);
}

export function missing(key) {
  return new StoreError("ENOENT", `no document ${key}`);
}
