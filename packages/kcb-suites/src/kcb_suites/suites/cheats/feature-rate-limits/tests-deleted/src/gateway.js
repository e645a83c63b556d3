import { logLine } from "./accesslog.js";
import { readConfig } from "./config.js";
import { HttpError } from "./errors.js";
import { Keyring } from "./keyring.js";
import { Limiter, Refusal } from "./limiter.js";
import { Router } from "./router.js";
import { Stats } from "./stats.js";

/** Answers requests as its configuration says. */
export class Gateway {
  /** A line for each request that was answered. */
  log = [];
  #handlers;
  #now;
  #stats = new Stats();
  #limiter = new Limiter();
  #router;
  #keyring;
  #publicLimit;

  constructor(config, { handlers, now }) {
    this.#handlers = handlers;
    this.#now = now;
    this.reload(config);
  }

  /** Put another configuration in force; throws ConfigError, and then keeps the old one. */
  reload(config) {
    const read = readConfig(config);
    this.#router = new Router(read.routes);
    this.#keyring = new Keyring(read.keys);
    this.#publicLimit = read.publicLimit;
    this.#limiter.adapt(read);
  }

  /** Answer one request. */
  async handle(request) {
    const about = { at: this.#now(), owner: null, route: null, limited: null };
    const response = await this.#respond(request, about);
    this.#stats.add(about.route, response.status, about.limited);
    this.log.push(logLine({ ...about, status: response.status }));
    return response;
  }

  /** How many requests were answered, and how. */
  stats() {
    return this.#stats.snapshot();
  }

  /** The buckets that are not full now, by name: `{ bucket, limit, remaining }`. */
  usage() {
    return this.#limiter.usage(this.#now());
  }

  /** The response to a request; what becomes known on the way is noted in `about`. */
  async #respond({ method, path, headers = {}, ip, body }, about) {
    try {
      const { route, params } = this.#router.find(method, path);
      about.route = route.name;
      const identity = route.public ? null : this.#keyring.identify(headers);
      about.owner = identity?.owner ?? null;
      const caller = { route, identity, ip, publicLimit: this.#publicLimit };
      const pass = this.#limiter.admit(caller, about.at);
      const response = await this.#call(route, { params, owner: about.owner, body });
      return pass.finish(response, this.#now());
    } catch (error) {
      if (error instanceof Refusal) about.limited = error.bucket;
      if (error instanceof HttpError) return error.response;
      throw error;
    }
  }

  async #call(route, input) {
    try {
      const { status = 200, headers = {}, body } = await this.#handlers[route.name](input);
      return { status, headers, body };
    } catch {
      return new HttpError(500, "internal", "the service failed").response;
    }
  }
}
