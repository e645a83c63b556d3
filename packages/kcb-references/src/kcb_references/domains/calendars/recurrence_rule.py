# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Expands a rule for a recurring event into dates."""

import re
from collections.abc import Callable, Iterator
from datetime import date
from itertools import count, islice
from typing import Any

# `[0-9]` and not `\d`, which also takes the digits of other scripts.
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_WEEKDAY = re.compile(rf"(-?[1-5])?({'|'.join(_WEEKDAYS)})")
_FREQUENCIES = ("daily", "weekly", "monthly", "yearly")
_HORIZON_YEARS = 60
_MAX_GENERATED = 1000


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Expand a rule.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields) or _combination_error(fields)
    if error is not None:
        return {"error": error}
    start = date.fromisoformat(fields["start"])
    horizon = date(start.year + _HORIZON_YEARS, 12, 31)
    until = date.fromisoformat(fields["until"]) if "until" in fields else None
    last = horizon if until is None else min(until, horizon)
    # One more than allowed is enough to know that there are too many.
    wanted = fields.get("count", _MAX_GENERATED + 1)
    days = islice(_days(fields, start, last), wanted)
    generated = [day.isoformat() for day in days]
    if len(generated) > _MAX_GENERATED:
        return {"error": {"code": "too_many"}}
    exclude = frozenset(fields.get("exclude", ()))
    dates = [day for day in generated if day not in exclude]
    return {
        "result": {
            "dates": dates,
            "generated": len(generated),
            "excluded": len(generated) - len(dates),
            "complete": len(generated) == wanted if until is None else until <= horizon,
        }
    }


def _combination_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of valid fields that do not fit together, or `None` if they do."""
    if ("count" in fields) == ("until" in fields):
        return {"code": "bad_limit"}
    # Dates of this form are in the order of their texts.
    if "until" in fields and fields["until"] < fields["start"]:
        return {"code": "until_before_start"}
    has_number = any(len(element) > 2 for element in fields.get("by_weekday", ()))
    if has_number and fields["freq"] in ("daily", "weekly"):
        return {"code": "bad_combination"}
    return None


def _days(fields: dict[str, Any], start: date, last: date) -> Iterator[date]:
    """Find the days of a rule.

    Args:
        fields: Valid fields.
        start: The first day that may be found.
        last: The last day that may be found.

    Yields:
        The days in ascending order.
    """
    passes = _filter(fields, start)
    positions = fields.get("by_set_pos")
    for period in _periods(fields, start):
        if period.start > last.toordinal():
            return
        # The positions count all days of the period, also those before the start.
        days = [day for day in map(date.fromordinal, period) if passes(day)]
        if positions is not None:
            days = _at_positions(days, positions)
        for day in days:
            if start <= day <= last:
                yield day


def _at_positions(days: list[date], positions: list[int]) -> list[date]:
    """Keep the days at some positions, which count from 1 or, from the end, from -1."""
    indices = {position - 1 if position > 0 else len(days) + position for position in positions}
    return [day for index, day in enumerate(days) if index in indices]


# ------------------------------------------------------------------------------------ the periods


def _periods(fields: dict[str, Any], start: date) -> Iterator[range]:
    """Give the ordinals of the days of each period, without end."""
    for units in count(0, fields.get("interval", 1)):
        match fields["freq"]:
            case "daily":
                first = start.toordinal() + units
                yield range(first, first + 1)
            case "weekly":
                week_start = _WEEKDAYS.index(fields.get("week_start", "MO"))
                first = start.toordinal() - (start.weekday() - week_start) % 7 + 7 * units
                yield range(first, first + 7)
            case "monthly":
                month = start.year * 12 + start.month - 1 + units
                yield range(_month_start(month), _month_start(month + 1))
            case "yearly":
                month = (start.year + units) * 12
                yield range(_month_start(month), _month_start(month + 12))


def _month_start(month: int) -> int:
    """Give the ordinal of the first day of a month; months are counted from the year 0."""
    year, index = divmod(month, 12)
    return date(year, index + 1, 1).toordinal()


def _days_to_end(day: date) -> int:
    """Give the number of days from a day to the end of its month, itself included."""
    return _month_start(day.year * 12 + day.month) - day.toordinal()


# ------------------------------------------------------------------------------------ the filters


def _filter(fields: dict[str, Any], start: date) -> Callable[[date], bool]:
    """Make the test whether a day passes all filters of a rule."""
    months = fields.get("by_month")
    month_days = fields.get("by_month_day")
    weekdays = fields.get("by_weekday")
    if month_days is None and weekdays is None:
        match fields["freq"]:
            case "weekly":
                weekdays = [_WEEKDAYS[start.weekday()]]
            case "monthly":
                month_days = [start.day]
            case "yearly":
                month_days = [start.day]
                months = [start.month] if months is None else months
    # The filters that take out most days come first.
    tests: list[Callable[[date], bool]] = []
    if months is not None:
        tests.append(_month_test(frozenset(months)))
    if weekdays is not None:
        tests.append(_weekday_test(frozenset(weekdays)))
    if month_days is not None:
        tests.append(_month_day_test(frozenset(month_days)))
    return lambda day: all(test(day) for test in tests)


def _month_test(months: frozenset[int]) -> Callable[[date], bool]:
    """Make the test of `by_month`."""
    return lambda day: day.month in months


def _month_day_test(month_days: frozenset[int]) -> Callable[[date], bool]:
    """Make the test of `by_month_day`."""
    counts_from_end = min(month_days) < 0

    def test(day: date) -> bool:
        return day.day in month_days or (counts_from_end and -_days_to_end(day) in month_days)

    return test


def _weekday_test(elements: frozenset[str]) -> Callable[[date], bool]:
    """Make the test of `by_weekday`."""
    names = frozenset(element[-2:] for element in elements)

    def test(day: date) -> bool:
        name = _WEEKDAYS[day.weekday()]
        if name not in names:
            return False
        # What is left are at most a few days of each week.
        return (
            name in elements
            or f"{(day.day - 1) // 7 + 1}{name}" in elements
            or f"{-((_days_to_end(day) - 1) // 7 + 1)}{name}" in elements
        )

    return test


# ------------------------------------------------------------------------------------- the fields


def _is_integer(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is an integer in a range; a boolean is none."""
    return type(value) is int and low <= value <= high


def _is_position(value: Any, most: int) -> bool:
    """Tell whether a value is an integer that counts from the start or from the end."""
    return _is_integer(value, -most, most) and value != 0


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


def _is_weekday(value: Any) -> bool:
    """Tell whether a value is an element that the contract allows in `by_weekday`."""
    return isinstance(value, str) and _WEEKDAY.fullmatch(value) is not None


def _is_array(value: Any, low: int, high: int, allows: Callable[[Any], bool]) -> bool:
    """Tell whether a value is an array with a length in a range and only allowed elements."""
    return isinstance(value, list) and low <= len(value) <= high and all(map(allows, value))


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "start": _is_date,
    "freq": lambda value: value in _FREQUENCIES,
    "interval": lambda value: _is_integer(value, 1, 100),
    "count": lambda value: _is_integer(value, 1, 500),
    "until": _is_date,
    "by_weekday": lambda value: _is_array(value, 1, 20, _is_weekday),
    "by_month_day": lambda value: _is_array(value, 1, 31, lambda item: _is_position(item, 31)),
    "by_month": lambda value: _is_array(value, 1, 12, lambda item: _is_integer(item, 1, 12)),
    "by_set_pos": lambda value: _is_array(value, 1, 20, lambda item: _is_position(item, 366)),
    "week_start": lambda value: value in _WEEKDAYS,
    "exclude": lambda value: _is_array(value, 0, 200, _is_date),
}
_REQUIRED = ("start", "freq")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
