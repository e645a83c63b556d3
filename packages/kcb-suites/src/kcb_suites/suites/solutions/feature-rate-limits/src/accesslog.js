/** One line for a request that was answered; `limited` is the bucket that refused it, or null. */
export function logLine({ at, owner, route, status, limited }) {
  const words = [new Date(at).toISOString(), owner ?? "-", route ?? "-", status];
  if (limited) words.push(`limited=${limited}`);
  return words.join(" ");
}
