# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Reads a whole number in one notation and writes it in another.

Each notation has one text for a number. So a text in words is read without care, and is right if
the number that was read is written in this way.
"""

import re
from collections.abc import Callable
from typing import Any

_NOTATIONS = ("integer", "words", "roman")
_LIMIT = 10**15  # the first number above the range

# `[0-9]` and not `\d`, which also takes the digits of other scripts.
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,29}")

_SMALL = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
)
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_PLACES = ("", "thousand", "million", "billion", "trillion")

_ROMAN_DIGITS = (
    ("", "M", "MM", "MMM"),
    ("", "C", "CC", "CCC", "CD", "D", "DC", "DCC", "DCCC", "CM"),
    ("", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC"),
    ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"),
)
_ROMAN = re.compile("".join(f"({'|'.join(row)})" for row in _ROMAN_DIGITS))


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Read a number and write it.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    number = _READERS[fields["from"]](fields["value"])
    if number is None:
        return {"error": {"code": "bad_value"}}
    if abs(number) >= _LIMIT or (fields["to"] == "roman" and not 1 <= number <= 3999):
        return {"error": {"code": "out_of_range"}}
    return {"result": {"result": _WRITERS[fields["to"]](number), "number": number}}


def _read_integer(text: str) -> int | None:
    """Read the notation `integer`; `None` stands for a text that is wrong."""
    return int(text) if _INTEGER.fullmatch(text) else None


def _read_words(text: str) -> int | None:
    """Read the notation `words`; `None` stands for a text that is wrong."""
    # Some characters that are not ASCII have an ASCII letter as lower case.
    if not text.isascii():
        return None
    text = text.lower()
    words = text.split(" ")
    negative = words[0] == "minus"
    size = 0  # what the places so far are worth
    group = 0
    for word in words[1:] if negative else words:
        if word in _BELOW_100:
            group += _BELOW_100[word]
        elif word == "hundred":
            group *= 100
        elif word and word in _PLACES:
            size += group * 1000 ** _PLACES.index(word)
            group = 0
        else:
            return None
    size += group
    number = -size if negative else size
    # A larger number has no words at all.
    return number if size < _LIMIT and _write_words(number) == text else None


def _read_roman(text: str) -> int | None:
    """Read the notation `roman`; `None` stands for a text that is wrong."""
    # Some characters that are not ASCII have an ASCII letter as upper case.
    found = _ROMAN.fullmatch(text.upper()) if text and text.isascii() else None
    if found is None:
        return None
    number = 0
    for row, digit in zip(_ROMAN_DIGITS, found.groups(), strict=True):
        number = number * 10 + row.index(digit)
    return number


def _write_words(number: int) -> str:
    """Write a number of the range in words."""
    if number == 0:
        return _SMALL[0]
    words: list[str] = []  # from the right
    rest = abs(number)
    for place in _PLACES:
        rest, group = divmod(rest, 1000)
        if group:
            words += [word for word in (place, *_group_words(group)) if word]
    if number < 0:
        words.append("minus")
    return " ".join(reversed(words))


def _group_words(group: int) -> list[str]:
    """Give the words of a number from 1 to 999, from the right."""
    hundreds, rest = divmod(group, 100)
    words = [_below_100(rest)] if rest else []
    if hundreds:
        words += ["hundred", _SMALL[hundreds]]
    return words


def _below_100(number: int) -> str:
    """Give the word of a number from 1 to 99."""
    if number < 20:
        return _SMALL[number]
    tens, ones = divmod(number, 10)
    return f"{_TENS[tens - 2]}-{_SMALL[ones]}" if ones else _TENS[tens - 2]


def _write_roman(number: int) -> str:
    """Write a number from 1 to 3999 as a Roman numeral."""
    digits = map(int, f"{number:04}")
    return "".join(row[digit] for row, digit in zip(_ROMAN_DIGITS, digits, strict=True))


_BELOW_100 = {_SMALL[0]: 0} | {_below_100(number): number for number in range(1, 100)}
_READERS: dict[str, Callable[[str], int | None]] = {
    "integer": _read_integer,
    "words": _read_words,
    "roman": _read_roman,
}
_WRITERS: dict[str, Callable[[int], str]] = {
    "integer": str,
    "words": _write_words,
    "roman": _write_roman,
}


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "value": lambda value: isinstance(value, str) and len(value) <= 300,
    "from": lambda value: value in _NOTATIONS,
    "to": lambda value: value in _NOTATIONS,
}
_REQUIRED = ("value", "from", "to")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
