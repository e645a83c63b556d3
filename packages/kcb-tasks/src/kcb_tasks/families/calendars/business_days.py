"""Business days: moving by a number of them and counting them, with holidays."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from itertools import count, islice
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Choice, Integer, absentable, calendar_date, optional, required

_SUMMARY = """\
Moves a date by a number of business days, or counts business days. The days of the week have the
numbers 1 (Monday) to 7 (Sunday). A day is a business day if the number of its day of the week is
not in `weekend` and its date is not in `holidays`.

`op` says what is computed:

- `add` finds a business day. It depends on the sign of `days`:
  - `days` > 0: go forward from `start`, one calendar day at a time. The answer is the business day
    number `days` that is met. `start` itself is not counted.
  - `days` < 0: the same, but go backward and take the business day number `-days`.
  - `days` = 0: the answer is `start` if it is a business day. Otherwise it is the first business
    day after `start` if `roll` is `forward`, and the last one before `start` if it is `backward`.
- `count` counts the business days d with `start` <= d < `end`. If `end` is before `start`, the
  answer is minus the number of business days d with `end` <= d < `start`."""

_RESULT = """\
- `add`: an object `{"date": d, "span": n}`. `date` is the day that was found, as `YYYY-MM-DD`.
  `span` is the number of calendar days from `start` to it.
- `count`: an object `{"count": c, "span": n}`. `span` is the number of calendar days from `start`
  to `end`.

`count` and `span` are integers. `span` is negative if the later date of the two is `start`, and 0
if both are equal."""

_RULES = """\
- If `days` is not 0, `roll` has no effect. From a `start` that is no business day, `days` 1 gives
  the next business day and `days` -1 the one before.
- `weekend` and `holidays` may hold the same value more than once, in any order. A holiday may also
  be a day of the weekend. If `weekend` is `[]`, all days but the holidays are
  business days.
- The date that `add` finds may lie before 1900 or after 2199.
- `add` ignores `end`, and `count` ignores `days` and `roll`; but if they are there, they must be
  valid."""


def _evaluate(fields: Mapping[str, Any]) -> Json:
    operand = fields.get("days" if fields["op"] == "add" else "end")
    if operand is None:
        raise DomainError("missing_operand")
    if len(set(fields["weekend"])) == 7:
        raise DomainError("no_business_day")
    is_business = _business_days(fields)
    start = _ordinal(fields["start"])
    if fields["op"] == "add":
        found = _moved(start, operand, fields["roll"], is_business)
        return {"date": date.fromordinal(found).isoformat(), "span": found - start}
    end = _ordinal(operand)
    low, high = sorted((start, end))
    total = sum(map(is_business, range(low, high)))
    return {"count": total if start < end else -total, "span": end - start}


def _business_days(fields: Mapping[str, Any]) -> Callable[[int], bool]:
    """Which ordinal numbers are business days."""
    weekend = frozenset(fields["weekend"])
    holidays = frozenset(map(_ordinal, fields["holidays"]))
    return lambda day: (day % 7 or 7) not in weekend and day not in holidays


def _moved(start: int, days: int, roll: str, is_business: Callable[[int], bool]) -> int:
    if days == 0:
        if is_business(start):
            return start
        days = 1 if roll == "forward" else -1
    step = 1 if days > 0 else -1
    met = filter(is_business, count(start + step, step))
    return next(islice(met, abs(days) - 1, None))


def _ordinal(text: str) -> int:
    return date.fromisoformat(text).toordinal()


def _generate(rng: random.Random) -> dict[str, Json]:
    op = rng.choice(["add", "add", "count"])
    start = date.fromisoformat(rng.choice(_STARTS)) + timedelta(days=rng.randint(0, 13))
    drawn: dict[str, Json] = {"op": op, "start": start.isoformat()}
    if rng.random() < (0.9 if op == "add" else 0.15):
        drawn["days"] = _draw_days(rng)
    if rng.random() < (0.9 if op == "count" else 0.15):
        drawn["end"] = (start + timedelta(days=rng.randint(-25, 40))).isoformat()
    if rng.random() < 0.6:
        drawn["weekend"] = _draw_weekend(rng)
    if rng.random() < 0.7:
        near = [start + timedelta(days=rng.randint(-9, 12)) for _ in range(rng.randint(0, 9))]
        drawn["holidays"] = [day.isoformat() for day in near]
        drawn["holidays"] += drawn["holidays"][: rng.randint(0, 2)]
    if rng.random() < 0.5:
        drawn["roll"] = rng.choice(["forward", "backward", "backward"])
    return drawn


def _draw_days(rng: random.Random) -> int:
    if rng.random() < 0.4:
        return 0
    return rng.choice([1, -1, 1, -1, 2, -3, 5, 10, -12, rng.randint(-2_000, 2_000)])


def _draw_weekend(rng: random.Random) -> list[Json]:
    """Mostly a few days, now and then all seven."""
    if rng.random() < 0.2:
        days: list[Json] = [1, 2, 3, 4, 5, 6, 7]
        rng.shuffle(days)
        return days
    return [rng.randint(1, 7) for _ in range(rng.choice([0, 1, 2, 3, 4, 7]))]


# Around the ends of months and years, leap days and century years.
_STARTS = (
    *("2024-02-20", "2023-02-20", "2000-02-22", "2100-02-22", "1900-02-22", "2024-12-20"),
    *("2020-12-24", "2021-05-24", "1999-12-24", "1950-06-26"),
)


def _case(
    op: str,
    start: str,
    found: str | int | None = None,
    span: int = 0,
    *,
    error: str | None = None,
    **more: Json,
) -> Case:
    fields: dict[str, Json] = {"op": op, "start": start, **more}
    if error:
        return Case(fields, error=error)
    return Case(fields, {"date" if op == "add" else "count": found, "span": span})


_ALL_WEEK = [1, 2, 3, 4, 5, 6, 7]

_BOUNDARIES = (
    # Moving: the start is not counted, and nothing is rolled before. 2024-06-01 is a Saturday.
    _case("add", "2024-06-02", "2024-06-03", 1, days=1),
    _case("add", "2024-06-02", "2024-05-31", -2, days=-1),
    _case("add", "2024-05-31", "2024-06-03", 3, days=1),
    _case("add", "2024-06-03", "2024-05-31", -3, days=-1),
    _case("add", "2024-06-01", "2024-06-03", 2, days=1, roll="backward"),
    _case("add", "2024-06-01", "2024-05-31", -1, days=-1, roll="forward"),
    _case("add", "2024-06-05", "2024-06-12", 7, days=5),
    _case("add", "2024-06-05", "2024-05-29", -7, days=-5),
    # Rolling with no days.
    _case("add", "2024-06-01", "2024-05-31", -1, days=0, roll="backward"),
    _case("add", "2024-06-01", "2024-06-03", 2, days=0),
    _case("add", "2024-06-03", "2024-06-03", 0, days=0, roll="backward"),
    _case("add", "2024-06-01", "2024-06-04", 3, days=0, holidays=["2024-06-03"]),
    _case(
        *("add", "2024-06-04", "2024-05-31", -4),
        days=0,
        roll="backward",
        holidays=["2024-06-04", "2024-06-03"],
    ),
    # Holidays and weekends: repeats, holidays on weekends, unusual weekends.
    _case(
        *("add", "2024-06-07", "2024-06-12", 5),
        days=2,
        holidays=["2024-06-10", "2024-06-08", "2024-06-10", "2024-06-08"],
    ),
    _case("add", "2024-06-01", "2024-06-04", 3, days=3, weekend=[]),
    _case("add", "2024-06-01", "2024-06-05", 4, days=3, weekend=[], holidays=["2024-06-02"]),
    _case("add", "2024-06-06", "2024-06-09", 3, days=1, weekend=[5, 6, 5]),
    _case("add", "2024-06-07", "2024-06-09", 2, days=1, weekend=[6, 6, 6, 6, 6, 6, 6]),
    _case("add", "2024-06-02", "2024-06-23", 21, days=3, weekend=[1, 2, 3, 4, 5, 6]),
    # Far away: 2,000 Sundays, and dates beyond the range of the input.
    _case("add", "1900-01-01", "1938-05-01", 13_999, days=2_000, weekend=[1, 2, 3, 4, 5, 6]),
    _case("add", "2199-12-31", "2200-01-01", 1, days=1),
    _case("add", "1900-01-01", "1899-12-29", -3, days=-1),
    # Counting: the first day is included, the last one is not.
    _case("count", "2024-06-03", 1, 1, end="2024-06-04"),
    _case("count", "2024-06-03", 0, 0, end="2024-06-03"),
    _case("count", "2024-06-01", 0, 2, end="2024-06-03"),
    _case("count", "2024-06-07", 1, 3, end="2024-06-10", days=5, roll="backward"),
    _case(
        *("count", "2024-04-08", -5, -11),
        end="2024-03-28",
        holidays=["2024-03-29", "2024-04-01"],
    ),
    _case("count", "2024-06-04", -1, -1, end="2024-06-03"),
    _case("count", "2024-06-10", -1, -3, end="2024-06-07"),
    _case("count", "2024-06-04", 0, -1, end="2024-06-03", holidays=["2024-06-03"]),
    _case("count", "2024-06-03", 4, 7, end="2024-06-10", holidays=["2024-06-05", "2024-06-05"]),
    _case("count", "2024-02-28", 2, 2, end="2024-03-01"),
    _case("count", "1900-02-28", 1, 1, end="1900-03-01"),
    _case("count", "1900-01-01", 15_653, 109_572, end="2199-12-31", weekend=[1, 2, 3, 4, 5, 6]),
    # Errors, and which of two comes first.
    _case("add", "2024-06-01", end="2024-06-02", weekend=_ALL_WEEK, error="missing_operand"),
    _case("count", "2024-06-01", days=1, error="missing_operand"),
    _case("count", "2024-06-01", days=1, weekend=_ALL_WEEK, error="missing_operand"),
    _case("count", "2024-06-01", end="2024-06-02", weekend=_ALL_WEEK, error="no_business_day"),
    _case("count", "2024-06-01", end="2024-06-01", weekend=_ALL_WEEK, error="no_business_day"),
    _case("add", "2024-06-01", days=0, weekend=[7, 6, 5, 4, 3, 2, 1], error="no_business_day"),
    _case("add", "2023-02-29", days=1, error="invalid_field"),
)

FAMILY = Family(
    number=11,
    slug="business-days",
    title="Business-day arithmetic",
    category="calendars",
    difficulty=Difficulty.STRAIGHTFORWARD,
    summary=_SUMMARY,
    fields=(
        required("op", Choice("add", "count"), "What is computed."),
        required("start", calendar_date(), "The day from which `op` starts."),
        absentable("days", Integer(-2_000, 2_000), "How far `add` moves; `add` needs it."),
        absentable("end", calendar_date(), "The day up to which `count` counts; it needs it."),
        optional(
            "weekend",
            Array(Integer(1, 7), 0, 7),
            [6, 7],
            "Numbers of the days of the week that are no business days.",
        ),
        optional(
            "holidays",
            Array(calendar_date(), 0, 400),
            [],
            "Further dates that are no business days.",
        ),
        optional("roll", Choice("forward", "backward"), "forward", "The direction if `days` is 0."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode(
            "missing_operand", "`op` is `add` and there is no `days`, or `count` and no `end`."
        ),
        ErrorCode("no_business_day", "`weekend` contains all seven days, whatever `op` is."),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        {"op": "add", "start": "2024-03-28", "days": 5, "holidays": ["2024-03-29", "2024-04-01"]},
        {"date": "2024-04-08", "span": 11},
    ),
    boundaries=_BOUNDARIES,
    examples=(
        _case(
            *("add", "2024-12-21", "2024-12-16", -5),
            days=-4,
            holidays=["2024-12-19", "2024-12-15"],
        ),
        _case("count", "2024-06-03", days=3, roll="backward", error="missing_operand"),
    ),
    malformed=(
        {"op": "ADD", "start": "2024-06-03", "days": 1},
        {"op": "sub", "start": "2024-06-03", "days": 1},
        {"op": "add", "start": "2024-6-3", "days": 1},
        {"op": "add", "start": "2024-06-31", "days": 1},
        {"op": "add", "start": "2100-02-29", "days": 1},
        {"op": "add", "start": "2024-06-03T00:00:00", "days": 1},
        {"op": "add", "start": 20240603, "days": 1},
        {"op": "add", "start": "2024-06-03", "days": True},
        {"op": "add", "start": "2024-06-03", "days": 5.0},
        {"op": "add", "start": "2024-06-03", "days": "5"},
        {"op": "add", "start": "2024-06-03", "days": 2_001},
        {"op": "add", "start": "2024-06-03", "days": None},
        {"op": "count", "start": "2024-06-03", "end": None},
        {"op": "count", "start": "2024-06-03", "end": "2200-01-01"},
        {"op": "count", "start": "2024-06-03", "end": ""},
        {"op": "add", "start": "2024-06-03", "days": 1, "end": "tomorrow"},
        {"op": "count", "start": "2024-06-03", "end": "2024-06-04", "days": 2.0},
        {"op": "count", "start": "2024-06-03", "end": "2024-06-04", "roll": "up"},
        {"op": "add", "start": "2024-06-03", "days": 1, "weekend": [0]},
        {"op": "add", "start": "2024-06-03", "days": 1, "weekend": [8]},
        {"op": "add", "start": "2024-06-03", "days": 1, "weekend": [6, True]},
        {"op": "add", "start": "2024-06-03", "days": 1, "weekend": [6.0]},
        {"op": "add", "start": "2024-06-03", "days": 1, "weekend": ["SA"]},
        {"op": "add", "start": "2024-06-03", "days": 1, "weekend": [6, 6, 6, 6, 6, 6, 6, 7]},
        {"op": "add", "start": "2024-06-03", "days": 1, "weekend": 7},
        {"op": "add", "start": "2024-06-03", "days": 1, "holidays": ["2024-06-04", "2024-06-32"]},
        {"op": "add", "start": "2024-06-03", "days": 1, "holidays": [None]},
        {"op": "add", "start": "2024-06-03", "days": 1, "holidays": "2024-06-04"},
        {"op": "add", "start": "2024-06-03", "days": 1, "holidays": ["2024-06-04"] * 401},
        {"op": "add", "start": "2024-06-03", "days": 1, "roll": None},
        {"op": "add", "start": "2024-06-03", "days": 1, "roll": "Forward"},
    ),
)
