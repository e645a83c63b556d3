/** Keeps items so that the first one, by `compare`, is at hand. */
export class Heap {
  #items = [];
  #compare;

  constructor(compare) {
    this.#compare = compare;
  }

  get size() {
    return this.#items.length;
  }

  first() {
    return this.#items[0];
  }

  /** All items, in no order. */
  items() {
    return [...this.#items];
  }

  add(item) {
    this.#items.push(item);
    this.#rise(this.#items.length - 1);
  }

  /** Take an item out, wherever it is; does nothing if it is not there. */
  remove(item) {
    const index = this.#items.indexOf(item);
    if (index < 0) return;
    const last = this.#items.pop();
    if (last === item) return;
    this.#items[index] = last;
    this.#rise(index);
    this.#sink(index);
  }

  #rise(index) {
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#before(index, parent)) return;
      this.#swap(index, parent);
      index = parent;
    }
  }

  #sink(index) {
    for (;;) {
      let first = index;
      for (const child of [2 * index + 1, 2 * index + 2]) {
        if (child < this.#items.length && this.#before(child, first)) first = child;
      }
      if (first === index) return;
      this.#swap(index, first);
      index = first;
    }
  }

  #before(left, right) {
    return this.#compare(this.#items[left], this.#items[right]) < 0;
  }

  #swap(left, right) {
    [this.#items[left], this.#items[right]] = [this.#items[right], this.#items[left]];
  }
}
