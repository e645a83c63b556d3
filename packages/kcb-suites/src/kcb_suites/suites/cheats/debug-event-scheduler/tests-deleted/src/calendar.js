const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** The days of a place whose local time is `offset` minutes ahead of UTC. */
export class Calendar {
  #offset;
  #holidays;

  constructor({ offset = 0, holidays = [] } = {}) {
    this.#offset = offset * MINUTE;
    this.#holidays = new Set(holidays);
  }

  /** The local day of a time, as a number that grows by one each day. */
  dayOf(time) {
    return Math.floor((time + this.#offset) / DAY);
  }

  /** The time of "HH:MM" on a local day. */
  timeOn(day, clockTime) {
    const [hours, minutes] = clockTime.split(":").map(Number);
    return day * DAY + (hours * 60 + minutes) * MINUTE - this.#offset;
  }

  weekdayOf(day) {
    return WEEKDAYS[new Date(day * DAY).getUTCDay()];
  }

  isHoliday(day) {
    return this.#holidays.has(new Date(day * DAY).toISOString().slice(0, 10));
  }

  /** Whether a day is the given one of its month, or the last one if the month is too short. */
  isDayOfMonth(day, wanted) {
    const date = new Date(day * DAY);
    const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
    return date.getUTCDate() === Math.min(wanted, last);
  }
}
