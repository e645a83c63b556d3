"""Cron expressions: five fields parsed, and the minutes that they select."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from itertools import islice
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Integer, Pattern, Text, calendar_date, optional, required

_SUMMARY = """\
Finds the next times at which a cron expression fires. Times have minutes but no seconds. There is
no time zone; the Gregorian calendar holds for all years.

**Fields.** `expr` is split into fields at runs of spaces (U+0020) and tabs (U+0009). Such runs at
its start and its end are ignored. There must be five fields, in this order:

- minute: 0 to 59
- hour: 0 to 23
- day of the month: 1 to 31
- month: 1 to 12. The names of the months are `JAN` (1), `FEB`, `MAR`, `APR`, `MAY`, `JUN`, `JUL`,
  `AUG`, `SEP`, `OCT`, `NOV` and `DEC` (12).
- day of the week: 0 to 7; 0 and 7 are both Sunday. The names are `SUN` (0), `MON` (1), `TUE`,
  `WED`, `THU`, `FRI` and `SAT` (6).

A field is a list of one or more items with a comma between two of them. It allows all values that
at least one of its items allows. An item has one of these forms:

- `a`: the value a.
- `a-b`: all values from a to b. a must not be greater than b.
- `*`: all values of the field. For the day of the week these are 0 to 6.
- `a-b/s` or `*/s`: of the values of `a-b` or `*` the first one and then every s-th one:
  `10-20/4` allows 10, 14, 18. The step s is one or two ASCII digits, from 1 to 59.

A value (`a` or `b`) is one or two ASCII digits (`5` and `05` are the same), or a name of its field.
Names consist of ASCII letters; upper and lower case are the same.

**Days.** A field is restricted if its text does not begin with `*`. A day matches if its month is
allowed and this holds:

- If day of the month and day of the week are both restricted, at least one of them allows the day.
- Otherwise both allow the day.

The expression fires at each minute that is allowed, in each hour that is allowed, on each day that
matches.

**Search.** Only times strictly after `from` count, up to the end of the year of `from` plus 12
(31 December, 23:59)."""

_RESULT = """\
An object with these members:

- `fires`: an array of the first `n` such times, or of all if there are fewer; strings
  `YYYY-MM-DDTHH:MM`, ascending.
- `sizes`: an array of five integers: how many different values each field allows, in the order of
  the fields. The days of the week 0 and 7 are one value.
- `exhausted`: a boolean: whether there are fewer than `n` such times."""

_RULES = """\
- `*/2` begins with `*`, so it is not restricted, although it does not allow all values. With `*/2`
  as day of the month and `MON` as day of the week, both must allow the day. `5,*` is restricted.
- `5-7` as day of the week allows Friday, Saturday and Sunday. `FRI-SUN` is 5 to 0, an error.
- Days that do not exist, such as 31 April, never match.
- `from` itself is never in `fires`, even if the expression fires at that time."""

_NAMES: tuple[tuple[str, ...], ...] = (
    *((), (), ()),
    ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"),
    ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"),
)
_EVERY = (range(60), range(24), range(1, 32), range(1, 13), range(7))
_HIGHEST = (59, 23, 31, 12, 7)
_VALUE = r"([0-9]{1,2}|[A-Za-z]{3})"
_ITEM = re.compile(rf"(?:\*|{_VALUE}-{_VALUE})(?:/([0-9]{{1,2}}))?|{_VALUE}")
_YEARS = 12

_Allowed = list[set[int]]


def _evaluate(fields: Mapping[str, Any]) -> Json:
    texts = re.findall(r"[^ \t]+", fields["expr"])
    if len(texts) != 5:
        raise DomainError("bad_expression")
    allowed = [_values(text, number) for number, text in enumerate(texts)]
    either = not texts[2].startswith("*") and not texts[4].startswith("*")
    after = datetime.fromisoformat(fields["from"])
    fires = list(islice(_fires(allowed, either, after), fields["n"]))
    if not fires:
        raise DomainError("never_fires")
    return {
        "fires": [moment.isoformat(timespec="minutes") for moment in fires],
        "sizes": [len(values) for values in allowed],
        "exhausted": len(fires) < fields["n"],
    }


def _values(text: str, number: int) -> set[int]:
    """What a field allows, with Sunday as 0 only."""
    found: set[int] = set()
    for item in text.split(","):
        found.update(_item_values(item, number))
    return {0 if number == 4 and value == 7 else value for value in found}


def _item_values(item: str, number: int) -> range:
    match = _ITEM.fullmatch(item)
    if match is None:
        raise DomainError("bad_field")
    first, last, step, single = match.groups()
    if single:
        first = last = single
    every = _EVERY[number]
    start = _value(first, number) if first else every[0]
    end = _value(last, number) if last else every[-1]
    gap = int(step or 1)
    if not (every[0] <= start <= end <= _HIGHEST[number] and 1 <= gap <= 59):
        raise DomainError("bad_field")
    return range(start, end + 1, gap)


def _value(text: str, number: int) -> int:
    if text.isdigit():
        return int(text)
    if text.upper() not in _NAMES[number]:
        raise DomainError("bad_field")
    return _NAMES[number].index(text.upper()) + _EVERY[number][0]


def _fires(allowed: _Allowed, either: bool, after: datetime) -> Iterator[datetime]:
    """The times after a moment, until the search ends."""
    minutes, hours, *_ = map(sorted, allowed)
    day = after.date()
    while day.year <= after.year + _YEARS:
        if _matches(day, allowed, either):
            times = (datetime(day.year, day.month, day.day, h, m) for h in hours for m in minutes)
            yield from (moment for moment in times if moment > after)
        day += timedelta(days=1)


def _matches(day: date, allowed: _Allowed, either: bool) -> bool:
    in_month, in_week = day.day in allowed[2], day.isoweekday() % 7 in allowed[4]
    fits = in_month or in_week if either else in_month and in_week
    return fits and day.month in allowed[3]


def _generate(rng: random.Random) -> dict[str, Json]:
    texts = [_draw_field(rng, number) for number in range(5)]
    if rng.random() < 0.12:
        texts[2:] = rng.choice(_SELDOM)
    if rng.random() < 0.1:
        texts[rng.randrange(5)] = rng.choice(_WRONG)
    if rng.random() < 0.08:
        texts = texts[: rng.randrange(5)] if rng.random() < 0.5 else [*texts, "*"]
    gaps = [rng.choice([" ", " ", "  ", "\t", " \t"]) for _ in texts]
    expr = "".join(text + gap for text, gap in zip(texts, gaps, strict=True))
    day = date.fromisoformat(rng.choice(_DAYS)) + timedelta(days=rng.choice([0, 0, 1, 20]))
    time = f"{rng.choice([0, 8, 12, 23]):02}:{rng.choice([0, 15, 30, 59]):02}"
    drawn: dict[str, Json] = {
        "expr": rng.choice(["", "", " ", "\t"]) + (expr if rng.random() < 0.3 else expr.strip()),
        "from": f"{day.isoformat()}T{time}",
    }
    if rng.random() < 0.7:
        drawn["n"] = rng.choice([1, 2, 3, 4, 6, 12, 40])
    return drawn


def _draw_field(rng: random.Random, number: int) -> str:
    if rng.random() < 0.3:
        return "*"
    items = [_draw_item(rng, number) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
    return ",".join(items)


def _draw_item(rng: random.Random, number: int) -> str:
    low, high = _EVERY[number][0], _HIGHEST[number]
    first = rng.choice([low, high, rng.randint(low, high), rng.randint(low, high)])
    last = rng.randint(first, high)
    kind = rng.choice(["value", "value", "range", "range", "steps", "all steps"])
    step = rng.choice([1, 2, 3, 7, 10, 25])
    if kind == "all steps":
        return f"*/{step}"
    if kind == "value":
        return _draw_value(rng, first, number)
    item = f"{_draw_value(rng, first, number)}-{_draw_value(rng, last, number)}"
    return f"{item}/{step:0{rng.choice([1, 2])}}" if kind == "steps" else item


def _draw_value(rng: random.Random, value: int, number: int) -> str:
    name = dict(enumerate(_NAMES[number], start=_EVERY[number][0])).get(value)
    if name and rng.random() < 0.5:
        return rng.choice([name, name.lower(), name.capitalize()])
    return rng.choice([str(value), f"{value:02}"])


# Days, months and days of the week that go together seldom or never.
_SELDOM = (
    *(["30", "2", "*"], ["31", "APR,6,9-SEP/2", "*/1"], ["30,31", "feb", "*"]),
    *(["29", "2", "*"], ["29", "2", "*/7"], ["30", "2", "*/3"], ["*/31", "*", "MON"]),
    *(["29", "2", "3"], ["13", "*", "*/5"], ["*/2", "12", "fri"]),
)
_WRONG = (
    *("60", "*/0", "5/10", "", "1,", "-1", "3-1", "100", "*/60", "x", "1-2-3", "**", "*-5", "0x1"),
    *("JANUARY", "frı", "ſun", "٣", "５", "1\u00a02", "1.0", "?", "L", "+1", "*/2/3", "MON-SUN"),
)
# Ends of years, leap days and a century year without one.
_DAYS = (
    *("2024-02-28", "2023-12-31", "2024-10-11", "2024-01-01", "2094-03-01", "2096-02-29"),
    *("2199-12-11", "1900-02-27", "2024-03-30"),
)


def _cron(expr: str, since: str, n: int | None = None) -> dict[str, Json]:
    """An input; a date stands for its first minute."""
    since = since if "T" in since else since + "T00:00"
    fields: dict[str, Json] = {"expr": expr, "from": since}
    return fields if n is None else {**fields, "n": n}


def _fired(sizes: list[Json], *fires: str, exhausted: bool = False) -> dict[str, Json]:
    return {"fires": list(fires), "sizes": sizes, "exhausted": exhausted}


def _daily(*days: str) -> list[str]:
    return [f"{day}T00:00" for day in days]


_BOUNDARIES = (
    # Which days match: both fields restricted, one of them, none. 2024-01-01 is a Monday.
    Case(
        _cron("0 0 */10 * 1", "2024-01-01", 2),
        _fired([1, 1, 4, 12, 1], *_daily("2024-03-11", "2024-04-01")),
    ),
    Case(
        _cron("0 0 10-12 1 WED", "2024-01-01", 6),
        _fired(
            [1, 1, 3, 1, 1],
            *_daily("2024-01-03", "2024-01-10", "2024-01-11", "2024-01-12"),
            *_daily("2024-01-17", "2024-01-24"),
        ),
    ),
    Case(
        _cron("0 0 * 1 WED", "2024-01-01", 2),
        _fired([1, 1, 31, 1, 1], *_daily("2024-01-03", "2024-01-10")),
    ),
    Case(
        _cron("0 0 13 * */5", "2024-01-01", 2),
        _fired([1, 1, 1, 12, 2], *_daily("2024-09-13", "2024-10-13")),
    ),
    Case(
        _cron("0 0 31,*/31 1 2", "2024-01-02", 3),
        _fired([1, 1, 2, 1, 1], *_daily("2024-01-09", "2024-01-16", "2024-01-23")),
    ),
    Case(
        _cron("0 0 */31,31 1 2", "2024-01-02", 1),
        _fired([1, 1, 2, 1, 1], *_daily("2030-01-01")),
    ),
    Case(
        _cron("0 0 5,* 1 2", "2024-01-30", 2),
        _fired([1, 1, 31, 1, 1], *_daily("2024-01-31", "2025-01-01")),
    ),
    # Sunday is 0 and 7; ranges up to 7; steps count from the start of the range.
    Case(
        _cron("0 0 * * 7", "2024-01-01", 2),
        _fired([1, 1, 31, 12, 1], *_daily("2024-01-07", "2024-01-14")),
    ),
    Case(
        _cron("0 0 * * 5-7", "2024-01-01", 4),
        _fired(
            [1, 1, 31, 12, 3],
            *_daily("2024-01-05", "2024-01-06", "2024-01-07", "2024-01-12"),
        ),
    ),
    Case(
        _cron("0 0 * * 0,07,SUN", "2024-01-01", 1),
        _fired([1, 1, 31, 12, 1], *_daily("2024-01-07")),
    ),
    Case(
        _cron("0 0 * * 0-7", "2024-01-01", 1),
        _fired([1, 1, 31, 12, 7], *_daily("2024-01-02")),
    ),
    Case(
        _cron("0 0 * * 1-7/3", "2024-01-01", 3),
        _fired([1, 1, 31, 12, 3], *_daily("2024-01-04", "2024-01-07", "2024-01-08")),
    ),
    Case(
        _cron("0 0 * * */7", "2024-01-01", 1),
        _fired([1, 1, 31, 12, 1], *_daily("2024-01-07")),
    ),
    Case(
        _cron("\t5-59/25 23 31 12 6-7", "2023-12-31T23:05", 2),
        _fired([3, 1, 1, 1, 2], "2023-12-31T23:30", "2023-12-31T23:55"),
    ),
    Case(
        _cron("10-20/4 7-7/59 * * *", "2024-02-28T07:14", 3),
        _fired([3, 1, 31, 12, 7], "2024-02-28T07:18", "2024-02-29T07:10", "2024-02-29T07:14"),
    ),
    # Names in any case, mixed with numbers; leading zeros; items that overlap.
    Case(
        _cron("00 06 01 jan,Jul-08 *", "2024-01-01T06:00", 3),
        _fired([1, 1, 1, 3, 7], "2024-07-01T06:00", "2024-08-01T06:00", "2025-01-01T06:00"),
    ),
    Case(
        _cron("0,0,0-0 0 * 2-FEB mOn-2", "2024-02-05", 2),
        _fired([1, 1, 31, 1, 2], *_daily("2024-02-06", "2024-02-12")),
    ),
    # The start is left out; fires come in order; the default for n is 5.
    Case(
        _cron("*/30 22,23 * * *", "2024-12-31T22:30"),
        _fired(
            [2, 2, 31, 12, 7],
            *("2024-12-31T23:00", "2024-12-31T23:30", "2025-01-01T22:00"),
            *("2025-01-01T22:30", "2025-01-01T23:00"),
        ),
    ),
    Case(
        _cron("59,0 23,0 * * *", "2024-02-29T23:58", 3),
        _fired([2, 2, 31, 12, 7], "2024-02-29T23:59", "2024-03-01T00:00", "2024-03-01T00:59"),
    ),
    Case(
        _cron("  0 0\t31 \t * * ", "2024-01-31", 3),
        _fired([1, 1, 1, 12, 7], *_daily("2024-03-31", "2024-05-31", "2024-07-31")),
    ),
    # The end of the search: 31 December, 12 years later.
    Case(
        _cron("0 0 29 2 *", "2094-03-01", 3),
        _fired([1, 1, 1, 1, 7], *_daily("2096-02-29", "2104-02-29"), exhausted=True),
    ),
    Case(
        _cron("0 0 29 2 *", "2094-03-01", 2),
        _fired([1, 1, 1, 1, 7], *_daily("2096-02-29", "2104-02-29")),
    ),
    Case(
        _cron("0 0 29 2 *", "2092-02-29", 3),
        _fired([1, 1, 1, 1, 7], *_daily("2096-02-29", "2104-02-29"), exhausted=True),
    ),
    Case(
        _cron("0 0 29 2 *", "2091-12-31T23:59", 3),
        _fired([1, 1, 1, 1, 7], *_daily("2092-02-29", "2096-02-29"), exhausted=True),
    ),
    Case(
        _cron("59 23 31 12 *", "2188-01-01", 100),
        _fired(
            [1, 1, 1, 1, 7],
            *(f"{year}-12-31T23:59" for year in range(2188, 2201)),
            exhausted=True,
        ),
    ),
    Case(
        _cron("0 0 29 2 */7", "2024-03-01", 2),
        _fired([1, 1, 1, 1, 1], *_daily("2032-02-29"), exhausted=True),
    ),
    Case(_cron("0 0 29 2 */7", "2032-02-29"), error="never_fires"),
    Case(_cron("0 0 30 2 *", "2024-01-01"), error="never_fires"),
    Case(_cron("0 0 31 4,6,9,11,2 */1", "2024-01-01"), error="never_fires"),
    # What is no expression of five fields.
    Case(_cron("0 0 1 1", "2024-01-01"), error="bad_expression"),
    Case(_cron("", "2024-01-01"), error="bad_expression"),
    Case(_cron(" \t ", "2024-01-01"), error="bad_expression"),
    Case(_cron("0 0 1 1 * *", "2024-01-01"), error="bad_expression"),
    Case(_cron("0 0 1 1, 2 *", "2024-01-01"), error="bad_expression"),
    Case(_cron("0 0 1\n1 *", "2024-01-01"), error="bad_expression"),
    Case(_cron("60 0 30 2", "2024-01-01"), error="bad_expression"),
    Case(_cron("x y", "2024-01-01"), error="bad_expression"),
    # What is no field.
    Case(_cron("0 0 1 1 FRI-SUN", "2024-01-01"), error="bad_field"),
    Case(_cron("5/10 0 1 1 *", "2024-01-01"), error="bad_field"),
    Case(_cron("60 0 30 2 *", "2024-01-01"), error="bad_field"),
    Case(_cron("0 24 1 1 *", "2024-01-01"), error="bad_field"),
    Case(_cron("0 0 0 1 *", "2024-01-01"), error="bad_field"),
    Case(_cron("0 0 32 1 *", "2024-01-01"), error="bad_field"),
    Case(_cron("0 0 1 0-3 *", "2024-01-01"), error="bad_field"),
    Case(_cron("0 0 1 13 *", "2024-01-01"), error="bad_field"),
    Case(_cron("0 0 1 1 8", "2024-01-01"), error="bad_field"),
    Case(_cron("000 0 1 1 *", "2024-01-01"), error="bad_field"),
    Case(_cron("*/0 0 1 1 *", "2024-01-01"), error="bad_field"),
    Case(_cron("*/60 0 1 1 *", "2024-01-01"), error="bad_field"),
    Case(_cron("0-9/005 0 1 1 *", "2024-01-01"), error="bad_field"),
    Case(_cron("0 0 1, 1 *", "2024-01-01"), error="bad_field"),
    Case(_cron("0 0 3-1 1 *", "2024-01-01"), error="bad_field"),
    Case(_cron("0 0 1-*/2 1 *", "2024-01-01"), error="bad_field"),
    Case(_cron("0 0 MON 1 *", "2024-01-01"), error="bad_field"),
    Case(_cron("0 0 1 MON *", "2024-01-01"), error="bad_field"),
    Case(_cron("0 0 1 1 ſun", "2024-01-01"), error="bad_field"),
    Case(_cron("0 0 1 1 ４", "2024-01-01"), error="bad_field"),
    Case(_cron("0 0 1 1 *\n", "2024-01-01"), error="bad_field"),
    Case(_cron("0\u00a00 0 1 1 *", "2024-01-01"), error="bad_field"),
)

_MINUTE = Pattern(
    r"(?:19|20|21)[0-9]{2}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-5][0-9]",
    "a time `YYYY-MM-DDTHH:MM` (ASCII digits): the day exists in the Gregorian calendar and is "
    "from `1900-01-01` to `2199-12-31`, HH is `00` to `23`, MM is `00` to `59`",
    ("2024-02-29T00:00", "1900-01-01T00:00", "2199-12-31T23:59"),
    ("2024-02-29T24:00", "2024-02-29T23:60", "2023-02-29T00:00", "2024-02-29 00:00",
     "2024-02-29T00:00:00", "2024-02-29t00:00", "2024-02-29", "2024-02-29T0:00", "1899-12-31T23:59",
     "2200-01-01T00:00", "2024-02-29T00:00Z", "2024-02-29T００:00"),
    check=lambda text: calendar_date().admits(text[:10]),
)  # fmt: skip


FAMILY = Family(
    number=13,
    slug="cron-expand",
    title="Cron expression expansion",
    category="calendars",
    difficulty=Difficulty.MEDIUM,
    summary=_SUMMARY,
    fields=(
        required("expr", Text(0, 200), "The cron expression."),
        required("from", _MINUTE, "The times of the result are after it."),
        optional("n", Integer(1, 100), 5, "How many times are wanted."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("bad_expression", "`expr` does not have exactly five fields."),
        ErrorCode(
            "bad_field",
            "An item of some field has none of these forms, or its value or step is not allowed. "
            "So an empty item, `a-b` with a > b, and a step after a single value (`5/10`) are "
            "errors.",
        ),
        ErrorCode("never_fires", "There is no time after `from` before the search ends."),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        {"expr": "30 8,20 13 OCT-NOV fri", "from": "2024-10-11T08:30", "n": 4},
        {
            "fires": [
                "2024-10-11T20:30",
                "2024-10-13T08:30",
                "2024-10-13T20:30",
                "2024-10-18T08:30",
            ],
            "sizes": [1, 2, 1, 2, 1],
            "exhausted": False,
        },
    ),
    boundaries=_BOUNDARIES,
    examples=(
        Case(
            _cron("5-35/15 09 */15 jun,7 SAT-7", "2024-06-01T09:05", 4),
            _fired(
                [3, 1, 3, 2, 2],
                *("2024-06-01T09:20", "2024-06-01T09:35", "2024-06-16T09:05", "2024-06-16T09:20"),
            ),
        ),
        Case(_cron("0 12 15 MAY-3 *", "2024-01-01T12:00"), error="bad_field"),
    ),
    malformed=(
        {"expr": None, "from": "2024-01-01T00:00"},
        {"expr": ["0", "0", "1", "1", "*"], "from": "2024-01-01T00:00"},
        {"expr": " " * 201, "from": "2024-01-01T00:00"},
        {"expr": "* * * * *", "from": "2024-01-01"},
        {"expr": "* * * * *", "from": "2024-01-01T00:00:00"},
        {"expr": "* * * * *", "from": "2024-01-01 00:00"},
        {"expr": "* * * * *", "from": "2024-01-01T24:00"},
        {"expr": "* * * * *", "from": "2024-01-01T00:60"},
        {"expr": "* * * * *", "from": "2024-01-01T0:00"},
        {"expr": "* * * * *", "from": "2024-02-30T00:00"},
        {"expr": "* * * * *", "from": "2023-02-29T00:00"},
        {"expr": "* * * * *", "from": "1899-12-31T23:59"},
        {"expr": "* * * * *", "from": "2024-01-01T00:00Z"},
        {"expr": "* * * * *", "from": "2024-01-01T00:00\n"},
        {"expr": "bad", "from": "٢٠٢٤-01-01T00:00"},
        {"expr": "* * * * *", "from": None},
        {"expr": "* * * * *", "from": 20240101},
        {"expr": "* * * * *", "from": "2024-01-01T00:00", "n": 0},
        {"expr": "* * * * *", "from": "2024-01-01T00:00", "n": 101},
        {"expr": "* * * * *", "from": "2024-01-01T00:00", "n": True},
        {"expr": "* * * * *", "from": "2024-01-01T00:00", "n": 5.0},
        {"expr": "* * * * *", "from": "2024-01-01T00:00", "n": "5"},
        {"expr": "* * * * *", "from": "2024-01-01T00:00", "n": None},
    ),
)
