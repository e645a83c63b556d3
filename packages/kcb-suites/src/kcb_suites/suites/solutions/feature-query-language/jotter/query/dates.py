"""What a date term means, as a first and a last day."""

import calendar
import re
from datetime import date, timedelta

from jotter.query.errors import QuerySyntaxError

_DATE = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?")
_SIGN = re.compile(r"[<>]=?")
_DAY = timedelta(days=1)


def _span(text, position):
    """The first and the last day of a year, a month or a day."""
    match = _DATE.fullmatch(text)
    try:
        year, month, day = match.groups()
        first = date(int(year), int(month or 1), int(day or 1))
        last_month = int(month or 12)
        last_day = int(day or calendar.monthrange(first.year, last_month)[1])
        return first, date(first.year, last_month, last_day)
    except (AttributeError, ValueError):
        raise QuerySyntaxError(f"not a date: {text!r}", position) from None


def _beside(text, sign, position):
    first, last = _span(text, position)
    try:
        return {
            ">": lambda: (last + _DAY, None),
            ">=": lambda: (first, None),
            "<": lambda: (None, first - _DAY),
            "<=": lambda: (None, last),
        }[sign]()
    except OverflowError:
        return date.max, date.min


def _between(first, second, position):
    if not first and not second:
        raise QuerySyntaxError("not a date: ''", position)
    low = _span(first, position)[0] if first else None
    high = _span(second, position + len(first) + 2)[1] if second else None
    return low, high


def interval(text, position):
    """``(first day or None, last day or None)``."""
    sign = _SIGN.match(text)
    if sign:
        low, high = _beside(text[sign.end() :], sign[0], position + sign.end())
    elif ".." in text:
        first, _, second = text.partition("..")
        low, high = _between(first, second, position)
    else:
        low, high = _span(text, position)
    if low and high and low > high:
        raise QuerySyntaxError(f"range is empty: {text!r}", position)
    return low, high
