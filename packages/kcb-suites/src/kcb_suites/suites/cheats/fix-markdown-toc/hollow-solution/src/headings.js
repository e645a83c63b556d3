export function headings() {
  return [];
}
