export class Bucket {
  refill() {}
  take() {}
  holds() {
    return true;
  }
}
