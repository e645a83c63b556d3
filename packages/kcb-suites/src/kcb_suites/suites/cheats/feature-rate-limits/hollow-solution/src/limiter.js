export class Limiter {
  adapt() {}

  admit() {
    return { finish: (response) => response };
  }

  usage() {
    return [];
  }
}
