export function table() {
  return "";
}
