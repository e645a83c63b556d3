"""Recurrence rules: periods, the days in them that pass filters, positions and limits."""

from __future__ import annotations

import random
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from itertools import count, islice, takewhile
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import (
    AnyOf,
    Array,
    Choice,
    Integer,
    Pattern,
    absentable,
    calendar_date,
    optional,
    required,
)

_SUMMARY = """\
Expands a rule for a recurring event into dates. The days of the week are written `MO` (Monday),
`TU`, `WE`, `TH`, `FR`, `SA`, `SU`.

1. **Periods.** A unit is a day, a week, a calendar month or a calendar year if `freq` is `daily`,
   `weekly`, `monthly` or `yearly`. A week is seven days and begins on the day `week_start`.
   Period 0 is the unit that contains `start`. Period k is the unit that comes `k * interval` units
   later (k = 1, 2, ...). All other units are skipped.
2. **Candidates.** The candidates of a period are those of its days that pass every filter that is
   given. A day passes a filter if at least one element of the filter fits:
   - `by_month`: n fits the days of month n.
   - `by_month_day`: n > 0 fits day n of each month. n < 0 counts from the end of the month: -1 is
     its last day, -2 the day before it.
   - `by_weekday`: `MO` fits each Monday. With a number n before it, it fits one day of each month:
     `2TU` is the second Tuesday of the month, `-1FR` its last Friday, `-2FR` the Friday before
     that. The number counts within the month, also if `freq` is `yearly`.

   If neither `by_weekday` nor `by_month_day` is given, there is one more filter:
   - `weekly`: the same day of the week as `start`.
   - `monthly`: the same day number in the month as `start`.
   - `yearly`: the same day number as `start`, and, if `by_month` is not given, the same month.
   - `daily`: none.
3. **Positions.** If `by_set_pos` is given, number the candidates of each period, all of them, in
   ascending order: 1, 2, ... from the first and -1, -2, ... from the last. Keep only those with a
   number in `by_set_pos`. A number that no candidate has is ignored.
4. **Limits.** Drop all dates before `start`, all after `until` if it is given, and all after the
   horizon. The horizon is 31 December of the year of `start` plus 60.
5. **Generated dates.** With `until`: all dates that are left. With `count`: the first `count` of
   them, or all if there are fewer.
6. **Exclusion.** The generated dates that are in `exclude` are taken out; they use up `count`."""

_RESULT = """\
An object with these members:

- `dates`: the generated dates without the excluded ones, an array of strings `YYYY-MM-DD`,
  ascending, each date once.
- `generated`: the number of generated dates, excluded ones included.
- `excluded`: how many of the generated dates were taken out.
- `complete`: a boolean. With `count`: whether `count` dates were generated. With `until`: whether
  `until` is on or before the horizon."""

_RULES = """\
- `start` is not a result by itself: like every other date, it must pass steps 2 and 3.
- A date that does not exist is skipped, never moved: monthly from the 31st gives nothing in a month
  of 30 days. `5MO` fits nothing in a month with four Mondays.
- Repeated elements of a list count once. An element of `exclude` that is not a generated date has
  no effect.
- `week_start` has no effect unless `freq` is `weekly`.
- No generated date at all is no error. Dates of the result may lie after 2199."""

_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_HORIZON_YEARS = 60
_MOST = 1_000


def _evaluate(fields: Mapping[str, Any]) -> Json:
    wanted, until = fields.get("count"), _day(fields.get("until"))
    start = date.fromisoformat(fields["start"])
    if (wanted is None) == (until is None):
        raise DomainError("bad_limit")
    if until and until < start:
        raise DomainError("until_before_start")
    if fields["freq"] in ("daily", "weekly") and any(
        len(entry) > 2 for entry in fields.get("by_weekday", ())
    ):
        raise DomainError("bad_combination")
    horizon = date(start.year + _HORIZON_YEARS, 12, 31)
    dates = _dates(fields, start, min(until or horizon, horizon))
    generated = [day.isoformat() for day in islice(dates, wanted or _MOST + 1)]
    if len(generated) > _MOST:
        raise DomainError("too_many")
    kept = [day for day in generated if day not in fields["exclude"]]
    return {
        "dates": kept,
        "generated": len(generated),
        "excluded": len(generated) - len(kept),
        "complete": until <= horizon if until else len(generated) == wanted,
    }


def _dates(fields: Mapping[str, Any], start: date, last: date) -> Iterator[date]:
    """The dates of the rule from start to last, ascending."""
    passes = _Rule.of(fields, start).passes
    begin = _unit_begins(fields, start)
    positions = fields.get("by_set_pos")
    end = last.toordinal()
    for unit in takewhile(lambda n: begin(n) <= end, count(0, fields["interval"])):
        days = range(begin(unit), begin(unit + 1))
        candidates = list(filter(passes, map(date.fromordinal, days)))
        if positions and candidates:
            candidates = _at(positions, candidates)
        for day in candidates:
            if start <= day <= last:
                yield day


def _at(positions: Iterable[int], candidates: list[date]) -> list[date]:
    """The candidates at these positions, counted from 1, or from -1 at the end."""
    indices = {n - 1 if n > 0 else len(candidates) + n for n in positions}
    return [day for index, day in enumerate(candidates) if index in indices]


def _unit_begins(fields: Mapping[str, Any], start: date) -> Callable[[int], int]:
    """The ordinal number of the first day of the unit that comes n units after that of start."""
    first = start.toordinal()
    if fields["freq"] == "daily":
        return lambda n: first + n
    if fields["freq"] == "weekly":
        into = (start.weekday() - _WEEKDAYS.index(fields["week_start"])) % 7
        return lambda n: first - into + 7 * n
    if fields["freq"] == "monthly":
        months = 12 * start.year + start.month - 1
        return lambda n: date((months + n) // 12, (months + n) % 12 + 1, 1).toordinal()
    return lambda n: date(start.year + n, 1, 1).toordinal()


@dataclass(frozen=True, slots=True)
class _Rule:
    """The filters, those that stand for missing ones included."""

    months: frozenset[int] | None
    month_days: frozenset[int] | None
    weekdays: frozenset[str] | None

    @staticmethod
    def of(fields: Mapping[str, Any], start: date) -> _Rule:
        names = ("by_month", "by_month_day", "by_weekday")
        months, month_days, weekdays = (
            frozenset(fields[name]) if name in fields else None for name in names
        )
        if weekdays is None and month_days is None:
            if fields["freq"] == "weekly":
                weekdays = frozenset({_WEEKDAYS[start.weekday()]})
            if fields["freq"] in ("monthly", "yearly"):
                month_days = frozenset({start.day})
            if fields["freq"] == "yearly" and months is None:
                months = frozenset({start.month})
        return _Rule(months, month_days, weekdays)

    def passes(self, day: date) -> bool:
        if self.months is not None and day.month not in self.months:
            return False
        left = _month_length(day.year, day.month) - day.day
        if self.month_days is not None and self.month_days.isdisjoint((day.day, -1 - left)):
            return False
        if self.weekdays is None:
            return True
        name = _WEEKDAYS[day.weekday()]
        names = (name, f"{1 + (day.day - 1) // 7}{name}", f"-{1 + left // 7}{name}")
        return not self.weekdays.isdisjoint(names)


@cache
def _month_length(year: int, month: int) -> int:
    return monthrange(year, month)[1]


def _day(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)


def _generate(rng: random.Random) -> dict[str, Json]:
    freq = rng.choice(["daily", "weekly", "weekly", "monthly", "monthly", "yearly", "yearly"])
    start = date.fromisoformat(rng.choice(_STARTS)) + timedelta(days=rng.choice([0, 0, 1, 5, 11]))
    drawn: dict[str, Json] = {"start": start.isoformat(), "freq": freq}
    if freq in ("daily", "weekly") and rng.random() < 0.2:
        return {**drawn, "until": _later(start, 8_000).isoformat()}
    if rng.random() < 0.5:
        drawn["interval"] = rng.choice([1, 2, 2, 3, 4, 5, 12, 50])
    drawn.update(_draw_limit(rng, freq, start))
    drawn.update(_draw_filters(rng, freq))
    if rng.random() < 0.4:
        drawn["week_start"] = rng.choice(_WEEKDAYS)
    if rng.random() < 0.4:
        near = [_later(start, rng.randint(0, 40)) for _ in range(rng.randint(0, 20))]
        drawn["exclude"] = [day.isoformat() for day in [start, *near, *near[:2]]]
    return drawn


def _draw_limit(rng: random.Random, freq: str, start: date) -> dict[str, Json]:
    """Mostly one of the two limits that fits; now and then both, none, or one too early or late."""
    number = rng.choice([1, 2, 3, 5, 8, 12, 20])
    span = {"daily": 20, "weekly": 90, "monthly": 400, "yearly": 3_000}[freq]
    until = _later(start, rng.randint(0, span))
    chance = rng.random()
    if chance < 0.06:
        return rng.choice([{}, {"count": number, "until": until.isoformat()}])
    if chance < 0.12:
        return {"until": (start - timedelta(days=rng.choice([1, 30]))).isoformat()}
    if chance < 0.2:
        return {"until": rng.choice([_later(start, 60_000), _later(start, 21_900)]).isoformat()}
    return {"until": until.isoformat()} if chance < 0.4 else {"count": number}


def _later(start: date, days: int) -> date:
    """A day that many days later, but none that the input does not allow."""
    return min(start + timedelta(days=days), date(2199, 12, 31))


def _draw_filters(rng: random.Random, freq: str) -> dict[str, Json]:
    drawn: dict[str, Json] = {}
    if rng.random() < 0.5:
        ordinals = 0.5 if freq in ("monthly", "yearly") else rng.choice([0, 0, 0.3])
        drawn["by_weekday"] = [
            (rng.choice(_ORDINALS) if rng.random() < ordinals else "") + rng.choice(_WEEKDAYS)
            for _ in range(rng.randint(1, 4))
        ]
    if rng.random() < 0.35:
        drawn["by_month_day"] = [
            rng.choice([1, 2, 8, 13, 15, 28, 29, 30, 31, -1, -2, -7, -30, -31])
            for _ in range(rng.randint(1, 5))
        ]
    if rng.random() < 0.3:
        drawn["by_month"] = [rng.choice([1, 2, 2, 3, 6, 11, 12]) for _ in range(rng.randint(1, 4))]
    if rng.random() < (0.1 if freq == "daily" else 0.4):
        drawn["by_set_pos"] = [rng.choice(_POSITIONS) for _ in range(rng.randint(1, 4))]
    return drawn


# Ends of months and years, leap days, a century year without one, the last day of the input range.
_STARTS = (
    *("2024-01-31", "2024-02-29", "2023-02-26", "2024-12-28", "2020-12-31", "1999-12-27"),
    *("2096-02-29", "1900-02-24", "2199-12-20", "2024-05-30"),
)
_ORDINALS = ("1", "2", "3", "4", "5", "-1", "-2", "-5")
_POSITIONS = (1, 1, 2, 3, -1, -1, -2, 5, 12, -12, 366, -366)


def _expanded(
    *dates: str, excluded: int = 0, complete: bool = True, year: str = ""
) -> dict[str, Json]:
    """A result; the dates begin with the year where one is given."""
    return {
        "dates": [year + day for day in dates],
        "generated": len(dates) + excluded,
        "excluded": excluded,
        "complete": complete,
    }


def _rule(start: str, freq: str, **more: Json) -> dict[str, Json]:
    return {"start": start, "freq": freq, **more}


_BOUNDARIES = (
    # Periods: the interval counts units from that of the start, whatever the filters do.
    Case(
        _rule("2024-02-27", "daily", interval=2, count=3),
        _expanded("2024-02-27", "2024-02-29", "2024-03-02"),
    ),
    Case(
        _rule("2024-01-01", "daily", interval=10, by_weekday=["TH"], until="2024-04-01"),
        _expanded("2024-01-11", "2024-03-21"),
    ),
    Case(
        _rule("2024-01-02", "weekly", interval=2, by_weekday=["TU", "SU"], count=3),
        _expanded("2024-01-02", "2024-01-07", "2024-01-16"),
    ),
    Case(
        _rule(
            *("2024-01-02", "weekly"),
            interval=2,
            by_weekday=["TU", "SU"],
            count=3,
            week_start="SU",
        ),
        _expanded("2024-01-02", "2024-01-14", "2024-01-16"),
    ),
    # A week that begins before the start, on a later day of the week, has seven days as well.
    Case(
        _rule(
            *("2024-01-01", "weekly"),
            interval=2,
            by_weekday=["MO", "SA"],
            count=4,
            week_start="SU",
        ),
        _expanded("2024-01-01", "2024-01-06", "2024-01-15", "2024-01-20"),
    ),
    Case(
        _rule("2021-01-01", "weekly", interval=2, count=2, week_start="SA"),
        _expanded("2021-01-01", "2021-01-15"),
    ),
    Case(
        _rule(
            *("2024-01-07", "weekly"),
            interval=2,
            by_weekday=["SA", "SU"],
            count=3,
            week_start="SU",
        ),
        _expanded("2024-01-07", "2024-01-13", "2024-01-21"),
    ),
    Case(
        _rule("2024-01-07", "weekly", interval=2, by_weekday=["SA", "SU"], count=3),
        _expanded("2024-01-07", "2024-01-20", "2024-01-21"),
    ),
    Case(
        _rule("2024-12-30", "weekly", interval=2, by_weekday=["MO", "WE"], count=3),
        _expanded("2024-12-30", "2025-01-01", "2025-01-13"),
    ),
    Case(
        _rule("2024-11-30", "monthly", interval=3, count=3),
        _expanded("2024-11-30", "2025-05-30", "2025-08-30"),
    ),
    Case(
        _rule("2024-12-20", "yearly", interval=2, by_weekday=["TU"], count=3),
        _expanded("2024-12-24", "2024-12-31", "2026-01-06"),
    ),
    # The filter that stands for missing ones.
    Case(
        _rule("2024-02-28", "weekly", count=2),
        _expanded("2024-02-28", "2024-03-06"),
    ),
    Case(
        _rule("2024-01-01", "weekly", by_month_day=[1], count=3),
        _expanded("2024-01-01", "2024-02-01", "2024-03-01"),
    ),
    Case(
        _rule("2023-01-31", "monthly", until="2023-06-30"),
        _expanded("2023-01-31", "2023-03-31", "2023-05-31"),
    ),
    Case(
        _rule("2024-01-31", "monthly", by_month=[3, 2], count=2),
        _expanded("2024-03-31", "2025-03-31"),
    ),
    Case(
        _rule("2024-05-31", "yearly", by_month=[6, 7], count=2),
        _expanded("2024-07-31", "2025-07-31"),
    ),
    Case(
        _rule("2024-11-15", "yearly", by_month_day=[-1], count=3),
        _expanded("2024-11-30", "2024-12-31", "2025-01-31"),
    ),
    Case(
        _rule("2024-12-30", "daily", by_month=[12, 1, 12], until="2025-01-02"),
        _expanded("2024-12-30", "2024-12-31", "2025-01-01", "2025-01-02"),
    ),
    # Days of the month from both ends, and leap years.
    Case(
        _rule("2024-01-15", "daily", by_month_day=[-1], count=2),
        _expanded("2024-01-31", "2024-02-29"),
    ),
    Case(
        _rule("2024-01-30", "monthly", by_month_day=[-1, 30, -2], count=4),
        _expanded("2024-01-30", "2024-01-31", "2024-02-28", "2024-02-29"),
    ),
    Case(
        _rule("2024-03-02", "monthly", by_month_day=[-31, -30], until="2024-05-02"),
        _expanded("2024-03-02", "2024-04-01", "2024-05-01", "2024-05-02"),
    ),
    Case(
        _rule("2024-02-29", "yearly", interval=3, count=8),
        _expanded(
            *("2024-02-29", "2036-02-29", "2048-02-29", "2060-02-29", "2072-02-29", "2084-02-29"),
            complete=False,
        ),
    ),
    Case(_rule("2096-02-29", "yearly", count=2), _expanded("2096-02-29", "2104-02-29")),
    Case(_rule("2199-12-31", "yearly", count=2), _expanded("2199-12-31", "2200-12-31")),
    # Days of the week, with and without numbers; several filters at once.
    Case(
        _rule("2024-01-01", "monthly", by_weekday=["5FR"], count=3),
        _expanded("2024-03-29", "2024-05-31", "2024-08-30"),
    ),
    Case(
        _rule("2024-01-01", "monthly", by_weekday=["-5FR"], count=2),
        _expanded("2024-03-01", "2024-05-03"),
    ),
    Case(
        _rule("2024-11-01", "yearly", by_weekday=["1MO"], count=3),
        _expanded("2024-11-04", "2024-12-02", "2025-01-06"),
    ),
    Case(
        _rule("2024-07-01", "monthly", by_weekday=["FR", "1MO", "2FR"], count=4),
        _expanded("2024-07-01", "2024-07-05", "2024-07-12", "2024-07-19"),
    ),
    Case(
        _rule("2024-01-01", "monthly", by_month_day=[13], by_weekday=["FR"], count=2),
        _expanded("2024-09-13", "2024-12-13"),
    ),
    Case(
        _rule("2024-01-01", "yearly", by_month=[9, 10], by_weekday=["-1SU", "TU"], count=6),
        _expanded("09-03", "09-10", "09-17", "09-24", "09-29", "10-01", year="2024-"),
    ),
    # Positions are counted before the start cuts anything off.
    Case(
        _rule(
            *("2024-02-10", "monthly"),
            by_weekday=["MO", "TU", "WE", "TH", "FR"],
            by_set_pos=[-1, 1],
            count=3,
        ),
        _expanded("2024-02-29", "2024-03-01", "2024-03-29"),
    ),
    Case(
        _rule("2024-01-03", "weekly", by_weekday=["MO", "WE", "FR"], by_set_pos=[1], count=2),
        _expanded("2024-01-08", "2024-01-15"),
    ),
    Case(
        _rule(
            *("2024-01-01", "monthly"),
            by_weekday=["MO", "FR"],
            by_set_pos=[-1],
            until="2024-02-25",
        ),
        _expanded("2024-01-29"),
    ),
    Case(
        _rule("2024-03-01", "yearly", by_month_day=[1], by_set_pos=[2, -1, 2, 13], count=2),
        _expanded("2024-12-01", "2025-02-01"),
    ),
    Case(
        _rule("2024-01-05", "monthly", by_set_pos=[2, -2], until="2024-12-31"),
        _expanded(),
    ),
    Case(
        _rule("2024-02-29", "yearly", by_month=[2], by_weekday=["TH"], by_set_pos=[5], count=2),
        _expanded("2024-02-29", "2052-02-29"),
    ),
    # Exclusion.
    Case(
        _rule(
            *("2024-01-01", "daily"),
            count=3,
            exclude=["2024-01-04", "2024-01-02", "2024-01-02", "2023-12-31"],
        ),
        _expanded("2024-01-01", "2024-01-03", excluded=1),
    ),
    Case(
        _rule("2024-01-01", "daily", until="2024-01-01", exclude=["2024-01-01"]),
        _expanded(excluded=1),
    ),
    # Limits: the end of the year 60 years later, and 1,000 dates.
    Case(_rule("2024-01-01", "daily", until="2024-01-01"), _expanded("2024-01-01")),
    Case(
        _rule("2024-12-31", "yearly", interval=60, count=2),
        _expanded("2024-12-31", "2084-12-31"),
    ),
    Case(
        _rule("2024-12-31", "yearly", interval=60, count=3),
        _expanded("2024-12-31", "2084-12-31", complete=False),
    ),
    Case(
        _rule("2024-12-31", "yearly", interval=30, until="2084-12-31"),
        _expanded("2024-12-31", "2054-12-31", "2084-12-31"),
    ),
    Case(
        _rule("2024-01-01", "yearly", interval=61, until="2085-01-01"),
        _expanded("2024-01-01", complete=False),
    ),
    Case(
        _rule("2024-06-15", "yearly", interval=20, until="2199-12-31"),
        _expanded("2024-06-15", "2044-06-15", "2064-06-15", "2084-06-15", complete=False),
    ),
    Case(
        _rule("2024-01-01", "monthly", interval=2, by_month=[4], count=1),
        _expanded(complete=False),
    ),
    Case(
        _rule("2024-01-01", "daily", until="2026-09-26"),
        _expanded(*((date(2024, 1, 1) + timedelta(days=n)).isoformat() for n in range(1_000))),
    ),
    Case(_rule("2024-01-01", "daily", until="2026-09-27"), error="too_many"),
    Case(
        _rule("2024-01-01", "daily", until="2026-09-27", exclude=["2024-01-01"]),
        error="too_many",
    ),
    # The other errors, and which of two comes first.
    Case(_rule("2024-01-01", "daily"), error="bad_limit"),
    Case(
        _rule("2024-01-01", "daily", count=1, until="2023-12-31", by_weekday=["1MO"]),
        error="bad_limit",
    ),
    Case(
        _rule("2024-01-01", "daily", until="2023-01-01", by_weekday=["1MO"]),
        error="until_before_start",
    ),
    Case(_rule("2024-01-01", "yearly", until="2023-12-31"), error="until_before_start"),
    Case(
        _rule("2024-01-01", "daily", until="2025-01-01", by_weekday=["1MO"]),
        error="bad_combination",
    ),
    Case(
        _rule("2024-01-01", "daily", until="2199-01-01", by_weekday=["MO", "1MO"]),
        error="bad_combination",
    ),
    Case(
        _rule("2024-01-01", "weekly", count=1, by_weekday=["-1SU"]),
        error="bad_combination",
    ),
)

_WEEKDAY = Pattern(
    r"(?:-?[1-5])?(?:MO|TU|WE|TH|FR|SA|SU)",
    "one of `MO`, `TU`, `WE`, `TH`, `FR`, `SA`, `SU`, which may have a number from 1 to 5 or from "
    "-5 to -1 directly before it, as in `2TU` or `-1FR`",
    ("MO", "1MO", "-1SU", "5WE", "-5TH"),
    ("mo", "0MO", "6MO", "-6MO", "+1MO", "MO1", "-MO", "1 MO", "12MO", "MON", "M", "1", "１MO"),
)

FAMILY = Family(
    number=12,
    slug="recurrence-rule",
    title="Recurrence rule expansion",
    category="calendars",
    difficulty=Difficulty.DEMANDING,
    summary=_SUMMARY,
    fields=(
        required("start", calendar_date(), "No date of the result is before it."),
        required("freq", Choice("daily", "weekly", "monthly", "yearly"), "The unit of time."),
        optional("interval", Integer(1, 100), 1, "How many units apart the periods are."),
        absentable("count", Integer(1, 500), "How many dates are generated at most."),
        absentable("until", calendar_date(), "No date of the result is after it."),
        absentable("by_weekday", Array(_WEEKDAY, 1, 20), "A filter."),
        absentable(
            "by_month_day", Array(AnyOf((Integer(1, 31), Integer(-31, -1))), 1, 31), "A filter."
        ),
        absentable("by_month", Array(Integer(1, 12), 1, 12), "A filter."),
        absentable(
            "by_set_pos",
            Array(AnyOf((Integer(1, 366), Integer(-366, -1))), 1, 20),
            "The positions to keep.",
        ),
        optional("week_start", Choice(*_WEEKDAYS), "MO", "The day on which a week begins."),
        optional("exclude", Array(calendar_date(), 0, 200), [], "Dates to take out."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("bad_limit", "Both `count` and `until` are given, or neither is."),
        ErrorCode("until_before_start", "`until` is before `start`."),
        ErrorCode(
            "bad_combination",
            "`freq` is `daily` or `weekly`, and an element of `by_weekday` has a number (`2TU`).",
        ),
        ErrorCode(
            "too_many",
            "More than 1000 dates are generated, excluded ones included.",
        ),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        _rule("2024-01-31", "monthly", by_weekday=["-1FR"], count=4, exclude=["2024-03-29"]),
        {
            "dates": ["2024-02-23", "2024-04-26", "2024-05-31"],
            "generated": 4,
            "excluded": 1,
            "complete": True,
        },
    ),
    boundaries=_BOUNDARIES,
    examples=(
        Case(
            _rule(
                *("2024-05-15", "monthly"),
                by_weekday=["MO", "FR"],
                by_set_pos=[1, -1],
                until="2024-07-05",
                exclude=["2024-05-31"],
            ),
            _expanded("2024-06-03", "2024-06-28", "2024-07-01", excluded=1),
        ),
        Case(
            _rule("2024-01-01", "weekly", count=2, by_weekday=["WE", "1MO"]),
            error="bad_combination",
        ),
    ),
    malformed=(
        _rule("2024-01-32", "daily", count=1),
        _rule("2023-02-29", "yearly", count=1),
        _rule("2024-01-01", "DAILY", count=1),
        _rule("2024-01-01", "hourly", count=1),
        _rule("2024-01-01", "daily", count=0),
        _rule("2024-01-01", "daily", count=501),
        _rule("2024-01-01", "daily", count=True),
        _rule("2024-01-01", "daily", count=2.0),
        _rule("2024-01-01", "daily", count=None, until="2024-01-02"),
        _rule("2024-01-01", "daily", count=1, until=None),
        _rule("2024-01-01", "daily", until="2024-1-2"),
        _rule("2024-01-01", "daily", until="2200-01-01"),
        _rule("2024-01-01", "daily", count=1, interval=0),
        _rule("2024-01-01", "daily", count=1, interval=-1),
        _rule("2024-01-01", "daily", count=1, interval=1.0),
        _rule("2024-01-01", "monthly", count=1, by_weekday=[]),
        _rule("2024-01-01", "monthly", count=1, by_weekday="MO"),
        _rule("2024-01-01", "monthly", count=1, by_weekday=["mo"]),
        _rule("2024-01-01", "monthly", count=1, by_weekday=["MO", "0MO"]),
        _rule("2024-01-01", "monthly", count=1, by_weekday=["6MO"]),
        _rule("2024-01-01", "monthly", count=1, by_weekday=["+1MO"]),
        _rule("2024-01-01", "monthly", count=1, by_weekday=[1]),
        _rule("2024-01-01", "monthly", count=1, by_month_day=[1, 0]),
        _rule("2024-01-01", "monthly", count=1, by_month_day=[32]),
        _rule("2024-01-01", "monthly", count=1, by_month_day=[-32]),
        _rule("2024-01-01", "monthly", count=1, by_month_day=[True]),
        _rule("2024-01-01", "monthly", count=1, by_month_day=["-1"]),
        _rule("2024-01-01", "monthly", count=1, by_month=[0]),
        _rule("2024-01-01", "monthly", count=1, by_month=[13]),
        _rule("2024-01-01", "monthly", count=1, by_month=[1.0]),
        _rule("2024-01-01", "monthly", count=1, by_month=1),
        _rule("2024-01-01", "monthly", count=1, by_set_pos=[0]),
        _rule("2024-01-01", "monthly", count=1, by_set_pos=[367]),
        _rule("2024-01-01", "monthly", count=1, by_set_pos=[]),
        _rule("2024-01-01", "monthly", count=1, by_set_pos=None),
        _rule("2024-01-01", "weekly", count=1, week_start="mo"),
        _rule("2024-01-01", "weekly", count=1, week_start=1),
        _rule("2024-01-01", "weekly", count=1, week_start="1MO"),
        _rule("2024-01-01", "daily", count=1, exclude="2024-01-01"),
        _rule("2024-01-01", "daily", count=1, exclude=["2024-01-01", 20240102]),
        _rule("2024-01-01", "daily", count=1, exclude=["2024-04-31"]),
        _rule("2024-01-01", "daily", count=1, exclude=None),
    ),
)
