"""Values of cells: None (empty), float, str, bool or Error; and their conversions."""

import math
import re
from dataclasses import dataclass

NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


@dataclass(frozen=True)
class Error:
    """An error as a value."""

    name: str


class Failure(Exception):
    """Carries an error out of a calculation."""

    def __init__(self, error):
        super().__init__(error.name)
        self.error = error


NAMES = {
    "PARSE": "#PARSE!",
    "NAME": "#NAME?",
    "ARGS": "#ARGS!",
    "REF": "#REF!",
    "VALUE": "#VALUE!",
    "DIV": "#DIV/0!",
    "NUM": "#NUM!",
    "NA": "#N/A",
    "CYCLE": "#CYCLE!",
}


def error(kind):
    return Error(NAMES[kind])


def fail(kind):
    raise Failure(error(kind))


def finite(number):
    """The number, if it is one; a failure otherwise."""
    return float(number) if math.isfinite(number) else fail("NUM")


def literal(text):
    """The number or truth value that a text has the form of, or None."""
    if NUMBER.fullmatch(text):
        number = float(text)
        return number if math.isfinite(number) else error("NUM")
    return {"true": True, "false": False}.get(text.lower()) if text.isascii() else None


def checked(value):
    """The value itself; errors become failures."""
    if isinstance(value, Error):
        raise Failure(value)
    return value


def is_number(value):
    return isinstance(value, float)


def to_number(value):
    checked(value)
    if value is None:
        return 0.0
    if isinstance(value, bool):
        return float(value)
    if is_number(value):
        return value
    return finite(float(value)) if NUMBER.fullmatch(value) else fail("VALUE")


def to_whole(value):
    return int(to_number(value))


def to_truth(value):
    checked(value)
    if isinstance(value, str):
        truth = literal(value)
        return truth if isinstance(truth, bool) else fail("VALUE")
    return bool(value)


def text_of(value):
    """What outputs show."""
    if value is None:
        return ""
    if isinstance(value, Error):
        return value.name
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return format(value, ".12g") if value else "0"
    return value


def to_text(value):
    return text_of(checked(value))


def rank(value):
    """The place of a type among the others, from numbers to truth values."""
    if isinstance(value, bool):
        return 2
    return 1 if isinstance(value, str) else 0


def order_key(value):
    return value.lower() if isinstance(value, str) else value


def compare(left, right):
    """-1, 0 or 1; empty counts as the least value of the other's type."""
    if left is None:
        left = type(right)() if right is not None else 0.0
    if right is None:
        right = type(left)()
    if rank(left) != rank(right):
        return -1 if rank(left) < rank(right) else 1
    one, other = order_key(left), order_key(right)
    return (one > other) - (one < other)


def same(left, right):
    """True if two values match: of one type, equal, and neither empty nor an error."""
    for value in (left, right):
        if value is None or isinstance(value, Error):
            return False
    return rank(left) == rank(right) and compare(left, right) == 0
