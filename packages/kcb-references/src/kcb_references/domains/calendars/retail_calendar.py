# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Answers queries about a fiscal calendar of whole weeks."""

import re
from collections.abc import Callable
from datetime import date
from typing import Any

# `[0-9]` and not `\d`, which also takes the digits of other scripts.
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_FISCAL = re.compile(r"FY([0-9]{4})(?:-([PW])([0-9]{2}))?")
_RULES = ("last", "nearest")
_PATTERNS = ("445", "454", "544")
_PERIODS = 12


class _QueryError(Exception):
    """A query has no answer; the message is the code of the error."""


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Answer all queries.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    calendar = _Calendar(
        fields["end_month"],
        fields["end_weekday"],
        fields.get("rule", "last"),
        fields.get("pattern", "445"),
    )
    try:
        answers = [{"query": query, **calendar.answer(query)} for query in fields["queries"]]
    except _QueryError as query_error:
        return {"error": {"code": str(query_error)}}
    return {"result": {"answers": answers}}


class _Calendar:
    """A fiscal calendar. Days are given as their ordinals."""

    def __init__(self, end_month: int, end_weekday: int, rule: str, pattern: str) -> None:
        self._end_month = end_month
        self._end_weekday = end_weekday
        # How many days after the end of the month a year can end.
        self._latest = 3 if rule == "nearest" else 0
        self._pattern = [int(weeks) for weeks in pattern]

    def answer(self, query: str) -> dict[str, Any]:
        """Answer a query.

        Args:
            query: The text of the query.

        Returns:
            The members of its answer, without the query.

        Raises:
            _QueryError: The query has no answer.
        """
        if _is_date(query):
            return self._of_date(date.fromisoformat(query))
        form = _FISCAL.fullmatch(query)
        if form is None or not 1901 <= int(form[1]) <= 2198:
            raise _QueryError("bad_query")
        year = int(form[1])
        match form[2]:
            case "P":
                return self._of_period(year, int(form[3]))
            case "W":
                return self._of_week(year, int(form[3]))
        return {**_span(self._start(year), self._end(year)), "weeks": self._weeks(year)}

    def _of_date(self, day: date) -> dict[str, Any]:
        """Answer the query for a date."""
        ordinal = day.toordinal()
        # A year ends at most six days before, and at most three days after the end of its month.
        year = day.year - 1
        while self._end(year) < ordinal:
            year += 1
        week, weekday = divmod(ordinal - self._start(year), 7)
        period, week_of_period = 0, week
        lengths = self._periods(year)
        while week_of_period >= lengths[period]:
            week_of_period -= lengths[period]
            period += 1
        return {
            "year": year,
            "quarter": period // 3 + 1,
            "period": period + 1,
            "week": week + 1,
            "week_of_period": week_of_period + 1,
            "day": weekday + 1,
        }

    def _of_period(self, year: int, period: int) -> dict[str, Any]:
        """Answer the query for a period."""
        if not 1 <= period <= _PERIODS:
            raise _QueryError("no_such_period")
        lengths = self._periods(year)
        start = self._start(year) + 7 * sum(lengths[: period - 1])
        weeks = lengths[period - 1]
        return {**_span(start, start + 7 * weeks - 1), "weeks": weeks}

    def _of_week(self, year: int, week: int) -> dict[str, Any]:
        """Answer the query for a week."""
        if not 1 <= week <= self._weeks(year):
            raise _QueryError("no_such_week")
        start = self._start(year) + 7 * (week - 1)
        return _span(start, start + 6)

    def _end(self, year: int) -> int:
        """Give the last day of a fiscal year."""
        # The end day is the last one on or before this day.
        latest = _month_end(year, self._end_month) + self._latest
        # The ordinal 1 is a Monday, so the rest modulo 7 is the day of the week, Sunday being 0.
        return latest - (latest - self._end_weekday) % 7

    def _start(self, year: int) -> int:
        """Give the first day of a fiscal year."""
        return self._end(year - 1) + 1

    def _weeks(self, year: int) -> int:
        """Give the number of weeks of a fiscal year."""
        return (self._end(year) - self._end(year - 1)) // 7

    def _periods(self, year: int) -> list[int]:
        """Give the number of weeks of each period of a fiscal year."""
        lengths = self._pattern * 4
        lengths[-1] += self._weeks(year) - sum(lengths)
        return lengths


def _month_end(year: int, month: int) -> int:
    """Give the last day of a month."""
    following = date(year + 1, 1, 1) if month == 12 else date(year, month + 1, 1)
    return following.toordinal() - 1


def _span(start: int, end: int) -> dict[str, Any]:
    """Make the members of an answer that say from when to when something is."""
    return {
        "start": date.fromordinal(start).isoformat(),
        "end": date.fromordinal(end).isoformat(),
    }


def _is_date(text: str) -> bool:
    """Tell whether a query is a date that the contract allows."""
    # The form is tested apart, because `fromisoformat` also reads other forms.
    if not _DATE.fullmatch(text):
        return False
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return False
    return 1900 <= day.year <= 2199


def _is_integer(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is an integer in a range; a boolean is none."""
    return type(value) is int and low <= value <= high


def _are_queries(value: Any) -> bool:
    """Tell whether a value is an array of strings that the contract allows as queries."""
    return (
        isinstance(value, list)
        and len(value) <= 200
        and all(isinstance(query, str) and len(query) <= 30 for query in value)
    )


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "end_month": lambda value: _is_integer(value, 1, 12),
    "end_weekday": lambda value: _is_integer(value, 1, 7),
    "rule": lambda value: value in _RULES,
    "pattern": lambda value: value in _PATTERNS,
    "queries": _are_queries,
}
_REQUIRED = ("end_month", "end_weekday", "queries")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
