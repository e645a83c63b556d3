# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Decides which calls are allowed, by one token bucket for each key."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

_MOST = 1_000_000


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Decide all calls.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    calls: list[dict[str, Any]] = fields["calls"]
    if any(later["t"] < earlier["t"] for earlier, later in pairwise(calls)):
        return {"error": {"code": "time_reversed"}}
    overrides = fields.get("overrides", {})
    buckets: dict[str, _Bucket] = {}
    denied: dict[str, int] = {}
    decisions: list[dict[str, Any]] = []
    for call in calls:
        key = call["key"]
        if key not in buckets:
            buckets[key] = _Bucket(overrides.get(key, fields["limit"]), call["t"])
        decision = buckets[key].decide(call["t"], call.get("cost", 1))
        decisions.append(decision)
        if not decision["allowed"]:
            denied[key] = denied.get(key, 0) + 1
    return {
        "result": {
            "decisions": decisions,
            "allowed": len(calls) - sum(denied.values()),
            "denied": denied,
        }
    }


class _Bucket:
    """The bucket of one key.

    It counts in shares: as many shares as `every` says are one token. So a unit of time brings
    `refill` shares, and all numbers are integers.
    """

    def __init__(self, limit: dict[str, Any], time: int) -> None:
        self._per_token: int = limit["every"]
        self._refill: int = limit["refill"]
        self._most: int = limit["capacity"] * self._per_token
        self._shares: int = self._most
        self._time = time

    def decide(self, time: int, cost: int) -> dict[str, Any]:
        """Decide a call.

        Args:
            time: Its time, not before that of any call that was decided.
            cost: Its cost in tokens.

        Returns:
            The decision of the contract.
        """
        self._shares = min(self._most, self._shares + (time - self._time) * self._refill)
        self._time = time
        needed = cost * self._per_token
        allowed = needed <= self._shares
        retry_after = 0 if allowed else self._delay(needed)
        if allowed:
            self._shares -= needed
        return {
            "allowed": allowed,
            "remaining": self._shares // self._per_token,
            "retry_after": retry_after,
        }

    def _delay(self, needed: int) -> int | None:
        """Give the time after which there are so many shares, or `None` if there never are."""
        if needed > self._most:
            return None
        # The floor of the negative is the negative of the ceiling.
        return -((self._shares - needed) // self._refill)


def _is_integer(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is an integer in a range; a boolean is none."""
    return type(value) is int and low <= value <= high


def _is_key(value: Any) -> bool:
    """Tell whether a value is a string of 1 to 40 code points."""
    return isinstance(value, str) and 1 <= len(value) <= 40


def _is_limit(value: Any) -> bool:
    """Tell whether a value is a limit that the contract allows."""
    return isinstance(value, dict) and all(
        _is_integer(value.get(name), 1, _MOST) for name in ("capacity", "refill", "every")
    )


def _are_overrides(value: Any) -> bool:
    """Tell whether a value is an object of limits that the contract allows."""
    return (
        isinstance(value, dict)
        and len(value) <= 50
        and all(_is_key(name) and _is_limit(limit) for name, limit in value.items())
    )


def _is_call(value: Any) -> bool:
    """Tell whether a value is a call that the contract allows."""
    return (
        isinstance(value, dict)
        and _is_integer(value.get("t"), 0, 1_000_000_000_000)
        and _is_key(value.get("key"))
        and _is_integer(value.get("cost", 1), 1, _MOST)
    )


def _are_calls(value: Any) -> bool:
    """Tell whether a value is an array of calls that the contract allows."""
    return isinstance(value, list) and len(value) <= 500 and all(map(_is_call, value))


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "limit": _is_limit,
    "overrides": _are_overrides,
    "calls": _are_calls,
}
_REQUIRED = ("limit", "calls")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
