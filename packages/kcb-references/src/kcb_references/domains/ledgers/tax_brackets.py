# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Computes a progressive tax that credits reduce."""

from collections.abc import Callable
from itertools import pairwise
from math import gcd
from typing import Any

_WHOLE = 10_000  # the rate that takes all, in hundredths of a percent
_ROUNDINGS = ("total", "per_bracket")


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Compute a tax.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    if not _are_ascending(fields["brackets"]):
        return {"error": {"code": "bad_brackets"}}
    return {"result": _compute(fields)}


def _are_ascending(brackets: list[dict[str, Any]]) -> bool:
    """Tell whether only the last bracket has no limit and the limits grow."""
    *limits, last = [bracket["up_to"] for bracket in brackets]
    return (
        last is None
        and None not in limits
        and all(lower < upper for lower, upper in pairwise(limits))
    )


def _compute(fields: dict[str, Any]) -> dict[str, Any]:
    """Make the result from valid fields."""
    income, brackets = fields["income"], fields["brackets"]
    taxable = max(income - fields.get("deduction", 0), 0)
    # Each exact tax is one of these numbers divided by the whole.
    shares = [
        (bracket["rate_bps"], amount)
        for bracket, amount in zip(brackets, _amounts(brackets, taxable), strict=True)
        if amount > 0
    ]
    if fields.get("rounding", "total") == "total":
        taxes = [_fraction(rate * amount) for rate, amount in shares]
        gross = _rounded(sum(rate * amount for rate, amount in shares))
    else:
        rounded = [_rounded(rate * amount) for rate, amount in shares]
        taxes = list(map(str, rounded))
        gross = sum(rounded)
    used = min(_credit(income, fields.get("credit", 0), fields.get("phaseout")), gross)
    net = gross - used - fields.get("refundable", 0)
    return {
        "taxable": taxable,
        "parts": [
            {"rate_bps": rate, "amount": amount, "tax": tax}
            for (rate, amount), tax in zip(shares, taxes, strict=True)
        ],
        "gross": gross,
        "credit_used": used,
        "net": net,
        "marginal_bps": next(
            bracket["rate_bps"]
            for bracket in brackets
            if bracket["up_to"] is None or bracket["up_to"] > taxable
        ),
        # Without an income there is no tax, so this never divides by 0.
        "effective_bps": _WHOLE * net // income if net > 0 else 0,
    }


def _amounts(brackets: list[dict[str, Any]], taxable: int) -> list[int]:
    """Give the part of the taxable income that each bracket covers."""
    amounts: list[int] = []
    covered = 0
    for bracket in brackets:
        limit = bracket["up_to"]
        reached = taxable if limit is None else min(taxable, limit)
        amounts.append(reached - covered)
        covered = reached
    return amounts


def _credit(income: int, credit: int, phaseout: dict[str, Any] | None) -> int:
    """Give what the phaseout leaves of the credit."""
    if phaseout is None or income <= phaseout["start"]:
        return credit
    steps = -((phaseout["start"] - income) // phaseout["per"])
    reduced: int = credit - steps * phaseout["reduce"]
    return max(reduced, 0)


def _rounded(tax: int) -> int:
    """Divide a number by the whole and round to the nearest integer, halves up."""
    return (2 * tax + _WHOLE) // (2 * _WHOLE)


def _fraction(tax: int) -> str:
    """Divide a number by the whole and write the fraction in lowest terms."""
    common = gcd(tax, _WHOLE)
    numerator, denominator = tax // common, _WHOLE // common
    return str(numerator) if denominator == 1 else f"{numerator}/{denominator}"


def _is_integer(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is an integer in a range; a boolean is none."""
    return type(value) is int and low <= value <= high


def _is_amount(value: Any, low: int = 0) -> bool:
    """Tell whether a value is an amount of cents that the contract allows."""
    return _is_integer(value, low, 1_000_000_000_000)


def _is_bracket(value: Any) -> bool:
    """Tell whether a value is a bracket that the contract allows."""
    return (
        isinstance(value, dict)
        and "up_to" in value
        and (value["up_to"] is None or _is_amount(value["up_to"], low=1))
        and _is_integer(value.get("rate_bps"), 0, _WHOLE)
    )


def _are_brackets(value: Any) -> bool:
    """Tell whether a value is an array of brackets that the contract allows."""
    return isinstance(value, list) and 1 <= len(value) <= 20 and all(map(_is_bracket, value))


def _is_phaseout(value: Any) -> bool:
    """Tell whether a value is a phaseout that the contract allows."""
    return value is None or (
        isinstance(value, dict)
        and _is_amount(value.get("start"))
        and _is_amount(value.get("per"), low=1)
        and _is_amount(value.get("reduce"))
    )


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "income": _is_amount,
    "deduction": _is_amount,
    "brackets": _are_brackets,
    "credit": _is_amount,
    "refundable": _is_amount,
    "phaseout": _is_phaseout,
    "rounding": lambda value: value in _ROUNDINGS,
}
_REQUIRED = ("income", "brackets")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
