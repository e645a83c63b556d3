# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Summarises a list of integers exactly, without rounding."""

import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

# `[0-9]` and not `\d`, which also takes the digits of other scripts.
_FRACTION = re.compile(r"-?(?:0|[1-9][0-9]{0,17})(?:/[1-9][0-9]{0,17})?")
_LIMIT = 1_000_000_000_000
_METHODS = ("nearest", "linear")
_DEFAULT_QUANTILES = ("1/4", "1/2", "3/4")


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Summarise the values.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    values: list[int] = sorted(fields["values"])
    if not values:
        return {"error": {"code": "empty_values"}}
    wanted = [Fraction(text) for text in fields.get("quantiles", _DEFAULT_QUANTILES)]
    if any(not 0 <= q <= 1 for q in wanted):
        return {"error": {"code": "bad_quantile"}}
    quantile = _linear if fields.get("method", "linear") == "linear" else _nearest
    return {
        "result": {
            "count": len(values),
            # A `Fraction` is always in lowest terms, and `str` leaves out a `/1`.
            "mean": str(Fraction(sum(values), len(values))),
            "median": str(_linear(values, Fraction(1, 2))),
            "modes": _modes(values),
            "quantiles": [str(quantile(values, q)) for q in wanted],
            "histogram": _histogram(values, fields.get("bins")),
        }
    }


def _nearest(values: list[int], q: Fraction) -> Fraction:
    """Give a quantile by the method `nearest`.

    Args:
        values: At least one value, in ascending order.
        q: A number from 0 to 1.

    Returns:
        The quantile.
    """
    rank = max(1, math.ceil(q * len(values)))
    return Fraction(values[rank - 1])


def _linear(values: list[int], q: Fraction) -> Fraction:
    """Give a quantile by the method `linear`.

    Args:
        values: At least one value, in ascending order.
        q: A number from 0 to 1.

    Returns:
        The quantile.
    """
    position = q * (len(values) - 1)
    index = math.floor(position)
    part = position - index
    if part == 0:
        return Fraction(values[index])
    return values[index] + part * (values[index + 1] - values[index])


def _modes(values: list[int]) -> list[int]:
    """Give the values that occur most often, in ascending order as `values` are."""
    counts = Counter(values)
    most = max(counts.values())
    return [value for value, count in counts.items() if count == most]


def _histogram(values: list[int], bins: dict[str, Any] | None) -> dict[str, Any] | None:
    """Count the values in each bin.

    Args:
        values: Values in ascending order.
        bins: The bins, or `None` for no histogram.

    Returns:
        The histogram of the contract.
    """
    if bins is None:
        return None
    start, width, count = bins["start"], bins["width"], bins["count"]
    # The number of values to the left of each edge; the last bin contains its right edge too.
    left = [bisect_left(values, start + index * width) for index in range(count)]
    left.append(bisect_right(values, start + count * width))
    return {
        "counts": [after - before for before, after in pairwise(left)],
        "below": left[0],
        "above": len(values) - left[-1],
    }


def _is_integer(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is an integer in a range; a boolean is none."""
    return type(value) is int and low <= value <= high


def _are_values(value: Any) -> bool:
    """Tell whether a value is an array of integers that the contract allows."""
    return (
        isinstance(value, list)
        and len(value) <= 2000
        and all(_is_integer(number, -_LIMIT, _LIMIT) for number in value)
    )


def _is_fraction(value: Any) -> bool:
    """Tell whether a value is a string that is a fraction."""
    return isinstance(value, str) and _FRACTION.fullmatch(value) is not None


def _are_quantiles(value: Any) -> bool:
    """Tell whether a value is an array of at most 50 fractions."""
    return isinstance(value, list) and len(value) <= 50 and all(map(_is_fraction, value))


def _are_bins(value: Any) -> bool:
    """Tell whether a value is what the contract allows as bins; a member is never `None`."""
    return value is None or (
        isinstance(value, dict)
        and _is_integer(value.get("start"), -_LIMIT, _LIMIT)
        and _is_integer(value.get("width"), 1, _LIMIT)
        and _is_integer(value.get("count"), 1, 200)
    )


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "values": _are_values,
    "quantiles": _are_quantiles,
    "method": lambda value: value in _METHODS,
    "bins": _are_bins,
}
_REQUIRED = ("values",)


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
