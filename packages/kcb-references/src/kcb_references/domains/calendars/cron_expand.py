# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Finds the next times at which a cron expression fires."""

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from itertools import islice
from typing import Any, NamedTuple

# `[0-9]` and not `\d`, which also takes the digits of other scripts.
_TIME = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})T(?:[01][0-9]|2[0-3]):[0-5][0-9]")
_GAP = re.compile("[ \t]+")
_VALUE = "[0-9]{1,2}|[A-Za-z]{3}"
# One value, or values in a row and perhaps a step.
_ITEM = re.compile(rf"({_VALUE})|(?:\*|({_VALUE})-({_VALUE}))(?:/([0-9]{{1,2}}))?")
_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_WEEKDAYS = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
_YEARS = 12


class _ExpressionError(Exception):
    """The expression is wrong; the message is the code of the error."""


class _Kind(NamedTuple):
    """What a field of an expression can hold."""

    low: int
    high: int
    # The last value of `*`, which for the days of the week has no second number for Sunday.
    last: int
    names: dict[str, int]


_KINDS = (
    _Kind(0, 59, 59, {}),
    _Kind(0, 23, 23, {}),
    _Kind(1, 31, 31, {}),
    _Kind(1, 12, 12, {name: number for number, name in enumerate(_MONTHS, 1)}),
    _Kind(0, 7, 6, {name: number for number, name in enumerate(_WEEKDAYS)}),
)


class _Expression(NamedTuple):
    """A parsed expression."""

    minutes: frozenset[int]
    hours: frozenset[int]
    month_days: frozenset[int]
    months: frozenset[int]
    # Sunday is 0.
    weekdays: frozenset[int]
    # Whether a day needs only one of its month day and its weekday.
    either_day: bool

    def matches(self, day: date) -> bool:
        """Tell whether it fires on a day."""
        if day.month not in self.months:
            return False
        by_month_day = day.day in self.month_days
        by_weekday = day.isoweekday() % 7 in self.weekdays
        if self.either_day:
            return by_month_day or by_weekday
        return by_month_day and by_weekday


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Expand a cron expression.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    try:
        expression = _parse(fields["expr"])
    except _ExpressionError as expression_error:
        return {"error": {"code": str(expression_error)}}
    wanted = fields.get("n", 5)
    fires = list(islice(_fires(expression, fields["from"]), wanted))
    if not fires:
        return {"error": {"code": "never_fires"}}
    sizes = [len(values) for values in expression[: len(_KINDS)] if isinstance(values, frozenset)]
    return {"result": {"fires": fires, "sizes": sizes, "exhausted": len(fires) < wanted}}


def _fires(expression: _Expression, start: str) -> Iterator[str]:
    """Find the times at which an expression fires.

    Args:
        expression: A parsed expression.
        start: A time; only those after it are found.

    Yields:
        The times up to the end of the search, in ascending order.
    """
    clock = [
        f"T{hour:02}:{minute:02}"
        for hour in sorted(expression.hours)
        for minute in sorted(expression.minutes)
    ]
    day = date.fromisoformat(start[:10])
    end = date(day.year + _YEARS, 12, 31)
    while day <= end:
        if expression.matches(day):
            text = day.isoformat()
            # Times of this form are in the order of their texts.
            yield from (text + time for time in clock if text + time > start)
        day += timedelta(1)


# ------------------------------------------------------------------------------------- the parser


def _parse(text: str) -> _Expression:
    """Parse an expression.

    Args:
        text: The text of the expression.

    Returns:
        What it says.

    Raises:
        _ExpressionError: The expression is wrong.
    """
    # Only spaces and tabs are gaps, so `str.split` without an argument is of no use here.
    parts = _GAP.split(text.strip(" \t"))
    if len(parts) != len(_KINDS):
        raise _ExpressionError("bad_expression")
    minutes, hours, month_days, months, weekdays = (
        _parse_field(part, kind) for part, kind in zip(parts, _KINDS, strict=True)
    )
    return _Expression(
        minutes,
        hours,
        month_days,
        months,
        frozenset(number % 7 for number in weekdays),
        either_day=not parts[2].startswith("*") and not parts[4].startswith("*"),
    )


def _parse_field(text: str, kind: _Kind) -> frozenset[int]:
    """Give the values that a field allows."""
    return frozenset(value for item in text.split(",") for value in _parse_item(item, kind))


def _parse_item(text: str, kind: _Kind) -> range:
    """Give the values that an item allows."""
    item = _ITEM.fullmatch(text)
    if item is None:
        raise _ExpressionError("bad_field")
    single, first, last, step_text = item.groups()
    if single is not None:
        value = _parse_value(single, kind)
        return range(value, value + 1)
    low, high = kind.low, kind.last
    if first is not None:
        low, high = _parse_value(first, kind), _parse_value(last, kind)
    step = 1 if step_text is None else int(step_text)
    if low > high or not 1 <= step <= 59:
        raise _ExpressionError("bad_field")
    return range(low, high + 1, step)


def _parse_value(text: str, kind: _Kind) -> int:
    """Give the number that a value stands for."""
    value = int(text) if text.isdecimal() else kind.names.get(text.upper())
    if value is None or not kind.low <= value <= kind.high:
        raise _ExpressionError("bad_field")
    return value


# ------------------------------------------------------------------------------------- the fields


def _is_time(value: Any) -> bool:
    """Tell whether a value is a time that the contract allows."""
    if not isinstance(value, str):
        return False
    time = _TIME.fullmatch(value)
    if time is None:
        return False
    try:
        day = date.fromisoformat(time[1])
    except ValueError:
        return False
    return 1900 <= day.year <= 2199


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "expr": lambda value: isinstance(value, str) and len(value) <= 200,
    "from": _is_time,
    # A boolean is no integer.
    "n": lambda value: type(value) is int and 1 <= value <= 100,
}
_REQUIRED = ("expr", "from")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
