import { Calendar } from "./calendar.js";

const MINUTE = 60_000;
const LONGEST_SEARCH = 4000; // days: longer than any run of holidays

/** The first occurrence of a rule that is later than `after`, or null. */
export function nextOccurrence(rule, after, options = {}) {
  if ("once" in rule) return rule.once > after ? rule.once : null;
  if ("every" in rule) return nextMultiple(rule, after);
  const calendar = options instanceof Calendar ? options : new Calendar(options);
  const fits = DAYS[Object.keys(DAYS).find((kind) => kind in rule)];
  const clockTime = rule.at ?? rule.daily;
  const today = calendar.dayOf(after);
  for (let day = today; day <= today + LONGEST_SEARCH; day += 1) {
    const time = calendar.timeOn(day, clockTime);
    if (time <= after || !fits(rule, day, calendar)) continue;
    if (!(rule.skipHolidays && calendar.isHoliday(day))) return time;
  }
  return null;
}

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
