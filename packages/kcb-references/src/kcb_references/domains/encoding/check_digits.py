# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Tests or adds the check characters of card numbers, EANs, ISBNs and IBANs."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_SMALL = "abcdefghijklmnopqrstuvwxyz"
# `str.upper` would change other letters of a number, too. Spaces and hyphens are removed.
_CLEANING = str.maketrans(_SMALL, _SMALL.upper(), " -")

# The lengths of whole numbers.
_IBAN_LENGTHS = {
    "AT": 20,
    "BE": 16,
    "CH": 21,
    "DE": 22,
    "ES": 24,
    "FR": 27,
    "GB": 22,
    "IT": 27,
    "NL": 18,
    "NO": 15,
}


@dataclass(frozen=True)
class _Scheme:
    """A kind of number.

    Attributes:
        whole: The form of a number with its check.
        bare: The form of a number without it.
        lengths: What gives the lengths that a whole number can have, or `None` if there are none.
        check: What computes the check of a number without it.
        check_length: The length of the check.
        place: Where the check is, counted from the left; `None` is the right end.
    """

    whole: re.Pattern[str]
    bare: re.Pattern[str]
    lengths: Callable[[str], range | None]
    check: Callable[[str], str]
    check_length: int = 1
    place: int | None = None


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Test a number or complete it.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    cleaned = fields["value"].translate(_CLEANING)
    scheme = _SCHEMES[fields["scheme"]]
    is_whole = fields["op"] == "validate"
    code = _error_code(cleaned, scheme, is_whole)
    if code is not None:
        return {"error": {"code": code}}
    left, right = _around_check(cleaned, scheme, is_whole)
    check = scheme.check(left + right)
    full = left + check + right
    return {
        "result": {
            "valid": not is_whole or cleaned == full,
            "check": check,
            "full": full,
            "formatted": _grouped(full) if fields["scheme"] == "iban" else full,
        }
    }


def _error_code(cleaned: str, scheme: _Scheme, is_whole: bool) -> str | None:
    """Give the code of the error of a cleaned number, or `None` if it has none.

    Args:
        cleaned: The number.
        scheme: Its kind.
        is_whole: Whether it has its check.

    Returns:
        The code or `None`.
    """
    if not (scheme.whole if is_whole else scheme.bare).fullmatch(cleaned):
        return "bad_characters"
    lengths = scheme.lengths(cleaned)
    if lengths is None:
        return "unknown_country"
    if len(cleaned) + (0 if is_whole else scheme.check_length) not in lengths:
        return "bad_length"
    return None


def _around_check(cleaned: str, scheme: _Scheme, is_whole: bool) -> tuple[str, str]:
    """Give what is before the check of a number and what is after it, without the check."""
    taken = scheme.check_length if is_whole else 0
    start = len(cleaned) - taken if scheme.place is None else scheme.place
    return cleaned[:start], cleaned[start + taken :]


def _grouped(number: str) -> str:
    """Cut a number into groups of 4 characters with spaces between them."""
    return " ".join(number[start : start + 4] for start in range(0, len(number), 4))


def _luhn_check(digits: str) -> str:
    """Give the check for the other digits of a Luhn number."""
    # To subtract 9 from a number of two digits gives the sum of these two.
    doubled = [sum(divmod(2 * int(digit), 10)) for digit in digits[::-2]]
    return str(-(sum(doubled) + sum(map(int, digits[-2::-2]))) % 10)


def _ean13_check(digits: str) -> str:
    """Give the check for the first 12 digits of an EAN-13."""
    return str(-(sum(map(int, digits[::2])) + 3 * sum(map(int, digits[1::2]))) % 10)


def _isbn10_check(digits: str) -> str:
    """Give the check for the first 9 digits of an ISBN-10."""
    weighted = sum(int(digit) * (10 - place) for place, digit in enumerate(digits))
    return "0123456789X"[-weighted % 11]


def _iban_check(bare: str) -> str:
    """Give the check for the country and the rest of an IBAN."""
    # The digits of base 36 stand for just these numbers.
    numbers = "".join(str(int(character, base=36)) for character in bare[2:] + bare[:2])
    return f"{98 - int(numbers + '00') % 97:02}"


def _iban_lengths(number: str) -> range | None:
    """Give the one length of an IBAN of the country of a number, or `None` if it is unknown."""
    length = _IBAN_LENGTHS.get(number[:2])
    return None if length is None else range(length, length + 1)


# `[0-9]` and not `\d`, which also takes the digits of other scripts.
_DIGITS = re.compile(r"[0-9]*")
_SCHEMES: dict[str, _Scheme] = {
    "luhn": _Scheme(_DIGITS, _DIGITS, lambda _: range(2, 31), _luhn_check),
    "ean13": _Scheme(_DIGITS, _DIGITS, lambda _: range(13, 14), _ean13_check),
    "isbn10": _Scheme(re.compile(r"[0-9]*X?"), _DIGITS, lambda _: range(10, 11), _isbn10_check),
    "iban": _Scheme(
        re.compile(r"[A-Z]{2}[0-9]{2}[A-Z0-9]*"),
        re.compile(r"[A-Z]{2}[A-Z0-9]*"),
        _iban_lengths,
        _iban_check,
        check_length=2,
        place=2,
    ),
}


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "op": lambda value: value in ("validate", "complete"),
    "scheme": lambda value: isinstance(value, str) and value in _SCHEMES,
    "value": lambda value: isinstance(value, str) and len(value) <= 80,
}
_REQUIRED = ("op", "scheme", "value")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
