"""Retail calendar: fiscal years of 52 or 53 whole weeks, their quarters, periods and weeks."""

from __future__ import annotations

import random
import re
from calendar import monthrange
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import accumulate, count
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Choice, Integer, Text, calendar_date, optional, required

_SUMMARY = """\
Answers queries about a fiscal calendar that consists of whole weeks. The days of the week have the
numbers 1 (Monday) to 7 (Sunday).

**Years.** An end day is a day whose day of the week is `end_weekday`. Let M be the last day of the
month `end_month` of the calendar year N. Fiscal year N ends

- if `rule` is `last`: on the last end day that is on or before M;
- if `rule` is `nearest`: on the end day that is at most 3 days before or after M. It can be in the
  calendar year N + 1.

Fiscal year N starts on the day after the end of fiscal year N - 1. So it has 52 or 53 weeks.

**Weeks.** The weeks of a fiscal year are its blocks of seven days, numbered from 1. The first day
of each week is day 1 of the week; day 7 is an end day.

**Periods.** A fiscal year has 12 periods, numbered from 1. Quarter 1 is periods 1 to 3, quarter 2
is 4 to 6, quarter 3 is 7 to 9, quarter 4 is 10 to 12. `pattern` gives the numbers of weeks of the
three periods of each quarter: `445` means 4, 4 and 5. If the year has 53 weeks, week 53 is added to
period 12.

**Queries.** A query has one of these forms. y and n are ASCII digits, letters are in upper case;
nothing may stand before or after it.

- A date `YYYY-MM-DD` that exists in the Gregorian calendar, from `1900-01-01` to `2199-12-31`.
- `FYyyyy`: a fiscal year, from 1901 to 2198.
- `FYyyyy-Pnn`: period nn of such a year.
- `FYyyyy-Wnn`: week nn of such a year."""

_RESULT = """\
An object `{"answers": [...]}` with one object for each query, in the order of `queries`. In each,
`query` is the text of the query. All other members are integers, except that `start` and `end` are
the first and the last day of what was asked for, as `YYYY-MM-DD`.

- For a date: `{"query": q, "year": y, "quarter": n, "period": p, "week": w, "week_of_period": v,
  "day": d}`: in which fiscal year, quarter, period and week the date is; which week of the period
  this week is, counted from 1; and which day of its week the date is, from 1 to 7 as said above
  under weeks.
- For a year or a period: `{"query": q, "start": s, "end": e, "weeks": n}`, where `weeks` is its
  number of weeks.
- For a week: `{"query": q, "start": s, "end": e}`."""

_PRECEDENCE = """\
The first query in the order of `queries` to which one of these errors applies decides. If more than
one applies to it, the first of this list is the answer."""

_RULES = """\
- The fiscal year of a date can differ from its calendar year. It can be any from 1899 to 2200."""

_QUERY = re.compile(r"FY([0-9]{4})(?:-([PW])([0-9]{2}))?")
_DATE = calendar_date()


def _evaluate(fields: Mapping[str, Any]) -> Json:
    calendar = _Calendar(
        fields["end_month"],
        fields["end_weekday"],
        3 if fields["rule"] == "nearest" else 0,
        tuple(map(int, fields["pattern"])),
    )
    return {"answers": [{"query": q, **_answer(calendar, q)} for q in fields["queries"]]}


def _answer(calendar: _Calendar, query: str) -> dict[str, Json]:
    match = _QUERY.fullmatch(query)
    if match is None:
        if not _DATE.admits(query):
            raise DomainError("bad_query")
        return _place(calendar, date.fromisoformat(query))
    year, kind = int(match[1]), match[2]
    if not 1901 <= year <= 2198:
        raise DomainError("bad_query")
    if kind is None:
        return {**_span(calendar, year, 0, calendar.weeks(year)), "weeks": calendar.weeks(year)}
    if kind == "W":
        if not 1 <= int(match[3]) <= calendar.weeks(year):
            raise DomainError("no_such_week")
        return _span(calendar, year, int(match[3]) - 1, 1)
    if not 1 <= int(match[3]) <= 12:
        raise DomainError("no_such_period")
    first, weeks = list(calendar.periods(year))[int(match[3]) - 1]
    return {**_span(calendar, year, first, weeks), "weeks": weeks}


def _span(calendar: _Calendar, year: int, first: int, weeks: int) -> dict[str, Json]:
    """The days of some weeks of a year; its first week is 0 here."""
    start = calendar.start(year) + timedelta(weeks=first)
    end = start + timedelta(weeks=weeks, days=-1)
    return {"start": start.isoformat(), "end": end.isoformat()}


def _place(calendar: _Calendar, day: date) -> dict[str, Json]:
    year = next(n for n in count(day.year - 1) if day <= calendar.end(n))
    week, weekday = divmod((day - calendar.start(year)).days, 7)
    starts = [first for first, _ in calendar.periods(year) if first <= week]
    return {
        "year": year,
        "quarter": (len(starts) + 2) // 3,
        "period": len(starts),
        "week": week + 1,
        "week_of_period": week - starts[-1] + 1,
        "day": weekday + 1,
    }


@dataclass(frozen=True, slots=True)
class _Calendar:
    """Where fiscal years end; the days that an end may lie after its month; weeks of periods."""

    end_month: int
    end_weekday: int
    days_after: int
    pattern: tuple[int, ...]

    def end(self, year: int) -> date:
        last = date(year, self.end_month, monthrange(year, self.end_month)[1])
        last += timedelta(days=self.days_after)
        return last - timedelta(days=(last.isoweekday() - self.end_weekday) % 7)

    def start(self, year: int) -> date:
        return self.end(year - 1) + timedelta(days=1)

    def weeks(self, year: int) -> int:
        return (self.end(year) - self.end(year - 1)).days // 7

    def periods(self, year: int) -> Iterator[tuple[int, int]]:
        """How many weeks come before each period, and how many it has."""
        weeks = [*(self.pattern * 4)]
        weeks[-1] += self.weeks(year) - 52
        return zip(accumulate(weeks, initial=0), weeks, strict=False)


def _generate(rng: random.Random) -> dict[str, Json]:
    drawn: dict[str, Json] = {
        "end_month": rng.choice([1, 1, 2, 6, 12, 12, rng.randint(1, 12)]),
        "end_weekday": rng.randint(1, 7),
    }
    if rng.random() < 0.75:
        drawn["rule"] = rng.choice(["last", "nearest", "nearest"])
    if rng.random() < 0.75:
        drawn["pattern"] = rng.choice(["445", "454", "544"])
    queries: list[Json] = [
        _draw_query(rng, drawn["end_month"]) for _ in range(rng.choice([0, 3, 3, 6, 9, 12]))
    ]
    while rng.random() < 0.2:
        queries.insert(rng.randint(0, len(queries)), rng.choice(rng.choice(_WRONG)))
    return {**drawn, "queries": queries}


def _draw_query(rng: random.Random, end_month: int) -> str:
    year = rng.choice([*range(2018, 2030), 1901, 1999, 2000, 2100, 2198])
    kind = rng.choice(["near", "near", "date", "year", "period", "week", "last week"])
    if kind == "near":
        edge = date(year, end_month, 28) + timedelta(days=rng.randint(-8, 9))
        return edge.isoformat()
    if kind == "date":
        return (date(year, 1, 1) + timedelta(days=rng.randint(0, 364))).isoformat()
    if kind == "period":
        return f"FY{year}-P{rng.choice([1, 2, 3, 4, 6, 11, 12]):02}"
    if kind == "week":
        return f"FY{year}-W{rng.randint(1, 52):02}"
    if kind == "last week":
        return f"FY{year}-W{52 + (rng.random() < 0.04)}"
    return f"FY{year}"


# Periods and weeks that no year has, and texts that are no query.
_WRONG = (
    ("FY2024-P13", "FY2023-P00", "FY2020-P99"),
    ("FY2024-W00", "FY2024-W54", "FY1999-W99"),
    (
        *("fy2024", "FY24", "FY1900", "FY2199-P13", "FY2024-Q1", "FY2024-W1", "FY２０２４", ""),
        *("2024-02-30", "1899-12-31", "2200-01-01", "2024-1-01", "📅", "FY2024-P１２", " FY2024"),
    ),
)


def _asked(end_month: int, end_weekday: int, *queries: str, **more: Json) -> dict[str, Json]:
    return {
        "end_month": end_month,
        "end_weekday": end_weekday,
        **more,
        "queries": list(queries),
    }


def _at(query: str, year: int, quarter: int, period: int, *rest: int) -> dict[str, Json]:
    """The answer for a date; the rest is the week, the week of the period, the day."""
    names = ("week", "week_of_period", "day")
    place = dict(zip(names, rest, strict=True))
    return {"query": query, "year": year, "quarter": quarter, "period": period, **place}


def _from(query: str, start: str, end: str, weeks: int | None = None) -> dict[str, Json]:
    """The answer for a week, or with a number of weeks for a year or period."""
    answer: dict[str, Json] = {"query": query, "start": start, "end": end}
    return answer if weeks is None else {**answer, "weeks": weeks}


def _answers(*answers: dict[str, Json]) -> dict[str, Json]:
    return {"answers": list(answers)}


_BOUNDARIES = (
    # Years that end on the last Sunday of December: 2023 has 53 weeks.
    Case(
        _asked(12, 7, "FY2023", "2024-02-05", pattern="454"),
        _answers(
            _from("FY2023", "2022-12-26", "2023-12-31", 53),
            _at("2024-02-05", 2024, 1, 2, 6, 2, 1),
        ),
    ),
    Case(
        _asked(12, 7, "FY2022", "FY2024", "FY2024-W01", "FY2024-W52", "FY2023-W53", "FY2023-W01"),
        _answers(
            _from("FY2022", "2021-12-27", "2022-12-25", 52),
            _from("FY2024", "2024-01-01", "2024-12-29", 52),
            _from("FY2024-W01", "2024-01-01", "2024-01-07"),
            _from("FY2024-W52", "2024-12-23", "2024-12-29"),
            _from("FY2023-W53", "2023-12-25", "2023-12-31"),
            _from("FY2023-W01", "2022-12-26", "2023-01-01"),
        ),
    ),
    # Edges of periods, quarters and years.
    Case(
        _asked(12, 7, "2024-01-28", "2024-01-29", "2024-03-31", "2024-04-01", "2024-12-29"),
        _answers(
            _at("2024-01-28", 2024, 1, 1, 4, 4, 7),
            _at("2024-01-29", 2024, 1, 2, 5, 1, 1),
            _at("2024-03-31", 2024, 1, 3, 13, 5, 7),
            _at("2024-04-01", 2024, 2, 4, 14, 1, 1),
            _at("2024-12-29", 2024, 4, 12, 52, 5, 7),
        ),
    ),
    Case(
        _asked(12, 7, "2023-12-24", "2023-12-25", "2023-12-31", "2024-01-01", "2022-12-25"),
        _answers(
            _at("2023-12-24", 2023, 4, 12, 52, 5, 7),
            _at("2023-12-25", 2023, 4, 12, 53, 6, 1),
            _at("2023-12-31", 2023, 4, 12, 53, 6, 7),
            _at("2024-01-01", 2024, 1, 1, 1, 1, 1),
            _at("2022-12-25", 2022, 4, 12, 52, 5, 7),
        ),
    ),
    # The three patterns, and the 53rd week in each.
    Case(
        _asked(12, 7, "FY2024-P01", "FY2024-P03", "FY2023-P12"),
        _answers(
            _from("FY2024-P01", "2024-01-01", "2024-01-28", 4),
            _from("FY2024-P03", "2024-02-26", "2024-03-31", 5),
            _from("FY2023-P12", "2023-11-20", "2023-12-31", 6),
        ),
    ),
    Case(
        _asked(12, 7, "FY2024-P02", "FY2024-P03", "FY2023-P12", pattern="454"),
        _answers(
            _from("FY2024-P02", "2024-01-29", "2024-03-03", 5),
            _from("FY2024-P03", "2024-03-04", "2024-03-31", 4),
            _from("FY2023-P12", "2023-11-27", "2023-12-31", 5),
        ),
    ),
    Case(
        _asked(12, 7, "FY2024-P01", "FY2024-P02", "FY2023-P12", "2024-02-04", pattern="544"),
        _answers(
            _from("FY2024-P01", "2024-01-01", "2024-02-04", 5),
            _from("FY2024-P02", "2024-02-05", "2024-03-03", 4),
            _from("FY2023-P12", "2023-11-27", "2023-12-31", 5),
            _at("2024-02-04", 2024, 1, 1, 5, 5, 7),
        ),
    ),
    # The nearest Sunday: 3 days before, 3 days after and thus in the next calendar year.
    Case(
        _asked(12, 7, "FY2025", "FY2026", "2027-01-03", "2027-01-04", "2026-12-31", rule="nearest"),
        _answers(
            _from("FY2025", "2024-12-30", "2025-12-28", 52),
            _from("FY2026", "2025-12-29", "2027-01-03", 53),
            _at("2027-01-03", 2026, 4, 12, 53, 6, 7),
            _at("2027-01-04", 2027, 1, 1, 1, 1, 1),
            _at("2026-12-31", 2026, 4, 12, 53, 6, 4),
        ),
    ),
    Case(
        _asked(12, 7, "FY2026", "2026-12-28", "FY2023", rule="last"),
        _answers(
            _from("FY2026", "2025-12-29", "2026-12-27", 52),
            _at("2026-12-28", 2027, 1, 1, 1, 1, 1),
            _from("FY2023", "2022-12-26", "2023-12-31", 53),
        ),
    ),
    # Other months and days of the week; a leap day.
    Case(
        _asked(2, 4, "FY2024", "2024-02-29", "2024-03-01"),
        _answers(
            _from("FY2024", "2023-02-24", "2024-02-29", 53),
            _at("2024-02-29", 2024, 4, 12, 53, 6, 7),
            _at("2024-03-01", 2025, 1, 1, 1, 1, 1),
        ),
    ),
    Case(
        _asked(2, 4, "FY2023-W52", "FY2024", rule="nearest"),
        _answers(
            _from("FY2023-W52", "2023-02-24", "2023-03-02"),
            _from("FY2024", "2023-03-03", "2024-02-29", 52),
        ),
    ),
    Case(
        _asked(6, 3, "FY2024", "2024-06-27"),
        _answers(
            _from("FY2024", "2023-06-29", "2024-06-26", 52),
            _at("2024-06-27", 2025, 1, 1, 1, 1, 1),
        ),
    ),
    Case(
        _asked(6, 3, "FY2024", "2024-06-27", rule="nearest"),
        _answers(
            _from("FY2024", "2023-06-29", "2024-07-03", 53),
            _at("2024-06-27", 2024, 4, 12, 53, 6, 1),
        ),
    ),
    # The limits of dates and years; no query, the same query twice.
    Case(
        _asked(12, 7, "1900-01-01", "2199-12-31", "FY1901", "FY2198"),
        _answers(
            _at("1900-01-01", 1900, 1, 1, 1, 1, 1),
            _at("2199-12-31", 2200, 1, 1, 1, 1, 2),
            _from("FY1901", "1900-12-31", "1901-12-29", 52),
            _from("FY2198", "2198-01-01", "2198-12-30", 52),
        ),
    ),
    Case(
        _asked(12, 3, "1900-01-03", "1900-01-04", rule="nearest"),
        _answers(
            _at("1900-01-03", 1899, 4, 12, 53, 6, 7),
            _at("1900-01-04", 1900, 1, 1, 1, 1, 1),
        ),
    ),
    Case(
        _asked(12, 7, "FY2024-W01", "FY2024-W01"),
        _answers(
            _from("FY2024-W01", "2024-01-01", "2024-01-07"),
            _from("FY2024-W01", "2024-01-01", "2024-01-07"),
        ),
    ),
    Case(_asked(12, 7), _answers()),
    # Errors: the first query that fails decides.
    Case(_asked(12, 7, "FY2024-W53"), error="no_such_week"),
    Case(_asked(12, 7, "FY2023-W54"), error="no_such_week"),
    Case(_asked(12, 7, "FY2024-W00"), error="no_such_week"),
    Case(_asked(12, 7, "FY2024-P13", "x"), error="no_such_period"),
    Case(_asked(12, 7, "FY2024-P00", "FY2024-W00"), error="no_such_period"),
    Case(_asked(12, 7, "2024-01-01", "FY2024-W54", "FY2024-P13"), error="no_such_week"),
    Case(_asked(12, 7, "2024-02-30", "FY2024-P13"), error="bad_query"),
    Case(_asked(12, 7, "FY2024", "2024-1-1"), error="bad_query"),
    Case(_asked(12, 7, "1899-12-31"), error="bad_query"),
    Case(_asked(12, 7, "2200-01-01"), error="bad_query"),
    Case(_asked(12, 7, "FY1900"), error="bad_query"),
    Case(_asked(12, 7, "FY2199-P13"), error="bad_query"),
    Case(_asked(12, 7, "FY1900-W00"), error="bad_query"),
    Case(_asked(12, 7, "fy2024"), error="bad_query"),
    Case(_asked(12, 7, "FY2024-p01"), error="bad_query"),
    Case(_asked(12, 7, "FY2024-P1"), error="bad_query"),
    Case(_asked(12, 7, "FY2024-P001"), error="bad_query"),
    Case(_asked(12, 7, "FY2024-Q1"), error="bad_query"),
    Case(_asked(12, 7, "FY2024-P"), error="bad_query"),
    Case(_asked(12, 7, "FY２０２４"), error="bad_query"),
    Case(_asked(12, 7, "FY2024\n"), error="bad_query"),
    Case(_asked(12, 7, " FY2024"), error="bad_query"),
    Case(_asked(12, 7, ""), error="bad_query"),
)

FAMILY = Family(
    number=14,
    slug="retail-calendar",
    title="4-4-5 retail calendar",
    category="calendars",
    difficulty=Difficulty.MEDIUM,
    summary=_SUMMARY,
    fields=(
        required("end_month", Integer(1, 12), "The month at whose end a fiscal year ends."),
        required("end_weekday", Integer(1, 7), "The day of the week on which it ends."),
        optional("rule", Choice("last", "nearest"), "last", "On which day it ends."),
        optional("pattern", Choice("445", "454", "544"), "445", "Weeks of periods."),
        required(
            "queries",
            Array(Text(0, 30), 0, 200),
            "The queries. One that has none of the forms is an error of the contract.",
        ),
    ),
    result=_RESULT,
    errors=(
        ErrorCode(
            "bad_query",
            "The query has none of the four forms. This includes a date that does not exist and a "
            "date or year that is out of range.",
        ),
        ErrorCode("no_such_period", "The nn of a period is not `01` to `12`."),
        ErrorCode(
            "no_such_week",
            "The nn of a week is `00` or greater than the number of weeks of that year.",
        ),
    ),
    precedence=_PRECEDENCE,
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        {
            "end_month": 1,
            "end_weekday": 6,
            "rule": "nearest",
            "queries": ["2024-02-03", "FY2024", "FY2024-P12", "2024-02-04"],
        },
        _answers(
            _at("2024-02-03", 2024, 4, 12, 53, 6, 7),
            _from("FY2024", "2023-01-29", "2024-02-03", 53),
            _from("FY2024-P12", "2023-12-24", "2024-02-03", 6),
            _at("2024-02-04", 2025, 1, 1, 1, 1, 1),
        ),
    ),
    boundaries=_BOUNDARIES,
    examples=(
        Case(
            _asked(9, 5, "FY2024", "FY2024-P03", "FY2024-W14", "2024-10-04", rule="nearest"),
            _answers(
                _from("FY2024", "2023-09-30", "2024-09-27", 52),
                _from("FY2024-P03", "2023-11-25", "2023-12-29", 5),
                _from("FY2024-W14", "2023-12-30", "2024-01-05"),
                _at("2024-10-04", 2025, 1, 1, 1, 1, 7),
            ),
        ),
        Case(_asked(9, 5, "FY2024-W54", "2024-02-30"), error="no_such_week"),
    ),
    malformed=(
        {"end_month": 0, "end_weekday": 7, "queries": []},
        {"end_month": 13, "end_weekday": 7, "queries": []},
        {"end_month": "12", "end_weekday": 7, "queries": []},
        {"end_month": 12.0, "end_weekday": 7, "queries": []},
        {"end_month": True, "end_weekday": 7, "queries": []},
        {"end_month": 12, "end_weekday": 0, "queries": []},
        {"end_month": 12, "end_weekday": 8, "queries": []},
        {"end_month": 12, "end_weekday": "SU", "queries": []},
        {"end_month": 12, "end_weekday": True, "queries": []},
        {"end_month": 12, "end_weekday": 7, "rule": "LAST", "queries": []},
        {"end_month": 12, "end_weekday": 7, "rule": "closest", "queries": []},
        {"end_month": 12, "end_weekday": 7, "rule": None, "queries": []},
        {"end_month": 12, "end_weekday": 7, "pattern": 445, "queries": []},
        {"end_month": 12, "end_weekday": 7, "pattern": "4-4-5", "queries": []},
        {"end_month": 12, "end_weekday": 7, "pattern": [4, 4, 5], "queries": []},
        {"end_month": 12, "end_weekday": 7, "pattern": "444", "queries": []},
        {"end_month": 12, "end_weekday": 7, "queries": "FY2024"},
        {"end_month": 12, "end_weekday": 7, "queries": {}},
        {"end_month": 12, "end_weekday": 7, "queries": None},
        {"end_month": 12, "end_weekday": 7, "queries": [2024]},
        {"end_month": 12, "end_weekday": 7, "queries": ["x", None]},
        {"end_month": 12, "end_weekday": 7, "queries": [["FY2024"]]},
        {"end_month": 12, "end_weekday": 7, "queries": ["FY2024" + " " * 25]},
        {"end_month": 12, "end_weekday": 7, "queries": ["FY2024"] * 201},
        {"end_month": 12, "end_weekday": 7},
    ),
)
