export function nextOccurrence(rule, after) {
  return rule.once ?? after + 60_000;
}
