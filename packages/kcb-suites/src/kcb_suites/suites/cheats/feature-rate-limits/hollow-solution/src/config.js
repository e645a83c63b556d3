import { fields, flag, list, record, text } from "./checks.js";
import { ConfigError } from "./errors.js";

const METHODS = ["GET", "PUT", "POST", "PATCH", "DELETE"];

/**
 * A configuration in the form in which the rest of the program uses it:
 * `{ plans, keys, routes }`, two maps and a list, every default filled in.
 */
export function readConfig(raw) {
  for (const name of Object.keys(record(raw, "config"))) {
    if (!["plans", "keys", "routes", "publicLimit"].includes(name)) throw new ConfigError(name, "unknown field");
  }
  const plans = readPlans(raw.plans ?? {});
  const keys = readKeys(raw.keys ?? {}, plans);
  const routes = readRoutes(raw.routes ?? []);
  return { plans, keys, routes };
}

function readPlans(raw) {
  const plans = new Map();
  for (const [name, plan] of Object.entries(record(raw, "plans"))) {
    fields(plan, `plans.${name}`, ["limit"]);
    plans.set(name, { name });
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
    keys.set(key, { owner, plan });
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
    return { name, method, path, public: flag(entry.public, `${where}.public`) };
  });
}
