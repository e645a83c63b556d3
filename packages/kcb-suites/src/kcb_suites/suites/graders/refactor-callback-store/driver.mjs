import { mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const larder = await import(pathToFileURL("src/index.js").href);
const pause = () => new Promise((resume) => setImmediate(resume));

/** One of the questions below; `style` says which interface the judged code has. */
export async function answer({ question, style, ...rest }) {
  return QUESTIONS[question](rest, STYLES[style]);
}

/** How each interface is called, and called back. */
const STYLES = {
  callbacks: {
    call: (object, method, ...args) =>
      new Promise((resolve, reject) => {
        object[method](...args, (error, value) => (error ? reject(error) : resolve(value)));
      }),
    backend: (disk) =>
      Object.fromEntries(
        ["read", "write", "append", "remove"].map((kind) => [
          kind,
          (...args) => {
            const callback = args.pop();
            disk.do(kind, args, callback);
          },
        ]),
      ),
    change: (how) => (doc, done) => {
      if (how === "throw") throw new Error("refused");
      if (how === "reject") return done(new Error("refused later"));
      if (how === "late") return setImmediate(() => done(null, changed(doc, how)));
      done(null, changed(doc, how));
    },
  },
  promises: {
    call: (object, method, ...args) => object[method](...args),
    backend: (disk) =>
      Object.fromEntries(
        ["read", "write", "append", "remove"].map((kind) => [
          kind,
          (...args) =>
            new Promise((resolve, reject) => {
              disk.do(kind, args, (error, value) => (error ? reject(error) : resolve(value)));
            }),
        ]),
      ),
    change: (how) => (doc) => {
      if (how === "throw") throw new Error("refused");
      if (how === "reject") return Promise.reject(new Error("refused later"));
      if (how === "late") return pause().then(() => changed(doc, how));
      return changed(doc, how);
    },
  },
};

function changed(doc, how) {
  if (how === "same") return undefined;
  if (how === "bad") return 5;
  doc.n = (doc.n ?? 0) + 1;
  doc.how = how;
  return doc;
}

/** A backend that writes down what it is asked, and fails where it is told to. */
class Disk {
  trace = [];
  most = 0;
  #running = 0;

  constructor(files, faults) {
    this.files = new Map(Object.entries(files));
    this.faults = new Set(faults);
  }

  do(kind, [name, text], callback) {
    const number = this.trace.push(text === undefined ? [kind, name] : [kind, name, text]);
    this.#running += 1;
    this.most = Math.max(this.most, this.#running);
    setImmediate(() => {
      this.#running -= 1;
      if (this.faults.has(number)) return callback(new Error(`disk trouble ${number}`));
      if (kind === "write") this.files.set(name, text);
      if (kind === "append") this.files.set(name, (this.files.get(name) ?? "") + text);
      if (kind === "write" || kind === "append") return callback(null);
      const there = this.files.has(name);
      const found = this.files.get(name);
      if (kind === "remove") this.files.delete(name);
      if (!there) return callback(Object.assign(new Error(`no ${name}`), { code: "ENOENT" }));
      callback(null, kind === "read" ? found : undefined);
    });
  }
}

async function outcome(work) {
  try {
    const value = await work();
    return { value: value === undefined ? "undefined" : value };
  } catch (error) {
    return { error: error.name, code: error.code ?? null, message: error.message };
  }
}

/** One operation, with its place among the events when its result comes. */
async function operate(store, style, [name, ...args], events) {
  if (name === "update") args[1] = style.change(args[1]);
  const result = await outcome(async () => {
    const value = await style.call(store, name, ...args);
    return name === "attachments" ? Object.entries(value) : value;
  });
  return [name, result, events.length];
}

/** Change the documents that were handed over: the store is to have taken them already. */
function spoil(wave) {
  for (const [name, first, second] of wave) {
    if (name === "put" && typeof second === "object") second.spoiled = true;
    if (name === "batch") for (const part of first) if (part.doc) part.doc.spoiled = true;
  }
}

const QUESTIONS = {
  /** Waves of operations that are begun together, on a disk with faults; then a look at what is left. */
  async scene({ options, files, faults, waves, badListener }, style) {
    const disk = new Disk(files, faults);
    const said = { waves: [], events: [] };
    let store;
    const opened = await outcome(async () => {
      store = await style.call(larder, "open", style.backend(disk), options);
    });
    if (!store) return { opened, trace: disk.trace };
    if (badListener) {
      store.watch(() => {
        throw new Error("a bad listener");
      });
    }
    store.watch((event) => said.events.push(event));
    for (const wave of waves) {
      const all = wave.map((operation) => operate(store, style, operation, said.events));
      spoil(wave);
      said.waves.push(await Promise.all(all));
    }
    for (let turn = 0; turn < 6; turn += 1) await pause();
    Object.assign(said, { trace: [...disk.trace], most: disk.most });
    said.files = Object.fromEntries(disk.files);
    disk.faults.clear();
    const again = await style.call(larder, "open", style.backend(disk), options);
    said.left = await style.call(again, "query", {}, {});
    return said;
  },

  /** The same operations on one of larder's own backends. */
  async own({ backend, options, waves }, style) {
    const folder = mkdtempSync(path.join(tmpdir(), "larder-"));
    const inner = path.join(folder, "deep", "data");
    const make = () => new larder.FileBackend(inner);
    const kept = backend === "file" ? make() : new larder.MemoryBackend();
    const store = await style.call(larder, "open", kept, options);
    const said = [];
    for (const wave of waves) {
      said.push(await Promise.all(wave.map((operation) => operate(store, style, operation, []))));
    }
    const missing = (await outcome(() => style.call(kept, "read", "nothing"))).code;
    const gone = (await outcome(() => style.call(kept, "remove", "nothing"))).code;
    const files =
      backend === "file"
        ? readdirSync(inner).map((name) => [name, readFileSync(path.join(inner, name), "utf8")])
        : [...kept.files];
    return [said, missing, gone, files.sort()];
  },

  /** Which calls give promises, and what they come to without options. */
  async promises() {
    const backend = new larder.MemoryBackend();
    const opening = larder.open(backend);
    const store = await opening;
    const calls = {
      put: ["a", { n: 1 }],
      get: ["a"],
      update: ["a", (doc) => doc],
      batch: [[{ put: "b", doc: {} }]],
      query: [{}],
      attach: ["a", "x", "text"],
      attachments: ["a"],
      remove: ["b"],
      compact: [],
      close: [],
    };
    const made = Object.entries(calls).map(([name, args]) => [name, store[name](...args)]);
    const kinds = made.map(([name, promise]) => [name, promise instanceof Promise]);
    await Promise.all(made.map(([, promise]) => promise));
    return [opening instanceof Promise, ...kinds];
  },

  /** Wrong arguments reject; nothing is thrown at once. */
  async rejections() {
    const store = await larder.open(new larder.MemoryBackend(), {});
    const calls = [
      ["get", ""],
      ["get", 5],
      ["put", "", {}],
      ["put", "a", 5],
      ["put", "a", []],
      ["remove", null],
      ["update", "", () => {}],
      ["batch", [{ put: "a", doc: {} }, { put: "", doc: {} }]],
      ["batch", [{ remove: "" }]],
      ["attach", "a", "", "text"],
      ["attachments", ""],
    ];
    const said = [];
    for (const [name, ...args] of calls) {
      const promise = store[name](...args);
      said.push((await outcome(() => promise)).error);
    }
    return [said, (await store.query({}, {})).length];
  },

  /** The queue by itself. */
  async queue() {
    const queue = new larder.WorkQueue();
    const notes = [];
    const task = (name, turns) => async () => {
      notes.push(`${name}>`);
      for (let turn = 0; turn < turns; turn += 1) await pause();
      notes.push(`<${name}`);
      if (name === "bad") throw new Error("bad");
      return name;
    };
    const before = [task("a", 3), task("bad", 1), () => "plain", task("c", 0)].map((work) =>
      outcome(() => queue.push(work)),
    );
    const size = queue.size;
    const thrown = await outcome(() =>
      queue.push(() => {
        throw new TypeError("at once");
      }),
    );
    const results = await Promise.all(before);
    return [size, queue.size, notes, results.map((result) => result.value ?? result.message), thrown];
  },
};
