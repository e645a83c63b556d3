# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Tracks lots that were bought and computes the gain of each sale."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import pairwise
from typing import Any

# `[0-9]` and not `\d`, which also takes the digits of other scripts.
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_METHODS = ("fifo", "lifo", "hifo")


class _EventError(Exception):
    """An event cannot be carried out; the message is the code of the error."""


@dataclass
class _Lot:
    """An open lot."""

    number: int
    symbol: str
    bought: date
    qty: int
    cost: int


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Carry out all events and report the sales and what is left.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    events: list[dict[str, Any]] = fields["events"]
    # Dates of this form are in the order of their texts.
    if any(later["date"] < earlier["date"] for earlier, later in pairwise(events)):
        return {"error": {"code": "out_of_order"}}
    try:
        return {"result": _carry_out(events, fields.get("method", "fifo"))}
    except _EventError as event_error:
        return {"error": {"code": str(event_error)}}


def _carry_out(events: list[dict[str, Any]], method: str) -> dict[str, Any]:
    """Carry out the events and make the result.

    Args:
        events: Valid events, none dated before the one before it.
        method: The order in which a sale takes from the lots.

    Returns:
        The result of the contract.

    Raises:
        _EventError: An event cannot be carried out.
    """
    lots: list[_Lot] = []  # the open ones, always in ascending order of their numbers
    sales: list[dict[str, Any]] = []
    for number, event in enumerate(events):
        held = [lot for lot in lots if lot.symbol == event["symbol"]]
        match event["type"]:
            case "buy":
                lots.append(_bought(number, event))
            case "sell":
                sales.append(_sell(number, event, _in_order(held, method)))
                lots = [lot for lot in lots if lot.qty > 0]
            case "split":
                _split(event, held)
    return {
        "sales": sales,
        "open": [
            {"lot": lot.number, "symbol": lot.symbol, "qty": lot.qty, "cost": lot.cost}
            for lot in lots
        ],
        "realized": sum(sale["gain"] for sale in sales),
    }


def _bought(number: int, event: dict[str, Any]) -> _Lot:
    """Make the lot that a `buy` opens."""
    return _Lot(
        number=number,
        symbol=event["symbol"],
        bought=date.fromisoformat(event["date"]),
        qty=event["qty"],
        cost=event["qty"] * event["price"] + event.get("fee", 0),
    )


def _in_order(lots: list[_Lot], method: str) -> list[_Lot]:
    """Put lots, given in ascending order of their numbers, in the order of the method."""
    match method:
        case "lifo":
            return lots[::-1]
        case "hifo":
            # Sorting is stable, so of equal costs per unit the lowest number stays first.
            return sorted(lots, key=lambda lot: -Fraction(lot.cost, lot.qty))
    return lots


def _sell(number: int, event: dict[str, Any], lots: list[_Lot]) -> dict[str, Any]:
    """Take the units of a sale from the lots.

    Args:
        number: The number of the event.
        event: A `sell`.
        lots: The open lots of its symbol, in the order in which it takes from them. Those that it
            takes all units of are left with the quantity 0.

    Returns:
        The object for this sale in the result.

    Raises:
        _EventError: The lots have fewer units than the sale needs.
    """
    needed: int = event["qty"]
    if needed > sum(lot.qty for lot in lots):
        raise _EventError("insufficient_quantity")
    sold = date.fromisoformat(event["date"])
    parts: list[dict[str, Any]] = []
    for lot in lots:
        if needed == 0:
            break
        qty = min(needed, lot.qty)
        cost = _take(lot, qty)
        days = (sold - lot.bought).days
        parts.append({"lot": lot.number, "qty": qty, "cost": cost, "days": days})
        needed -= qty
    proceeds = event["qty"] * event["price"] - event.get("fee", 0)
    total_cost = sum(part["cost"] for part in parts)
    return {
        "event": number,
        "proceeds": proceeds,
        "cost": total_cost,
        "gain": proceeds - total_cost,
        "lots": parts,
    }


def _take(lot: _Lot, qty: int) -> int:
    """Take units from a lot and give the cost that goes with them.

    For all units of a lot the rounded share is exactly its cost, so they are no special case.
    """
    # The floor of the share plus 1/2, in integers: halves go up.
    cost = (2 * lot.cost * qty + lot.qty) // (2 * lot.qty)
    lot.qty -= qty
    lot.cost -= cost
    return cost


def _split(event: dict[str, Any], lots: list[_Lot]) -> None:
    """Multiply the quantities of the open lots of a symbol.

    Args:
        event: A `split`.
        lots: The open lots of its symbol.

    Raises:
        _EventError: A quantity would not be an integer.
    """
    for lot in lots:
        lot.qty, rest = divmod(lot.qty * event["num"], event["den"])
        if rest:
            raise _EventError("fractional_split")


def _is_integer(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is an integer in a range; a boolean is none."""
    return type(value) is int and low <= value <= high


def _is_symbol(value: Any) -> bool:
    """Tell whether a value is a string of 1 to 40 code points."""
    return isinstance(value, str) and 1 <= len(value) <= 40


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


def _is_amount(value: Any) -> bool:
    """Tell whether a value is an amount of cents that the contract allows."""
    return _is_integer(value, 0, 1_000_000_000)


_Members = dict[str, Callable[[Any], bool]]
_TRADE: _Members = {
    "date": _is_date,
    "symbol": _is_symbol,
    "qty": lambda value: _is_integer(value, 1, 1_000_000),
    "price": _is_amount,
    "fee": _is_amount,
}
_SPLIT: _Members = {
    "date": _is_date,
    "symbol": _is_symbol,
    "num": lambda value: _is_integer(value, 1, 100),
    "den": lambda value: _is_integer(value, 1, 100),
}
_OPTIONAL_MEMBERS = ("fee",)


def _is_event(value: Any) -> bool:
    """Tell whether a value is an event that the contract allows."""
    if not isinstance(value, dict):
        return False
    match value.get("type"):
        case "buy" | "sell":
            members = _TRADE
        case "split":
            members = _SPLIT
        case _:
            return False
    return all(
        allows(value[name]) if name in value else name in _OPTIONAL_MEMBERS
        for name, allows in members.items()
    )


def _are_events(value: Any) -> bool:
    """Tell whether a value is an array of events that the contract allows."""
    return isinstance(value, list) and len(value) <= 300 and all(map(_is_event, value))


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "method": lambda value: value in _METHODS,
    "events": _are_events,
}
_REQUIRED = ("events",)


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
