export function update(source) {
  return { source, status: "unchanged" };
}
