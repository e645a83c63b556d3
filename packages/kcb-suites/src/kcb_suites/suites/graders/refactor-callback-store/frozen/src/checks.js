/** Refuse what is no key. */
export function checkKey(key) {
  if (typeof key !== "string" || key === "") throw new TypeError("a key must be a text");
}

/** Refuse what is no name of an attachment. */
export function checkName(name) {
  if (typeof name !== "string" || name === "") throw new TypeError("a name must be a text");
}

/** Refuse what is no document. */
export function checkDoc(doc) {
  if (typeof doc !== "object" || doc === null || Array.isArray(doc)) {
    throw new TypeError("a document must be an object");
  }
}

/** Refuse what is no operation of a batch. */
export function checkOperation(operation) {
  if ("put" in operation) {
    checkKey(operation.put);
    checkDoc(operation.doc);
  } else {
    checkKey(operation.remove);
  }
}
