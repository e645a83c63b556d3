"""The families about dates: conformance, invariants, and wrong variants that the cases catch."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import pairwise

import pytest
from wrong_families import Mistake, mistakes

from kcb_core.codec import Json
from kcb_core.family import Family, answer, generated_inputs
from kcb_core.shape import calendar_date
from kcb_core.testing.conformance import FamilyConformance
from kcb_tasks.families.calendars import (
    business_days,
    cron_expand,
    duration_arithmetic,
    recurrence_rule,
    retail_calendar,
)

pytestmark = pytest.mark.families


class TestBusinessDays(FamilyConformance):
    """What every family keeps."""

    family = business_days.FAMILY


class TestRecurrenceRule(FamilyConformance):
    """What every family keeps."""

    family = recurrence_rule.FAMILY


class TestCronExpand(FamilyConformance):
    """What every family keeps."""

    family = cron_expand.FAMILY


class TestRetailCalendar(FamilyConformance):
    """What every family keeps."""

    family = retail_calendar.FAMILY


class TestDurationArithmetic(FamilyConformance):
    """What every family keeps."""

    family = duration_arithmetic.FAMILY


def _results(family: Family, count: int = 100) -> Iterator[tuple[dict[str, Json], Json]]:
    """Random inputs with a result, and the result."""
    found = 0
    for fields in generated_inputs(family, 4_242, 4 * count):
        given = answer(family, fields)
        if "result" in given and found < count:
            found += 1
            yield fields, given["result"]
    assert found == count


def test_business_days_are_counted_as_they_are_added() -> None:
    """Adding n days, counting them and going back n days fit together."""
    family = business_days.FAMILY
    for fields, _ in _results(family):
        days = {**fields, "op": "add", "days": abs(fields.get("days", 3)) or 1}
        start = answer(family, {**days, "days": 0})["result"]["date"]
        there = answer(family, {**days, "start": start})["result"]
        if not (calendar_date().admits(start) and calendar_date().admits(there["date"])):
            continue
        counted = {**days, "op": "count", "start": start, "end": there["date"]}
        expected = {"count": days["days"], "span": there["span"]}
        assert answer(family, counted) == {"result": expected}
        back = {**days, "start": there["date"], "days": -days["days"]}
        expected = {"date": start, "span": -there["span"]}
        assert answer(family, back) == {"result": expected}


def _fits(day: date, fields: dict[str, Json]) -> bool:
    """Whether a day passes the filters that are given, found by looking at its neighbours."""
    week = timedelta(days=7)
    name = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")[day.weekday()]
    before = sum((day - n * week).month == day.month for n in range(5))
    after = sum((day + n * week).month == day.month for n in range(5))
    next_month = (day.replace(day=28) + timedelta(days=4)).replace(day=1)
    return (
        day.month in fields.get("by_month", [day.month])
        and bool({day.day, (day - next_month).days} & {*fields.get("by_month_day", [day.day])})
        and bool({name, f"{before}{name}", f"-{after}{name}"} & {*fields.get("by_weekday", [name])})
    )


def test_recurring_dates_pass_the_filters() -> None:
    """Whatever the periods are, no date is early, double, excluded or filtered out."""
    family = recurrence_rule.FAMILY
    for fields, result in _results(family):
        dates = [date.fromisoformat(text) for text in result["dates"]]
        assert all(earlier < later for earlier, later in pairwise(dates))
        assert all(_fits(day, fields) for day in dates)
        assert not dates or fields["start"] <= result["dates"][0]
        exclude = fields.get("exclude", [])
        assert not {*exclude} & {*result["dates"]}
        assert result["generated"] - result["excluded"] == len(dates)
        assert answer(family, {**fields, "exclude": exclude * 2}) == {"result": result}


def test_cron_goes_on_where_it_stopped() -> None:
    """A longer list extends a shorter one, and a list from its last time follows it."""
    family = cron_expand.FAMILY
    for fields, result in _results(family):
        count = fields.get("n", 5)
        longer = answer(family, {**fields, "n": count + 1})["result"]
        assert longer["fires"][:count] == result["fires"]
        assert longer["sizes"] == result["sizes"]
        assert result["exhausted"] is (len(result["fires"]) < count)
        if len(longer["fires"]) <= count or result["fires"][-1] > "2200":
            continue
        rest = answer(family, {**fields, "from": result["fires"][-1], "n": 1})["result"]
        assert rest["fires"] == longer["fires"][-1:]


def test_fiscal_dates_lie_in_their_period_and_week() -> None:
    """What is said of a date agrees with what is said of its period and week."""
    family = retail_calendar.FAMILY
    dates = (f"{year}-{rest}" for year in range(1902, 2198, 3) for rest in ("01-02", "07-30"))
    for fields, _ in _results(family):
        query = next(dates)
        given = answer(family, {**fields, "queries": [query]})["result"]["answers"][0]
        year = f"FY{given['year']}"
        queries = [year, f"{year}-P{given['period']:02}", f"{year}-W{given['week']:02}"]
        queries += [f"{year}-P{period:02}" for period in range(1, 13)]
        whole, period, week, *periods = answer(family, {**fields, "queries": queries})["result"][
            "answers"
        ]
        for part in (whole, period, week):
            assert part["start"] <= query <= part["end"]
        starts = [date.fromisoformat(part["start"]) for part in periods]
        ends = [date.fromisoformat(part["end"]) for part in periods]
        assert [starts[0].isoformat(), ends[-1].isoformat()] == [whole["start"], whole["end"]]
        assert [end + timedelta(days=1) for end in ends[:-1]] == starts[1:]
        assert sum(part["weeks"] for part in periods) == whole["weeks"]
        assert (date.fromisoformat(query) - starts[0]).days == 7 * given["week"] + given["day"] - 8
        assert given["quarter"] == -(-given["period"] // 3)


def test_canonical_durations_do_the_same() -> None:
    """The canonical form of a duration is the same duration, and its own canonical form."""
    family = duration_arithmetic.FAMILY
    units = {"D": 86_400, "H": 3_600, "M": 60, "S": 1}
    without_months = 0
    for fields, result in _results(family):
        canonical = result["canonical"]
        if not re.search("[0-9]{6}", "".join(canonical)):
            assert answer(family, {**fields, "durations": canonical}) == {"result": result}
        if not re.search("[YM]", "".join(text.partition("T")[0] for text in canonical)):
            without_months += 1
            assert result["elapsed_seconds"] == sum(
                (-1 if text[0] == "-" else 1) * int(number) * units[letter]
                for text in canonical
                for number, letter in re.findall("([0-9]+)([DHMS])", text)
            )
    assert without_months > 20


_WRONG = {
    business_days: [
        ("range(low, high)", "range(low + 1, high + 1)"),
        ("count(start + step, step)", "count(start, step)"),
        ("if is_business(start):", "if False:"),
        ('1 if roll == "forward" else -1', "1"),
        ("(day % 7 or 7)", "day % 7"),
        (" and day not in holidays", ""),
        ("total if start < end else -total", "total"),
        ('len(set(fields["weekend"]))', 'len(fields["weekend"])'),
        ("if len(set(fields", 'if fields["op"] == "add" and len(set(fields'),
        ("if operand is None:", "if not operand:"),
        (
            'DomainError("missing_operand")',
            'DomainError("no_business_day" if 1 in fields["weekend"] else "missing_operand")',
        ),
        (
            "met = filter(",
            "while not is_business(start):\n        start += step\n    met = filter(",
        ),
    ],
    recurrence_rule: [
        ("if start <= day <= last:", "if day <= last:"),
        ("map(date.fromordinal, days)))", "map(date.fromordinal, days)))[0:]\n"
         "        candidates = [day for day in candidates if day >= start]"),
        ("map(date.fromordinal, days)))", "map(date.fromordinal, days)))[0:]\n"
         "        candidates = [day for day in candidates if day <= last]"),
        ("else len(candidates) + n", "else len(candidates) + n - 1"),
        ("indices = {n - 1", "indices = {n"),
        ('count(0, fields["interval"])', "count(0)"),
        ('_WEEKDAYS.index(fields["week_start"])', "0"),
        ("_HORIZON_YEARS = 60", "_HORIZON_YEARS = 61"),
        ("_MOST = 1_000", "_MOST = 999"),
        ("_MOST = 1_000", "_MOST = 1_001"),
        ("-1 - left)", "-left)"),
        ("1 + left // 7", "1 + (left + 1) // 7"),
        ("1 + (day.day - 1) // 7", "1 + day.day // 7"),
        ('"yearly" and months is None', '"yearly"'),
        ("if weekdays is None and month_days is None:", "if weekdays is None:"),
        ("len(generated) - len(kept)", 'len(fields["exclude"])'),
        ("until <= horizon if", "until < horizon if"),
        ("len(generated) == wanted", "True"),
        ("len(generated) > _MOST", 'len(generated) - len(fields["exclude"]) > _MOST'),
        (
            "islice(dates, ",
            'islice((d for d in dates if d.isoformat() not in fields["exclude"]), ',
        ),
        ("until < start:", "until <= start:"),
        ('in ("daily", "weekly") and', 'in ("weekly",) and'),
        (
            'DomainError("until_before_start")',
            'DomainError("bad_combination" if "by_weekday" in fields else "until_before_start")',
        ),
        ("day.day, -1 - left)):", "day.day, -1 - left, *range(31, day.day if left else 0, -1))):"),
    ],
    cron_expand: [
        ('re.findall(r"[^ \\t]+", fields["expr"])', 'fields["expr"].split()'),
        ('not texts[2].startswith("*")', 'texts[2] != "*"'),
        ('not texts[4].startswith("*")', 'texts[4] != "*"'),
        ("in_month or in_week if either else in_month", "in_month"),
        ("moment > after", "moment >= after"),
        ("_YEARS = 12", "_YEARS = 11"),
        ("_YEARS = 12", "_YEARS = 13"),
        ("text.upper()", "text"),
        ("|[A-Za-z]{3})", "|[^-/*]{3})"),
        ("([0-9]{1,2}|", r"(\d{1,2}|"),
        ("0 if number == 4 and value == 7 else value", "value"),
        ("range(start, end + 1, gap)", "range(start // gap * gap, end + 1, gap)"),
        ("range(start, end + 1, gap)", "range(start, end, gap) or range(start, end + 1)"),
        ("gap <= 59", "gap <= 60"),
        ("1 <= gap", "0 <= gap"),
        ("(59, 23, 31, 12, 7)", "(59, 23, 31, 12, 6)"),
        ("<= start <= end <=", "<= start and end <="),
        ('|{_VALUE}")', '|{_VALUE}(?:/[0-9]{{1,2}})?")'),
        ('len(fires) < fields["n"]', 'len(fires) <= fields["n"]'),
        ("day.isoweekday() % 7", "day.weekday()"),
        (
            'DomainError("bad_expression")',
            'DomainError("bad_field" if "60" in texts else "bad_expression")',
        ),
    ],
    retail_calendar: [
        ('3 if fields["rule"] == "nearest" else 0', "0"),
        ('3 if fields["rule"] == "nearest" else 0', "3"),
        ("3 if fields", "4 if fields"),
        ("self.end_weekday) % 7)", "self.end_weekday) % 7 or 7)"),
        ("weeks[-1] +=", "weeks[0] +="),
        ("weeks[-1] += self.weeks(year) - 52", "pass"),
        ("self.pattern * 4", "(4, 4, 5) * 4"),
        ("self.pattern * 4", "self.pattern[::-1] * 4"),
        ("1901 <= year", "1900 <= year"),
        ("year <= 2198", "year <= 2199"),
        ("(len(starts) + 2) // 3", "len(starts) // 3 + 1"),
        ('"day": weekday + 1', '"day": day.isoweekday()'),
        ("<= calendar.weeks(year):", "<= 53:"),
        ("1 <= int(match[3]) <= calendar", "0 <= int(match[3]) <= calendar"),
        ("1 <= int(match[3]) <= 12", "0 <= int(match[3]) <= 12"),
        ("FY([0-9]{4})", r"FY(\d{4})"),
        ("_QUERY.fullmatch(query)", "_QUERY.match(query)"),
        ("count(day.year - 1)", "count(day.year)"),
        ("week - starts[-1] + 1", "week - starts[-1]"),
        ("weeks=weeks, days=-1", "weeks=weeks"),
        (
            'DomainError("no_such_period")',
            'DomainError("bad_query" if "P" in query else "no_such_period")',
        ),
        ('for q in fields["queries"]]', 'for q in sorted(fields["queries"])]'),
    ],
    duration_arithmetic: [
        ("min(moment.day, monthrange(year, month + 1)[1])", "min(moment.day, 28)"),
        ("min(moment.day, monthrange(year, month + 1)[1])", "moment.day"),
        (
            "    year, month = divmod(12",
            "    moment += timedelta(seconds=duration.seconds)\n"
            "    duration = _Duration(duration.months, 0)\n"
            "    year, month = divmod(12",
        ),
        ("sign * (days * 86_400", "(days * 86_400"),
        ("sign * (12 * years", "(12 * years"),
        ("<= 9_999:", "<= 9_998:"),
        ("7 * weeks", "5 * weeks"),
        ("divmod(abs(duration.months), 12)", "(0, abs(duration.months))"),
        ("days, hours = divmod(hours, 24)", "days = 0"),
        ("days, hours = divmod(hours, 24)", "days, hours = divmod(hours, 24)\n"
         "    months, days = months + days // 30, days % 30"),
        ('"-" if min(duration) < 0 else ""', '"-" if duration.months < 0 else ""'),
        ('"-" if min(duration) < 0 else ""', '"-" if max(duration) < 0 else ""'),
        ('return "PT0S"', 'return "P"'),
        ("P(?=[0-9T])", "P"),
        ("T(?=[0-9])", "T"),
        ("{1,5}", "+"),
        ("[0-9]{1,5}", r"\d{1,5}"),
        ("([+-]?)P", "(-?)P"),
        ("_DURATION.fullmatch(text)", "_DURATION.fullmatch(text.upper())"),
        ("_DURATION.fullmatch(text)", "_DURATION.fullmatch(text.strip())"),
        ("elapsed.days * 86_400 + elapsed.seconds", "elapsed.seconds"),
        (
            'durations = [_parsed(text) for text in fields["durations"]]\n'
            "    moments = list(accumulate(durations, _moved, initial=start))",
            "moments, durations = [start], []\n"
            "    for text in fields['durations']:\n"
            "        durations.append(_parsed(text))\n"
            "        moments.append(_moved(moments[-1], durations[-1]))",
        ),
        ("except OverflowError", "except ZeroDivisionError"),
    ],
}  # fmt: skip

MISTAKES = mistakes(_WRONG)


@pytest.mark.parametrize("mistake", MISTAKES, ids=str)
def test_mistakes_are_caught(mistake: Mistake) -> None:
    """Golden case, boundaries and 24 drawn inputs tell a plausible mistake from the rules."""
    assert mistake.is_caught()
