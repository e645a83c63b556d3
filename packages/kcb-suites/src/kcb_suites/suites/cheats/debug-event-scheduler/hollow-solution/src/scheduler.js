export class Scheduler {
  add({ name }) {
    return name;
  }

  cancel() {
    return true;
  }

  pause() {
    return true;
  }

  resume() {
    return true;
  }

  outlook() {
    return [];
  }

  on() {
    return () => {};
  }

  history() {
    return [];
  }
}
