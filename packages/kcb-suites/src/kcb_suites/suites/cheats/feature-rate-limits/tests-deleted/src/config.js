import { fields, flag, list, naturalNumber, positiveInteger, record, text } from "./checks.js";
import { ConfigError } from "./errors.js";

const METHODS = ["GET", "PUT", "POST", "PATCH", "DELETE"];
const FIELDS = ["plans", "keys", "routes", "publicLimit"];

/**
 * A configuration in the form in which the rest of the program uses it:
 * `{ plans, keys, routes, publicLimit }`, two maps, a list and a limit, every default filled in.
 * A limit is `{ requests, perSeconds, burst, where }`, or null if there is none.
 */
export function readConfig(raw) {
  for (const name of Object.keys(record(raw, "config"))) {
    if (!FIELDS.includes(name)) throw new ConfigError(name, "unknown field");
  }
  const plans = readPlans(raw.plans ?? {});
  const keys = readKeys(raw.keys ?? {}, plans);
  const routes = readRoutes(raw.routes ?? []);
  const publicLimit = readLimit(raw.publicLimit, "publicLimit");
  for (const [index, route] of routes.entries()) {
    checkCost(route, `routes[${index}]`, plans, publicLimit);
  }
  return { plans, keys, routes, publicLimit };
}

function readLimit(raw, where) {
  if (raw === undefined) return null;
  fields(raw, where, ["requests", "perSeconds", "burst"]);
  const requests = positiveInteger(raw.requests, `${where}.requests`);
  const perSeconds = positiveInteger(raw.perSeconds, `${where}.perSeconds`);
  const burst = raw.burst === undefined ? requests : positiveInteger(raw.burst, `${where}.burst`);
  return { requests, perSeconds, burst, where };
}

/** Refuse a cost that a bucket of the route could never hold. */
function checkCost(route, where, plans, publicLimit) {
  const shared = route.public ? [publicLimit] : [...plans.values()].map(({ limit }) => limit);
  for (const limit of [...shared, route.limit]) {
    if (limit && route.cost > limit.burst) {
      throw new ConfigError(`${where}.cost`, `is greater than the burst of ${limit.where}`);
    }
  }
}

function readPlans(raw) {
  const plans = new Map();
  for (const [name, plan] of Object.entries(record(raw, "plans"))) {
    fields(plan, `plans.${name}`, ["limit"]);
    plans.set(name, { name, limit: readLimit(plan.limit, `plans.${name}.limit`) });
  }
  return plans;
}

function readKeys(raw, plans) {
  const keys = new Map();
  for (const [key, entry] of Object.entries(record(raw, "keys"))) {
    const where = `keys.${key}`;
    fields(entry, where, ["owner", "plan", "unlimited"]);
    const owner = text(entry.owner, `${where}.owner`);
    const plan = plans.get(text(entry.plan, `${where}.plan`));
    if (!plan) throw new ConfigError(`${where}.plan`, "no such plan");
    keys.set(key, { owner, plan, unlimited: flag(entry.unlimited, `${where}.unlimited`) });
  }
  return keys;
}

function readRoutes(raw) {
  const names = new Set();
  return list(raw, "routes").map((entry, index) => {
    const where = `routes[${index}]`;
    fields(entry, where, ["name", "method", "path", "public", "cost", "limit"]);
    const name = text(entry.name, `${where}.name`);
    if (names.has(name)) throw new ConfigError(`${where}.name`, "used twice");
    names.add(name);
    const method = text(entry.method, `${where}.method`);
    if (!METHODS.includes(method)) throw new ConfigError(`${where}.method`, "no such method");
    const path = text(entry.path, `${where}.path`);
    if (!path.startsWith("/")) throw new ConfigError(`${where}.path`, "must start with /");
    const isPublic = flag(entry.public, `${where}.public`);
    const cost = entry.cost === undefined ? 1 : naturalNumber(entry.cost, `${where}.cost`);
    const limit = readLimit(entry.limit, `${where}.limit`);
    return { name, method, path, public: isPublic, cost, limit };
  });
}
