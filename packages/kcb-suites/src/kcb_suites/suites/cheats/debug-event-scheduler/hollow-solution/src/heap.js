export class Heap {
  size = 0;
  add() {}
  remove() {}
  first() {}
}
