# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Converts between exact fractions and repeating expansions in any base."""

import math
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

_OPS = ("expand", "parse")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"

# `[0-9]` and not `\d`, which also takes the digits of other scripts.
_FRACTION = re.compile(r"-?(?:0|[1-9][0-9]{0,17})(?:/[1-9][0-9]{0,17})?")
_LITERAL = re.compile(
    r"(?P<sign>-?)(?P<whole>[0-9A-Za-z]+)"
    r"(?:\.(?P<ended>[0-9A-Za-z]+)"
    r"|\.(?P<prefix>[0-9A-Za-z]*)\((?P<cycle>[0-9A-Za-z]+)\))?"
)


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Write or read a number in a base.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    base = fields.get("base", 10)
    if fields["op"] == "parse":
        return _parse(fields["text"], base) if "text" in fields else _failure("missing_operand")
    if "value" not in fields:
        return _failure("missing_operand")
    return _expand(Fraction(fields["value"]), base, fields.get("max_digits", 1000))


def _failure(code: str) -> dict[str, Any]:
    """Make the answer for an error of the contract."""
    return {"error": {"code": code}}


# ------------------------------------------------------------------------------------- the writing


def _expand(value: Fraction, base: int, max_digits: int) -> dict[str, Any]:
    """Answer `expand`.

    Args:
        value: The number to write.
        base: The base.
        max_digits: The most digits that prefix and cycle may have together.

    Returns:
        The answer.
    """
    whole, rest = divmod(abs(value.numerator), value.denominator)
    prefix_length = _prefix_length(value.denominator, base)
    if prefix_length > max_digits:
        return _failure("too_long")
    prefix, rest = _divide(rest, value.denominator, base, prefix_length)
    cycle = _cycle(rest, value.denominator, base, max_digits - prefix_length)
    if cycle is None:
        return _failure("too_long")
    text = ("-" if value < 0 else "") + _integer_text(whole, base)
    if prefix or cycle:
        text += f".{prefix}"
    if cycle:
        text += f"({cycle})"
    return {"result": {"text": text, "prefix": prefix, "cycle": cycle}}


def _prefix_length(denominator: int, base: int) -> int:
    """Give the number of digits before the cycle for a denominator in lowest terms.

    Each of these digits takes those factors out of the denominator that it shares with the base.
    Once they share none, the expansion repeats from there on, or it has ended.
    """
    length = 0
    while (common := math.gcd(denominator, base)) > 1:
        denominator //= common
        length += 1
    return length


def _divide(rest: int, denominator: int, base: int, count: int) -> tuple[str, int]:
    """Give so many digits of a fraction below 1, and the numerator of what they leave."""
    digits: list[str] = []
    for _ in range(count):
        digit, rest = divmod(rest * base, denominator)
        digits.append(_DIGITS[digit])
    return "".join(digits), rest


def _cycle(rest: int, denominator: int, base: int, max_digits: int) -> str | None:
    """Give the digits of a fraction below 1 until its remainder comes back.

    Args:
        rest: The numerator. The expansion repeats from its first digit on.
        denominator: The denominator.
        base: The base.
        max_digits: The most digits that the cycle may have.

    Returns:
        The cycle, which is empty if the fraction is 0, or `None` if it is too long.
    """
    first = rest
    digits: list[str] = []
    while rest and (not digits or rest != first):
        if len(digits) == max_digits:
            return None
        digit, rest = divmod(rest * base, denominator)
        digits.append(_DIGITS[digit])
    return "".join(digits)


def _integer_text(number: int, base: int) -> str:
    """Write an integer that is not negative."""
    digits: list[str] = []
    while number:
        number, digit = divmod(number, base)
        digits.append(_DIGITS[digit])
    return "".join(reversed(digits)) or "0"


# ------------------------------------------------------------------------------------- the reading


def _parse(text: str, base: int) -> dict[str, Any]:
    """Answer `parse`.

    Args:
        text: What should be a number.
        base: The base.

    Returns:
        The answer.
    """
    match = _LITERAL.fullmatch(text)
    if match is None:
        return _failure("bad_literal")
    # A digit is a character with the value that it has as a number in the greatest base.
    if any(int(character, 36) >= base for character in text if character not in "-.()"):
        return _failure("digit_out_of_range")
    whole, cycle = match["whole"], match["cycle"] or ""
    prefix = match["ended"] or match["prefix"] or ""
    number = Fraction(int(whole + prefix, base))
    if cycle:
        number += Fraction(int(cycle, base), base ** len(cycle) - 1)
    number /= base ** len(prefix)
    # A `Fraction` is always in lowest terms, and `str` leaves out a `/1` and the sign of 0.
    return {"result": {"value": str(-number if match["sign"] else number)}}


# -------------------------------------------------------------------------------------- the fields


def _is_integer(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is an integer in a range; a boolean is none."""
    return type(value) is int and low <= value <= high


def _is_fraction(value: Any) -> bool:
    """Tell whether a value is a string that is a fraction."""
    return isinstance(value, str) and _FRACTION.fullmatch(value) is not None


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "op": lambda value: value in _OPS,
    "base": lambda value: _is_integer(value, 2, 36),
    "value": _is_fraction,
    "text": lambda value: isinstance(value, str) and len(value) <= 200,
    "max_digits": lambda value: _is_integer(value, 0, 2000),
}
_REQUIRED = ("op",)


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
