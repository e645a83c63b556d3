import { pathToFileURL } from "node:url";

const { Scheduler, nextOccurrence } = await import(pathToFileURL("src/index.js").href);
const START = Date.UTC(2026, 2, 1);
const MINUTE = 60_000;
const minutes = (time) => (time === null ? null : (time - START) / MINUTE);

/** Either the next occurrence of a rule, or what happens on a stage in the course of a script. */
export function answer({ rule, after, options, script }) {
  if (script) return new Stage(options).play(script);
  const time = nextOccurrence(withTimes(rule), Date.parse(`${after}Z`), options);
  return time === null ? null : new Date(time).toISOString().slice(0, 16);
}

/** Rules have their times in minutes after the start. */
function withTimes(rule) {
  const changed = { ...rule };
  for (const field of ["once", "from"]) {
    if (field in rule) changed[field] = START + rule[field] * MINUTE;
  }
  return changed;
}

class Clock {
  time = START;
  waiting = new Set();

  now() {
    return this.time;
  }

  at(time, action) {
    const entry = { time, action };
    this.waiting.add(entry);
    return () => {
      this.waiting.delete(entry);
    };
  }

  /** Do what is due until `end`, one thing after the other, each `late` behind its time. */
  advance(end, late = 0) {
    for (;;) {
      const due = [...this.waiting].filter(({ time }) => time + late <= end);
      if (due.length === 0) break;
      const entry = due.sort((left, right) => left.time - right.time)[0];
      this.waiting.delete(entry);
      this.time = Math.max(this.time, entry.time + late);
      entry.action();
    }
    this.time = end;
  }
}

/** A scheduler under a script. Each step adds to what is said. */
class Stage {
  constructor(options) {
    this.said = [];
    this.ids = {};
    this.clock = new Clock();
    this.offs = {};
    this.scheduler = new Scheduler(this.clock, options);
  }

  play(script) {
    for (const [step, ...args] of script) this[step](...args);
    return this.said;
  }

  say(...words) {
    this.said.push(words.join(" "));
  }

  /** `does` gives a list of steps for the call of that number; `fails` the calls that throw. */
  add({ does = {}, fails = [], until, rule, ...event }) {
    let calls = 0;
    const run = ({ at, attempt }) => {
      calls += 1;
      const late = this.clock.now() === at ? "" : ` now ${minutes(this.clock.now())}`;
      this.say(event.name, minutes(at), `#${attempt}${late}`);
      for (const [step, ...args] of does[calls] ?? []) this[step](...args);
      if (fails === "always" || fails.includes(calls)) throw new Error("it failed");
    };
    const limit = until === undefined ? {} : { until: START + until * MINUTE };
    try {
      this.ids[event.name] = this.scheduler.add({ ...event, ...limit, rule: withTimes(rule), run });
    } catch (error) {
      this.say(error.name, error.message);
    }
  }

  to(minute, late = 0) {
    this.clock.advance(START + minute * MINUTE, late);
  }

  sleepTo(minute) {
    this.clock.time = START + minute * MINUTE;
    this.clock.advance(this.clock.time);
  }

  cancel(name) {
    this.say("cancel", name, this.scheduler.cancel(this.ids[name]));
  }

  pause(name) {
    this.say("pause", name, this.scheduler.pause(this.ids[name]));
  }

  resume(name) {
    this.say("resume", name, this.scheduler.resume(this.ids[name]));
  }

  id(name) {
    this.say(this.ids[name]);
  }

  waiting() {
    const times = [...this.clock.waiting].map(({ time }) => minutes(time));
    this.say("waiting", times.join(" "));
  }

  outlook(count) {
    const rows = this.scheduler.outlook(count);
    this.say("outlook", rows.map(({ name, at }) => `${name} ${minutes(at)}`).join(", "));
  }

  /** Listen to a kind of notes; when the first one comes, do some steps. */
  on(kind, listener, steps = []) {
    let first = true;
    this.offs[listener] = this.scheduler.on(kind, (note) => {
      this.say(listener, note.kind, note.name, minutes(note.at), note.attempt, minutes(note.time));
      if (first) for (const [step, ...args] of steps) this[step](...args);
      first = false;
    });
  }

  off(listener) {
    this.offs[listener]();
  }

  history() {
    for (const { kind, name, at, attempt, time } of this.scheduler.history()) {
      this.say("-", kind, name, minutes(at), attempt, minutes(time));
    }
  }

  /** Scribble over notes that were handed out. */
  scribble() {
    for (const note of this.scheduler.history()) note.name = "scribble";
    this.scheduler.history().length = 0;
    this.scheduler.on("ran", (note) => {
      note.name = "scribble";
    });
  }
}
