"""Text to movements."""

import datetime
import re
from dataclasses import dataclass

KINDS = ("in", "out", "loss", "count")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_NUMBER = re.compile("[0-9]+")
_PRICE = re.compile(r"([0-9]+)(?:\.([0-9]{1,2}))?")


@dataclass(frozen=True)
class Movement:
    """One line of the log; ``price`` is in cents."""

    day: datetime.date
    kind: str
    item: str
    quantity: int
    price: int
    note: str = ""


def _day(text):
    try:
        if _DATE.fullmatch(text):
            return datetime.date.fromisoformat(text)
    except ValueError:
        pass
    raise ValueError(f"not a date: {text!r}")


def _kind(text):
    if text.lower() not in KINDS:
        raise ValueError(f"unknown kind {text!r}")
    return text.lower()


def _item(text):
    item = " ".join(text.split())
    if not item:
        raise ValueError("item is empty")
    return item


def _quantity(text, kind):
    if not _NUMBER.fullmatch(text) or (int(text) == 0 and kind != "count"):
        raise ValueError(f"not a quantity: {text!r}")
    return int(text)


def _price(text):
    match = _PRICE.fullmatch(text)
    if not match:
        raise ValueError(f"not a price: {text!r}")
    return int(match[1]) * 100 + int((match[2] or "").ljust(2, "0"))


def _movement(line):
    parts = [part.strip() for part in line.split(";")]
    if len(parts) not in (5, 6):
        raise ValueError(f"5 or 6 fields expected, found {len(parts)}")
    day, kind, item = _day(parts[0]), _kind(parts[1]), _item(parts[2])
    return Movement(day, kind, item, _quantity(parts[3], kind), _price(parts[4]), *parts[5:])


def parse_movements(text):
    """``(movements, problems)`` of a log, in the order of its lines."""
    movements, problems = [], []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            movements.append(_movement(line))
        except ValueError as error:
            problems.append(f"line {number}: {error}")
    return movements, problems
