"""Moments, as the sites write them."""

import re
from datetime import datetime

from stockroom.errors import StockError

MOMENT = re.compile(r"(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(Z|[+-]\d{2}:\d{2})")


def checked(text):
    """``text``, if it is a moment."""
    try:
        moment(text)
    except ValueError:
        raise StockError(f"bad time: {text}") from None
    return text


def moment(text):
    """``text`` as a datetime that knows its offset."""
    match = MOMENT.fullmatch(text)
    if match is None:
        raise ValueError(text)
    return datetime.fromisoformat(match[1] + match[2].replace("Z", "+00:00"))


def is_later(text, other):
    """Whether one moment is later than another one."""
    return moment(text) > moment(other)
