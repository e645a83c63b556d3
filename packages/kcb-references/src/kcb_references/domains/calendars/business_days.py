# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Moves a date by business days, or counts business days."""

import re
from collections.abc import Callable
from datetime import date
from typing import Any

# `[0-9]` and not `\d`, which also takes the digits of other scripts.
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_OPS = ("add", "count")
_ROLLS = ("forward", "backward")
_NEEDED = {"add": "days", "count": "end"}
_WEEK = range(1, 8)


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Find a business day, or count business days.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    if _NEEDED[fields["op"]] not in fields:
        return {"error": {"code": "missing_operand"}}
    workdays = frozenset(_WEEK).difference(fields.get("weekend", (6, 7)))
    if not workdays:
        return {"error": {"code": "no_business_day"}}
    calendar = _Calendar(workdays, frozenset(map(_ordinal, fields.get("holidays", ()))))
    start = _ordinal(fields["start"])
    if fields["op"] == "count":
        end = _ordinal(fields["end"])
        return {"result": {"count": calendar.count(start, end), "span": end - start}}
    found = calendar.add(start, fields["days"], fields.get("roll", "forward"))
    return {"result": {"date": date.fromordinal(found).isoformat(), "span": found - start}}


class _Calendar:
    """Knows which days are business days. Days are given as their ordinals."""

    def __init__(self, workdays: frozenset[int], holidays: frozenset[int]) -> None:
        self._workdays = workdays
        self._holidays = holidays

    def add(self, start: int, days: int, roll: str) -> int:
        """Find a business day.

        Args:
            start: The day from which to go.
            days: How many business days to go, forward or backward.
            roll: Where to go if that is 0 and the start is no business day.

        Returns:
            The day that was found.
        """
        forward = days > 0 or (days == 0 and roll == "forward")
        step = 1 if forward else -1
        wanted = abs(days)
        day = start
        if days == 0:
            if self._is_business_day(start):
                return start
            wanted = 1
        while wanted > 0:
            day += step
            wanted -= self._is_business_day(day)
        return day

    def count(self, start: int, end: int) -> int:
        """Count the business days from a day to another one, which is not counted.

        Args:
            start: The first day.
            end: The day after the last one; if it is before the start, the count is negative.

        Returns:
            The number of business days.
        """
        if end < start:
            return -self.count(end, start)
        weeks, rest = divmod(end - start, 7)
        days = weeks * len(self._workdays)
        days += sum(_weekday(day) in self._workdays for day in range(end - rest, end))
        # A holiday at a weekend has not been counted.
        return days - sum(
            start <= day < end and _weekday(day) in self._workdays for day in self._holidays
        )

    def _is_business_day(self, day: int) -> bool:
        """Tell whether a day is a business day."""
        return _weekday(day) in self._workdays and day not in self._holidays


def _ordinal(text: str) -> int:
    """Give the ordinal of a date that the contract allows."""
    return date.fromisoformat(text).toordinal()


def _weekday(day: int) -> int:
    """Give the number of the day of the week of an ordinal; the ordinal 1 is a Monday."""
    return (day - 1) % 7 + 1


def _is_integer(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is an integer in a range; a boolean is none."""
    return type(value) is int and low <= value <= high


def _is_date(value: Any) -> bool:
    """Tell whether a value is a date that the contract allows."""
    # The form is tested apart, because `fromisoformat` also reads other forms.
    if not isinstance(value, str) or not _DATE.fullmatch(value):
        return False
    try:
        day = date.fromisoformat(value)
    except ValueError:
        return False
    return 1900 <= day.year <= 2199


def _is_array(value: Any, most: int, allows: Callable[[Any], bool]) -> bool:
    """Tell whether a value is an array of at most so many elements, all of them allowed."""
    return isinstance(value, list) and len(value) <= most and all(map(allows, value))


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "op": lambda value: value in _OPS,
    "start": _is_date,
    "days": lambda value: _is_integer(value, -2000, 2000),
    "end": _is_date,
    "weekend": lambda value: _is_array(value, 7, lambda number: _is_integer(number, 1, 7)),
    "holidays": lambda value: _is_array(value, 400, _is_date),
    "roll": lambda value: value in _ROLLS,
}
_REQUIRED = ("op", "start")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
