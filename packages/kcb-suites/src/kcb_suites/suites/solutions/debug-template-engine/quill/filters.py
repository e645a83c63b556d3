"""The filters: functions of a value and arguments."""

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal

from quill.values import Safe, Undefined, escape, is_missing, text_of


def default(value, instead):
    return instead if is_missing(value) else value


def length(value):
    return 0 if is_missing(value) else len(value)


def join(values, separator=""):
    return text_of(separator).join(text_of(value) for value in values)


def first(values):
    return values[0] if values else Undefined("first")


def last(values):
    return values[-1] if values else Undefined("last")


def reverse(values):
    return values[::-1]


def sort(values, key=None):
    """A sorted copy, by a key of the elements if one is given."""
    if key is None:
        return sorted(values)
    return sorted(values, key=lambda value: value[key])


def items(value):
    if not isinstance(value, Mapping):
        raise TypeError("not a mapping")
    return [list(pair) for pair in value.items()]


def truncate(value, size, end="..."):
    """At most ``size`` characters, with ``end`` if something is missing."""
    text = str(text_of(value))
    if len(text) <= size:
        return text
    return text[: max(0, size - len(end))].rstrip() + end


def number(value, places=0):
    """Rounded half away from zero, with a comma between thousands."""
    rounded = Decimal(str(value)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    return f"{rounded:,}" if rounded else f"{abs(rounded):,}"


def replace(value, old, new):
    return text_of(value).replace(old, new)


def indent(value, width):
    """Blanks before every line but the first and the empty ones."""
    head, *rest = text_of(value).split("\n")
    return "\n".join([head, *(" " * width + line if line else line for line in rest)])


def escaped(value):
    return value if isinstance(value, Safe) else escape(text_of(value))


FILTERS = {
    "default": default,
    "escape": escaped,
    "first": first,
    "indent": indent,
    "items": items,
    "join": join,
    "last": last,
    "length": length,
    "lower": lambda value: text_of(value).lower(),
    "number": number,
    "replace": replace,
    "reverse": reverse,
    "safe": lambda value: Safe(text_of(value)),
    "sort": sort,
    "trim": lambda value: text_of(value).strip(),
    "truncate": truncate,
    "upper": lambda value: text_of(value).upper(),
}
