export class Retries {
  attempt = 1;
  fail() {
    return null;
  }
}
