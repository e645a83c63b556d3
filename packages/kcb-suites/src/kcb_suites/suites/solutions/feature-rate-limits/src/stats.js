/** Counts of what was answered. */
export class Stats {
  #requests = 0;
  #routes = new Map();
  #limited = new Map();

  /** Count one response; `route` is null if none was found, `limited` if no bucket refused. */
  add(route, status, limited) {
    this.#requests += 1;
    if (limited) this.#limited.set(limited, (this.#limited.get(limited) ?? 0) + 1);
    if (route === null) return;
    const statuses = this.#routes.get(route) ?? {};
    statuses[status] = (statuses[status] ?? 0) + 1;
    this.#routes.set(route, statuses);
  }

  /** The counts as plain values, which later requests do not change. */
  snapshot() {
    const routes = [...this.#routes].map(([name, statuses]) => [name, { ...statuses }]);
    return {
      requests: this.#requests,
      routes: Object.fromEntries(routes),
      limited: Object.fromEntries(this.#limited),
    };
  }
}
