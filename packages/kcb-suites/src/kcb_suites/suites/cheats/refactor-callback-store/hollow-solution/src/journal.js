export class Journal {
  length = 0;

  async load() {
    return { documents: [], changes: [] };
  }

  async append() {}

  async compact() {}
}
