import { pathToFileURL } from "node:url";

const { ConfigError, Gateway } = await import(pathToFileURL("src/index.js").href);

/** `{ config, steps }`: plays the steps on one gateway; what each of them that is no "at" gives. */
export async function answer({ config, steps }) {
  const stage = new Stage(config);
  const said = [];
  for (const [name, ...args] of steps) {
    const value = await stage[name](...args);
    if (name !== "at") said.push(value);
  }
  return said;
}

/** A gateway whose clock and handlers are in our hands. */
class Stage {
  now = Date.UTC(2026, 2, 1, 9);
  held = [];

  constructor(config) {
    const names = config.routes?.map?.((route) => route?.name) ?? [];
    const handlers = Object.fromEntries(names.map((name) => [name, (input) => this.serve(input)]));
    this.gateway = new Gateway(config, { handlers, now: () => this.now });
  }

  /** The handler of every route; the body of a request says what it does. */
  async serve({ params, owner, body }) {
    this.now += body?.takes ?? 0;
    if (body?.held) await new Promise((release) => this.held.push(release));
    if (body?.throws) throw new Error("away");
    return { status: body?.status, headers: body?.headers, body: { params, owner } };
  }

  at(milliseconds) {
    this.now = Date.UTC(2026, 2, 1, 9) + milliseconds;
  }

  /** One request in full: `[status, headers, body]`. */
  async full(method, path, key, rest = {}) {
    const headers = key ? { "x-api-key": key } : undefined;
    const response = await this.gateway.handle({ method, path, headers, ...rest });
    return [response.status, response.headers, response.body];
  }

  /** One request in short: "STATUS LIMIT/REMAINING/RESET", with RETRY and the message if refused. */
  async get(path, key, rest) {
    return brief(await this.full("GET", path, key, rest));
  }

  /** Start a request that stays in its handler. */
  async start(path, key, rest = {}) {
    this.pending = this.get(path, key, { ...rest, body: { held: true, ...rest.body } });
    while (this.held.length === 0) await new Promise((next) => setImmediate(next));
    return "started";
  }

  /** Let the request that was started last go on. */
  async finish() {
    this.held.pop()();
    return this.pending;
  }

  /** The same, if only the status is to be known. */
  async finishStatus() {
    return Number((await this.finish()).slice(0, 3));
  }

  log() {
    return this.gateway.log;
  }

  stats() {
    return this.gateway.stats();
  }

  usage() {
    return this.gateway.usage().map((entry) => [entry.bucket, entry.limit, entry.remaining]);
  }

  usageInFull() {
    return this.gateway.usage();
  }

  reload(config) {
    try {
      this.gateway.reload(config);
      return "reloaded";
    } catch (error) {
      return error instanceof ConfigError ? error.message : `not a ConfigError: ${error}`;
    }
  }
}

function brief([status, headers, body]) {
  const words = [String(status)];
  const shown = ["limit", "remaining", "reset"].map((name) => headers[`ratelimit-${name}`]);
  if (shown.some((value) => value !== undefined)) words.push(shown.join("/"));
  if (headers["retry-after"] !== undefined) words.push(headers["retry-after"]);
  if (status === 429) words.push(body.error, body.message);
  return words.join(" ");
}
