export class Notes {
  on() {}
  add() {}
  history() {
    return [];
  }
}
