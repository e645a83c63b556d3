import { Calendar } from "./calendar.js";
import { Heap } from "./heap.js";
import { Notes } from "./notes.js";
import { outlook } from "./outlook.js";
import { Retries } from "./retry.js";
import { nextOccurrence } from "./rules.js";

/** Runs events when a clock says that they are due. */
export class Scheduler {
  #clock;
  #calendar;
  #grace;
  #notes;
  #events = new Map(); // id -> event
  #queue = new Heap(inOrder); // entries { event, time, retries }: occurrences, and retries that wait
  #added = 0;
  #alarm = null; // { time, callOff }
  #awake = false;

  constructor(clock, { offset = 0, holidays = [], grace = 1000, keep = 100 } = {}) {
    this.#clock = clock;
    this.#calendar = new Calendar({ offset, holidays });
    this.#grace = grace;
    this.#notes = new Notes(keep);
  }

  add({ name, rule, run, priority = 0, retry, missed = "once", until = Infinity }) {
    const number = this.#added + 1;
    const event = { id: `e${number}`, number, name, rule, run, priority, retry, missed, until };
    const time = this.#next(event, this.#clock.now());
    if (time === null) throw new RangeError(`nothing to do: ${name}`);
    this.#added = number;
    this.#events.set(event.id, Object.assign(event, { paused: false, coming: null, retrying: null }));
    this.#await(event, time);
    this.#setAlarm();
    return event.id;
  }

  cancel(id) {
    const event = this.#events.get(id);
    if (!event) return false;
    this.#events.delete(id);
    this.#clear(event);
    this.#setAlarm();
    return true;
  }

  pause(id) {
    const event = this.#events.get(id);
    if (!event || event.paused) return false;
    event.paused = true;
    this.#clear(event);
    this.#setAlarm();
    return true;
  }

  resume(id) {
    const event = this.#events.get(id);
    if (!event || !event.paused) return false;
    event.paused = false;
    this.#await(event, this.#next(event, this.#clock.now()));
    this.#endIfOver(event);
    this.#setAlarm();
    return true;
  }

  outlook(count) {
    const entries = this.#queue.items().filter(({ retries }) => retries === null);
    return outlook(entries, inOrder, (event, after) => this.#next(event, after), count);
  }

  on(kind, listener) {
    return this.#notes.on(kind, listener);
  }

  history() {
    return this.#notes.history();
  }

  /** The occurrence of an event after a time, or null. */
  #next(event, after) {
    const time = nextOccurrence(event.rule, after, this.#calendar);
    return time !== null && time <= event.until ? time : null;
  }

  /** Put the coming occurrence of an event into the queue; null if there is none. */
  #await(event, time) {
    event.coming = time === null ? null : { event, time, retries: null };
    if (event.coming) this.#queue.add(event.coming);
  }

  /** Take everything of an event out of the queue. */
  #clear(event) {
    for (const entry of [event.coming, event.retrying]) this.#queue.remove(entry);
    event.coming = null;
    event.retrying = null;
  }

  /** Have the clock wake us for the first entry, and for nothing else. */
  #setAlarm() {
    if (this.#awake) return;
    const time = this.#queue.first()?.time;
    if (this.#alarm?.time === time) return;
    this.#alarm?.callOff();
    this.#alarm = null;
    if (time === undefined) return;
    this.#alarm = { time, callOff: this.#clock.at(time, () => this.#wake()) };
  }

  #wake() {
    this.#alarm = null;
    this.#awake = true;
    try {
      while (this.#queue.first()?.time <= this.#clock.now()) this.#handle(this.#queue.first());
    } finally {
      this.#awake = false;
      this.#setAlarm();
    }
  }

  #handle(entry) {
    const { event, time } = entry;
    this.#queue.remove(entry);
    if (entry.retries) {
      event.retrying = null;
      this.#run(event, entry.at, entry.retries);
    } else {
      this.#dropRetry(event);
      const next = this.#next(event, time);
      this.#await(event, next);
      if (this.#isMissed(event, time, next)) this.#note("missed", event, time, null);
      else this.#run(event, time, new Retries(event.retry));
    }
    this.#endIfOver(event);
  }

  #isMissed({ missed }, time, next) {
    const now = this.#clock.now();
    if (missed === "skip") return now - time > this.#grace;
    return missed === "once" && next !== null && next <= now;
  }

  #dropRetry(event) {
    if (!event.retrying) return;
    const { at, retries } = event.retrying;
    this.#queue.remove(event.retrying);
    event.retrying = null;
    this.#note("gave-up", event, at, retries.attempt - 1);
  }

  #run(event, at, retries) {
    const { attempt } = retries;
    try {
      event.run({ at, attempt });
    } catch {
      this.#note("failed", event, at, attempt);
      this.#tryAgain(event, at, retries);
      return;
    }
    this.#note("ran", event, at, attempt);
  }

  #tryAgain(event, at, retries) {
    const wait = retries.fail();
    if (!this.#isActive(event)) return;
    if (wait === null) {
      if (event.retry) this.#note("gave-up", event, at, retries.attempt - 1);
      return;
    }
    event.retrying = { event, time: this.#clock.now() + wait, at, retries };
    this.#queue.add(event.retrying);
  }

  #isActive(event) {
    return this.#events.get(event.id) === event && !event.paused;
  }

  #endIfOver(event) {
    if (!this.#isActive(event) || event.coming || event.retrying) return;
    this.#events.delete(event.id);
    this.#note("ended", event, null, null);
  }

  #note(kind, { name }, at, attempt) {
    this.#notes.add({ kind, name, at, attempt, time: this.#clock.now() });
  }
}

/** Which of two entries comes first: by time, priority, order of adding; a retry comes last. */
function inOrder(left, right) {
  return (
    left.time - right.time ||
    right.event.priority - left.event.priority ||
    left.event.number - right.event.number ||
    Number(left.retries !== null) - Number(right.retries !== null)
  );
}
