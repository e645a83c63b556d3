# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Matches the lines of a bank account with the entries of a ledger."""

import re
from collections.abc import Callable, Iterable
from datetime import date
from itertools import combinations
from typing import Any, NamedTuple

# `[0-9]` and not `\d`, which also takes the digits of other scripts.
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_NOT_OF_KEY = re.compile(r"[^A-Za-z0-9]+")


class _Item(NamedTuple):
    """A line or an entry."""

    id: str
    day: int
    amount: int
    key: str  # empty if it has none


class _Match(NamedTuple):
    """A match: the name of its phase and the ascending positions of what it joins."""

    rule: str
    lines: list[int]
    entries: list[int]


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Match the lines of a bank account with the entries of a ledger.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    bank = [_item(element) for element in fields["bank"]]
    ledger = [_item(element) for element in fields["ledger"]]
    if any(len({item.id for item in items}) < len(items) for items in (bank, ledger)):
        return {"error": {"code": "duplicate_id"}}
    reconciliation = _Reconciliation(bank, ledger, fields.get("window_days", 3))
    reconciliation.match_references()
    reconciliation.match_exact_amounts()
    reconciliation.split_ledger()
    reconciliation.split_bank()
    return {"result": reconciliation.report()}


def _item(element: dict[str, Any]) -> _Item:
    """Read a line or an entry."""
    return _Item(
        id=element["id"],
        day=date.fromisoformat(element["date"]).toordinal(),
        amount=element["amount"],
        # What is left is ASCII, so no letter becomes several ones.
        key=_NOT_OF_KEY.sub("", element.get("ref") or "").upper(),
    )


class _Reconciliation:
    """Lines, entries and the matches made so far."""

    def __init__(self, bank: list[_Item], ledger: list[_Item], window: int) -> None:
        self._bank = bank
        self._ledger = ledger
        self._window = window
        # The positions of what is free, always in ascending order.
        self._lines = list(range(len(bank)))
        self._entries = list(range(len(ledger)))
        self._matches: list[_Match] = []

    def match_references(self) -> None:
        """Carry out the phase `reference`."""
        for line in list(self._lines):
            wanted = self._bank[line]
            if not wanted.key:
                continue
            for entry in self._entries:
                item = self._ledger[entry]
                if (item.key, item.amount) == (wanted.key, wanted.amount):
                    self._match("reference", [line], [entry])
                    break

    def match_exact_amounts(self) -> None:
        """Carry out the phase `exact`."""
        pairs = sorted(
            (_distance(self._bank[line], self._ledger[entry]), line, entry)
            for line in self._lines
            for entry in self._entries
            if self._bank[line].amount == self._ledger[entry].amount
        )
        for distance, line, entry in pairs:
            if distance <= self._window and line in self._lines and entry in self._entries:
                self._match("exact", [line], [entry])

    def split_ledger(self) -> None:
        """Carry out the phase `split_ledger`."""
        for line in list(self._lines):
            entries = self._first_set(self._bank[line], self._ledger, self._entries)
            if entries:
                self._match("split_ledger", [line], entries)

    def split_bank(self) -> None:
        """Carry out the phase `split_bank`."""
        for entry in list(self._entries):
            lines = self._first_set(self._ledger[entry], self._bank, self._lines)
            if lines:
                self._match("split_bank", lines, [entry])

    def report(self) -> dict[str, Any]:
        """Make the result of the contract."""
        free_bank = [self._bank[line] for line in self._lines]
        free_ledger = [self._ledger[entry] for entry in self._entries]
        return {
            "matches": [
                {
                    "rule": match.rule,
                    "bank": [self._bank[line].id for line in match.lines],
                    "ledger": [self._ledger[entry].id for entry in match.entries],
                }
                for match in self._matches
            ],
            "unmatched_bank": [item.id for item in free_bank],
            "unmatched_ledger": [item.id for item in free_ledger],
            "difference": _total(free_bank) - _total(free_ledger),
        }

    def _match(self, rule: str, lines: list[int], entries: list[int]) -> None:
        """Record a match; what it joins is not free any more."""
        self._matches.append(_Match(rule, lines, entries))
        self._lines = [line for line in self._lines if line not in lines]
        self._entries = [entry for entry in self._entries if entry not in entries]

    def _first_set(self, single: _Item, items: list[_Item], free: list[int]) -> list[int]:
        """Find the first set of 2 or 3 items that make up the amount of a single one.

        Args:
            single: The line or the entry to match.
            items: All entries or lines of the other side.
            free: The positions of those that are free, in ascending order.

        Returns:
            The positions of the set in ascending order, or an empty list if there is none.
        """
        near = [place for place in free if _distance(single, items[place]) <= self._window]
        places: dict[int, list[int]] = {}  # the positions of each amount, ascending
        for place in near:
            places.setdefault(items[place].amount, []).append(place)
        # All but the last member decide what amount the last one has, and they come in the order
        # of the contract.
        for size in (2, 3):
            for head in combinations(near, size - 1):
                rest = single.amount - _total(items[place] for place in head)
                for last in places.get(rest, ()):
                    if last > head[-1]:
                        return [*head, last]
        return []


def _distance(one: _Item, other: _Item) -> int:
    """Give the number of days between two items."""
    return abs(one.day - other.day)


def _total(items: Iterable[_Item]) -> int:
    """Give the sum of the amounts of some items."""
    return sum(item.amount for item in items)


def _is_integer(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is an integer in a range; a boolean is none."""
    return type(value) is int and low <= value <= high


def _is_string(value: Any, low: int) -> bool:
    """Tell whether a value is a string that is neither too short nor too long."""
    return isinstance(value, str) and low <= len(value) <= 40


def _is_date(value: Any) -> bool:
    """Tell whether a value is a date that the contract allows."""
    # The form is tested apart, because `fromisoformat` also reads other forms.
    if not isinstance(value, str) or not _DATE.fullmatch(value):
        return False
    try:
        day = date.fromisoformat(value)
    except ValueError:
        return False
    return 1900 <= day.year <= 2199


def _is_item(value: Any) -> bool:
    """Tell whether a value is a line or an entry that the contract allows."""
    if not isinstance(value, dict):
        return False
    amount, ref = value.get("amount"), value.get("ref")
    return (
        _is_string(value.get("id"), 1)
        and _is_date(value.get("date"))
        and _is_integer(amount, -1_000_000_000_000, 1_000_000_000_000)
        and amount != 0
        and (ref is None or _is_string(ref, 0))
    )


def _are_items(value: Any) -> bool:
    """Tell whether a value is an array of lines or entries that the contract allows."""
    return isinstance(value, list) and len(value) <= 40 and all(map(_is_item, value))


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "bank": _are_items,
    "ledger": _are_items,
    "window_days": lambda value: _is_integer(value, 0, 60),
}
_REQUIRED = ("bank", "ledger")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
