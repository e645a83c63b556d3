export function anchorOf(text) {
  return text.toLowerCase().replaceAll(" ", "-");
}

export class Anchors {
  take(text) {
    return anchorOf(text);
  }
}
