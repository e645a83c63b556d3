# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Builds the monthly schedule of a loan in whole cents."""

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

_MONTHS_OF_RATE = 120_000  # the rate of a month is `rate_bps` divided by this
_LAST_MONTH = 600


class _Month(NamedTuple):
    """What happens in a month of the schedule."""

    number: int
    interest: int
    regular: int
    extra: int
    balance: int


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Build the schedule of a loan.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    if ("term" in fields) == ("payment" in fields):
        return {"error": {"code": "bad_terms"}}
    principal, rate = fields["principal"], fields["rate_bps"]
    if "term" in fields:
        payment, term = _level_payment(principal, rate, fields["term"]), fields["term"]
    else:
        payment, term = fields["payment"], None
        if payment <= _interest(principal, rate):
            return {"error": {"code": "payment_too_small"}}
    extras: Counter[int] = Counter()
    for extra in fields.get("extras", []):
        extras[extra["month"]] += extra["amount"]
    months = _schedule(principal, rate, payment, term, extras)
    if months[-1].balance:
        return {"error": {"code": "too_long"}}
    return {"result": _report(payment, months, fields.get("show", []))}


def _level_payment(principal: int, rate: int, term: int) -> int:
    """Give the payment that pays a loan back in a number of months."""
    if rate == 0:
        return -(-principal // term)
    # With the growth factor a/b of a month, p = P * r * a^n / (a^n - b^n).
    grown = (_MONTHS_OF_RATE + rate) ** term
    return _rounded(principal * rate * grown, _MONTHS_OF_RATE * (grown - _MONTHS_OF_RATE**term))


def _interest(balance: int, rate: int) -> int:
    """Give the rounded interest of a month."""
    return _rounded(balance * rate, _MONTHS_OF_RATE)


def _rounded(numerator: int, denominator: int) -> int:
    """Divide by a positive number and round to the nearest integer, halves up."""
    return (2 * numerator + denominator) // (2 * denominator)


def _schedule(
    principal: int, rate: int, payment: int, term: int | None, extras: Counter[int]
) -> list[_Month]:
    """Carry out the months of a loan.

    Args:
        principal: The amount of the loan.
        rate: The rate of a year in hundredths of a percent.
        payment: The payment of a month.
        term: The month that takes up what is left, if there is one.
        extras: The sum of the extra payments of each month.

    Returns:
        At least one month. The loan ends with the last of them, unless it has a balance.
    """
    months: list[_Month] = []
    balance = principal
    for number in range(1, _LAST_MONTH + 1):
        interest = _interest(balance, rate)
        due = balance + interest
        regular = due if due <= payment or number == term else payment
        balance = due - regular
        extra = min(extras[number], balance)
        balance -= extra
        months.append(_Month(number, interest, regular, extra, balance))
        if balance == 0:
            break
    return months


def _report(payment: int, months: list[_Month], show: list[int]) -> dict[str, Any]:
    """Make the result of the contract from a schedule that ends."""
    shown = set(show)
    return {
        "payment": payment,
        "months": len(months),
        "total_interest": sum(month.interest for month in months),
        "total_paid": sum(month.regular + month.extra for month in months),
        "last_payment": months[-1].regular,
        "rows": [
            {
                "month": month.number,
                "interest": month.interest,
                "principal": month.regular - month.interest,
                "extra": month.extra,
                "balance": month.balance,
            }
            for month in months
            if month.number in shown
        ],
    }


def _is_integer(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is an integer in a range; a boolean is none."""
    return type(value) is int and low <= value <= high


def _is_amount(value: Any) -> bool:
    """Tell whether a value is an amount of cents that the contract allows."""
    return _is_integer(value, 1, 1_000_000_000_000)


def _is_month(value: Any) -> bool:
    """Tell whether a value is the number of a month that the contract allows."""
    return _is_integer(value, 1, _LAST_MONTH)


def _is_extra(value: Any) -> bool:
    """Tell whether a value is an extra payment that the contract allows."""
    return (
        isinstance(value, dict)
        and _is_month(value.get("month"))
        and _is_amount(value.get("amount"))
    )


def _is_array(value: Any, high: int, allows: Callable[[Any], bool]) -> bool:
    """Tell whether a value is an array that is not too long, all elements being allowed."""
    return isinstance(value, list) and len(value) <= high and all(map(allows, value))


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "principal": _is_amount,
    "rate_bps": lambda value: _is_integer(value, 0, 10_000),
    "term": lambda value: _is_integer(value, 1, 480),
    "payment": _is_amount,
    "extras": lambda value: _is_array(value, 100, _is_extra),
    "show": lambda value: _is_array(value, 60, _is_month),
}
_REQUIRED = ("principal", "rate_bps")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
