const PROTECTED = /\\([!-/:-@[-`{-~])|(?<!`)(`+)(?!`)(.*?[^`])\2(?!`)/g;
const IMAGE = /!\[([^\]]*)\]\([^)]*\)/g;
const IMAGES_AND_SPACES = / *(?:!\[[^\]]*\]\([^)]*\) *)+/g;
const LINK = /\[([^\]]*)\]\([^)]*\)/g;
const TAG = /<\/?[a-zA-Z][^>]*>/g;

/** Apply `change` to a text whose escapes and code spans it cannot see; they come back as `show` says. */
function protect(text, show, change) {
  const kept = [];
  const hidden = text.replace(PROTECTED, (whole, escaped, _, code) => {
    kept.push(show(whole, escaped ?? code));
    return `\u0000${kept.length - 1}\u0000`;
  });
  return change(hidden).replace(/\u0000(\d+)\u0000/g, (_, index) => kept[Number(index)]);
}

/** The text of a heading as an entry of the table shows it. */
export function label(text) {
  const asWritten = (whole) => whole;
  return protect(text, asWritten, (part) =>
    part
      .replace(IMAGES_AND_SPACES, (found) => (found.replace(IMAGE, "") ? " " : ""))
      .replace(LINK, "$1")
      .replace(/[[\]]/g, "\\$&")
      .trim(),
  );
}

/** The words of a heading, without any markup. */
export function plain(text) {
  const bare = (_, inside) => inside;
  return protect(text, bare, (part) =>
    part
      .replace(IMAGE, "$1")
      .replace(LINK, "$1")
      .replace(TAG, "")
      .replaceAll("*", "")
      .replace(/(?<![\p{L}\p{N}_])_+(?=[\p{L}\p{N}\u0000])/gu, "")
      .replace(/(?<=[\p{L}\p{N}\u0000])_+(?![\p{L}\p{N}_])/gu, ""),
  );
}
