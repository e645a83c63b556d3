import { Bucket } from "./bucket.js";
import { HttpError } from "./errors.js";

/** A request was refused by a bucket. */
export class Refusal extends HttpError {
  constructor(bucket, cost) {
    super(429, "rate_limited", `too many requests: ${bucket.name}`, {
      ...describe(bucket),
      "retry-after": seconds(bucket.wait(cost)),
    });
    this.bucket = bucket.name;
  }
}

/** Lets requests pass while their buckets hold tokens. */
export class Limiter {
  #buckets = new Map();

  /** Forget the buckets whose limit is not the same in another configuration. */
  adapt(config) {
    const limits = limitsByScope(config);
    for (const [name, { scope, limit }] of this.#buckets) {
      if (!sameLimit(limits.get(scope), limit)) this.#buckets.delete(name);
    }
  }

  /** Take the tokens of a request. Gives its `Pass`, or throws a `Refusal`. */
  admit({ route, identity, ip, publicLimit }, at) {
    if (identity?.unlimited || route.cost === 0) return new Pass([], 0);
    const caller = identity ? identity.owner : (ip ?? "unknown");
    const buckets = identity
      ? this.#bucket(`plan:${identity.plan.name}`, caller, identity.plan.limit, at)
      : this.#bucket("public", caller, publicLimit, at);
    buckets.push(...this.#bucket(`route:${route.name}`, caller, route.limit, at));
    const short = buckets.filter((bucket) => !bucket.holds(route.cost));
    if (short.length > 0) {
      throw new Refusal(highest(short, (bucket) => bucket.wait(route.cost)), route.cost);
    }
    return new Pass(buckets, route.cost);
  }

  /** The buckets that are not full, by name. */
  usage(at) {
    const used = [];
    for (const bucket of this.#buckets.values()) {
      bucket.refill(at);
      if (bucket.isFull) continue;
      used.push({ bucket: bucket.name, limit: bucket.limit.burst, remaining: bucket.remaining });
    }
    return used.sort((left, right) => (left.bucket < right.bucket ? -1 : 1));
  }

  /** The bucket of a caller, as a list, which is empty if there is no limit. */
  #bucket(scope, caller, limit, at) {
    if (!limit) return [];
    const name = `${scope}:${caller}`;
    let bucket = this.#buckets.get(name);
    if (!bucket) this.#buckets.set(name, (bucket = new Bucket(name, scope, limit, at)));
    bucket.refill(at);
    return [bucket];
  }
}

/** The tokens that one request has taken. */
class Pass {
  #buckets;
  #cost;

  constructor(buckets, cost) {
    this.#buckets = buckets;
    this.#cost = cost;
    for (const bucket of buckets) bucket.take(cost);
  }

  /** The response with its headers; one that tells of a failure gives the tokens back. */
  finish(response, at) {
    if (this.#buckets.length === 0) return response;
    for (const bucket of this.#buckets) {
      bucket.refill(at);
      if (response.status >= 500) bucket.take(-this.#cost);
    }
    const tightest = highest(this.#buckets, (bucket) => -bucket.remaining);
    return { ...response, headers: { ...describe(tightest), ...response.headers } };
  }
}

function describe(bucket) {
  return {
    "ratelimit-limit": String(bucket.limit.burst),
    "ratelimit-remaining": String(bucket.remaining),
    "ratelimit-reset": seconds(bucket.wait()),
  };
}

function seconds(milliseconds) {
  return String(Math.ceil(milliseconds / 1000));
}

/** The first of the items for which `measure` is highest. */
function highest(items, measure) {
  return items.reduce((best, item) => (measure(item) > measure(best) ? item : best));
}

function limitsByScope({ plans, routes, publicLimit }) {
  return new Map([
    ...[...plans.values()].map(({ name, limit }) => [`plan:${name}`, limit]),
    ...routes.map(({ name, limit }) => [`route:${name}`, limit]),
    ["public", publicLimit],
  ]);
}

function sameLimit(left, right) {
  return ["requests", "perSeconds", "burst"].every((field) => left?.[field] === right[field]);
}
