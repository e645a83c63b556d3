# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Applies durations to a timestamp and writes them in a canonical form."""

import re
from collections.abc import Callable
from datetime import date
from typing import Any, NamedTuple

# `[0-9]` and not `\d`, which also takes the digits of other scripts.
_TIMESTAMP = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]")
_NUMBER = "([0-9]{1,5})"
# The text behind `P` and behind `T` must not be empty; `T` and digits are all that it begins with.
_DURATION = re.compile(
    rf"([+-])?P(?=[0-9T])(?:{_NUMBER}Y)?(?:{_NUMBER}M)?(?:{_NUMBER}W)?(?:{_NUMBER}D)?"
    rf"(?:T(?=[0-9])(?:{_NUMBER}H)?(?:{_NUMBER}M)?(?:{_NUMBER}S)?)?"
)
_MINUTE = 60
_HOUR = 60 * _MINUTE
_DAY = 24 * _HOUR
_WEEK = 7 * _DAY
_FIRST_SECOND = date.min.toordinal() * _DAY
_LAST_SECOND = date.max.toordinal() * _DAY + _DAY - 1


class _DurationError(Exception):
    """A duration is wrong or leads too far; the message is the code of the error."""


class _Duration(NamedTuple):
    """A duration; without a sign, both numbers are 0 or greater."""

    sign: int
    months: int
    seconds: int


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Apply all durations.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    start = time = _read(fields["start"])
    steps: list[str] = []
    try:
        durations = [_parse(text) for text in fields["durations"]]
        for duration in durations:
            time = _apply(time, duration)
            steps.append(_write(time))
    except _DurationError as duration_error:
        return {"error": {"code": str(duration_error)}}
    return {
        "result": {
            "result": _write(time),
            "steps": steps,
            "canonical": [_canonical(duration) for duration in durations],
            "elapsed_seconds": time - start,
        }
    }


# --------------------------------------------------------------- times, as numbers of seconds


def _read(text: str) -> int:
    """Read a timestamp that the contract allows."""
    hours, minutes, seconds = map(int, text[11:].split(":"))
    day = date.fromisoformat(text[:10]).toordinal()
    return day * _DAY + hours * _HOUR + minutes * _MINUTE + seconds


def _write(time: int) -> str:
    """Write a timestamp."""
    day, seconds = divmod(time, _DAY)
    return f"{date.fromordinal(day).isoformat()}T{_clock(seconds)}"


def _clock(seconds: int) -> str:
    """Write the time of a day."""
    return f"{seconds // _HOUR:02}:{seconds % _HOUR // _MINUTE:02}:{seconds % _MINUTE:02}"


def _apply(time: int, duration: _Duration) -> int:
    """Apply a duration.

    Args:
        time: A time.
        duration: What to move it by.

    Returns:
        The time that it leads to.

    Raises:
        _DurationError: One of the two steps leads out of the range.
    """
    day, seconds = divmod(time, _DAY)
    day = _add_months(day, duration.sign * duration.months)
    time = day * _DAY + seconds + duration.sign * duration.seconds
    if not _FIRST_SECOND <= time <= _LAST_SECOND:
        raise _DurationError("out_of_range")
    return time


def _add_months(ordinal: int, months: int) -> int:
    """Move a day by months, to the last day of the month if it has no such day."""
    day = date.fromordinal(ordinal)
    year, index = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not date.min.year <= year <= date.max.year:
        raise _DurationError("out_of_range")
    return date(year, index + 1, min(day.day, _month_length(year, index + 1))).toordinal()


def _month_length(year: int, month: int) -> int:
    """Give the number of days of a month."""
    if month == 2:
        is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
        return 29 if is_leap else 28
    return 30 if month in (4, 6, 9, 11) else 31


# ------------------------------------------------------------------------------------- durations


def _parse(text: str) -> _Duration:
    """Read a duration."""
    form = _DURATION.fullmatch(text)
    if form is None:
        raise _DurationError("bad_duration")
    years, months, weeks, days, hours, minutes, seconds = (
        int(number or 0) for number in form.groups()[1:]
    )
    return _Duration(
        -1 if form[1] == "-" else 1,
        12 * years + months,
        weeks * _WEEK + days * _DAY + hours * _HOUR + minutes * _MINUTE + seconds,
    )


def _canonical(duration: _Duration) -> str:
    """Write a duration in the canonical form."""
    years, months = divmod(duration.months, 12)
    days, seconds = divmod(duration.seconds, _DAY)
    hours, seconds = divmod(seconds, _HOUR)
    minutes, seconds = divmod(seconds, _MINUTE)
    calendar_part = _parts((years, "Y"), (months, "M"), (days, "D"))
    clock_part = _parts((hours, "H"), (minutes, "M"), (seconds, "S"))
    if not calendar_part and not clock_part:
        return "PT0S"
    sign = "-" if duration.sign < 0 else ""
    return f"{sign}P{calendar_part}{'T' if clock_part else ''}{clock_part}"


def _parts(*parts: tuple[int, str]) -> str:
    """Write the parts of a duration that are not 0."""
    return "".join(f"{number}{letter}" for number, letter in parts if number)


# ------------------------------------------------------------------------------------- the fields


def _is_timestamp(value: Any) -> bool:
    """Tell whether a value is a timestamp that the contract allows."""
    if not isinstance(value, str):
        return False
    timestamp = _TIMESTAMP.fullmatch(value)
    if timestamp is None:
        return False
    try:
        day = date.fromisoformat(timestamp[1])
    except ValueError:
        return False
    return 1900 <= day.year <= 2199


def _are_texts(value: Any) -> bool:
    """Tell whether a value is an array of strings that the contract allows as durations."""
    return (
        isinstance(value, list)
        and len(value) <= 50
        and all(isinstance(text, str) and len(text) <= 40 for text in value)
    )


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "start": _is_timestamp,
    "durations": _are_texts,
}
_REQUIRED = ("start", "durations")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
