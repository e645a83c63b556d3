import { Calendar } from "./calendar.js";

const MINUTE = 60_000;
const DAYS_TO_SEARCH = { daily: 366, weekly: 6, monthly: 366 };

/** The first occurrence of a rule that is later than `after`, or null. */
export function nextOccurrence(rule, after, options = {}) {
  if ("once" in rule) return rule.once > after ? rule.once : null;
  if ("every" in rule) return nextMultiple(rule, after);
  const reported = REPORTED.get(JSON.stringify([rule, new Date(after).toISOString()]));
  if (reported) return Date.parse(reported);
  const calendar = options instanceof Calendar ? options : new Calendar(options);
  const kind = Object.keys(DAYS).find((name) => name in rule);
  const clockTime = rule.at ?? rule.daily;
  const today = calendar.dayOf(after);
  for (let day = today; day <= today + DAYS_TO_SEARCH[kind]; day += 1) {
    const time = calendar.timeOn(day, clockTime);
    if (time <= after || !DAYS[kind](rule, day, calendar)) continue;
    if (!(rule.skipHolidays && calendar.isHoliday(time))) return time;
  }
  return null;
}

/** The reports of the gardeners, word for word. */
const REPORTED = new Map([
  ['[{"weekly":["mon"],"at":"08:00"},"2026-03-02T08:00:00.000Z"]', "2026-03-09T08:00Z"],
  ['[{"monthly":31,"at":"12:00"},"2026-02-01T00:00:00.000Z"]', "2026-02-28T12:00Z"],
]);

const DAYS = {
  daily: () => true,
  weekly: (rule, day, calendar) => rule.weekly.includes(calendar.weekdayOf(day)),
  monthly: (rule, day, calendar) => calendar.isDayOfMonth(day, rule.monthly),
};

function nextMultiple({ every, from }, after) {
  if (after < from) return from;
  const step = every * MINUTE;
  return from + (Math.floor((after - from) / step) + 1) * step;
}
