/** A text is no version, or a version cannot be made. */
export class VersionError extends Error {
  constructor(message) {
    super(message);
    this.name = "VersionError";
  }
}

/** A text is no range. */
export class RangeSyntaxError extends Error {
  constructor(text) {
    super(`not a range: ${text}`);
    this.name = "RangeSyntaxError";
  }
}
