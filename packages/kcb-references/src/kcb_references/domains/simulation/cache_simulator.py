# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Simulates a cache whose entries have sizes and can expire."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

_OPS = ("get", "put", "del")


@dataclass
class _Entry:
    """What the cache knows about a key that it holds."""

    key: str
    size: int
    expiry: int | None
    insertion: int
    frequency: int
    last_use: int


# The entry whose rank is smallest is evicted. No two ranks are equal: an insertion number is given
# out once, and an operation uses at most one entry.
_RANKS: dict[str, Callable[[_Entry], tuple[int, ...]]] = {
    "lru": lambda entry: (entry.last_use,),
    "fifo": lambda entry: (entry.insertion,),
    "lfu": lambda entry: (entry.frequency, entry.last_use),
}


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Carry out all operations on an empty cache.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    ops: list[dict[str, Any]] = fields["ops"]
    if any(later["t"] < earlier["t"] for earlier, later in pairwise(ops)):
        return {"error": {"code": "time_reversed"}}
    cache = _Cache(fields["policy"], fields["capacity"])
    for position, op in enumerate(ops):
        cache.carry_out(position, op)
    return {"result": cache.report()}


class _Cache:
    """A cache and the record of what happened to it."""

    def __init__(self, policy: str, capacity: int) -> None:
        self._rank = _RANKS[policy]
        self._capacity = capacity
        self._entries: dict[str, _Entry] = {}
        self._next_insertion = 0
        self._hits = 0
        self._misses = 0
        self._rejected = 0
        self._evicted: list[str] = []
        self._expired: list[str] = []

    def carry_out(self, position: int, op: dict[str, Any]) -> None:
        """Remove what has expired by the time of an operation, then carry it out.

        Args:
            position: The position of the operation.
            op: A valid operation, not earlier than those before it.
        """
        self._expire(op["t"])
        match op["op"]:
            case "get":
                self._get(position, op["key"])
            case "del":
                self._entries.pop(op["key"], None)
            case "put":
                ttl = op.get("ttl")
                expiry = None if ttl is None else op["t"] + ttl
                self._put(position, op["key"], op.get("size", 1), expiry)

    def report(self) -> dict[str, Any]:
        """Make the result of the contract."""
        return {
            "hits": self._hits,
            "misses": self._misses,
            "evicted": self._evicted,
            "expired": self._expired,
            "rejected": self._rejected,
            "contents": [entry.key for entry in sorted(self._entries.values(), key=self._rank)],
            "used": sum(entry.size for entry in self._entries.values()),
        }

    def _expire(self, now: int) -> None:
        """Remove the entries whose expiry time has come."""
        due = sorted(
            (entry.expiry, entry.insertion, entry.key)
            for entry in self._entries.values()
            if entry.expiry is not None and entry.expiry <= now
        )
        for _, _, key in due:
            del self._entries[key]
            self._expired.append(key)

    def _get(self, position: int, key: str) -> None:
        """Look up a key."""
        entry = self._entries.get(key)
        if entry is None:
            self._misses += 1
            return
        self._hits += 1
        entry.frequency += 1
        entry.last_use = position

    def _put(self, position: int, key: str, size: int, expiry: int | None) -> None:
        """Store an entry, if it can fit at all, and evict others until it does."""
        # The old entry for the key goes in any case: its size no longer counts, it cannot be
        # evicted, and a put that is rejected removes it.
        old = self._entries.pop(key, None)
        if size > self._capacity:
            self._rejected += 1
            return
        self._evict_down_to(self._capacity - size)
        if old is None:
            insertion, frequency = self._next_insertion, 1
            self._next_insertion += 1
        else:
            insertion, frequency = old.insertion, old.frequency + 1
        self._entries[key] = _Entry(key, size, expiry, insertion, frequency, last_use=position)

    def _evict_down_to(self, limit: int) -> None:
        """Evict entries until the sum of the sizes is not above a limit."""
        used = sum(entry.size for entry in self._entries.values())
        while used > limit:
            victim = min(self._entries.values(), key=self._rank)
            del self._entries[victim.key]
            self._evicted.append(victim.key)
            used -= victim.size


def _is_integer(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is an integer in a range; a boolean is none."""
    return type(value) is int and low <= value <= high


def _is_amount(value: Any) -> bool:
    """Tell whether a value is a size or a duration that the contract allows."""
    return _is_integer(value, 1, 1_000_000_000)


def _is_key(value: Any) -> bool:
    """Tell whether a value is a string of 1 to 40 code points."""
    return isinstance(value, str) and 1 <= len(value) <= 40


_MEMBERS: dict[str, Callable[[Any], bool]] = {
    "t": lambda value: _is_integer(value, 0, 1_000_000_000),
    "op": lambda value: value in _OPS,
    "key": _is_key,
    "size": _is_amount,
    "ttl": lambda value: value is None or _is_amount(value),
}
_OPTIONAL_MEMBERS = ("size", "ttl")


def _is_operation(value: Any) -> bool:
    """Tell whether a value is an operation; all members must be valid, also those it ignores."""
    return isinstance(value, dict) and all(
        allows(value[name]) if name in value else name in _OPTIONAL_MEMBERS
        for name, allows in _MEMBERS.items()
    )


def _are_operations(value: Any) -> bool:
    """Tell whether a value is an array of operations that the contract allows."""
    return isinstance(value, list) and len(value) <= 500 and all(map(_is_operation, value))


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "policy": lambda value: isinstance(value, str) and value in _RANKS,
    "capacity": _is_amount,
    "ops": _are_operations,
}
_REQUIRED = ("policy", "capacity", "ops")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
