# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Makes a pivot table of records."""

from collections import defaultdict
from collections.abc import Callable
from math import gcd
from typing import Any

_Key = int | str
_MAX_NUMBER = 1_000_000_000


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Make a pivot table.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields) or _record_error(fields)
    if error is not None:
        return {"error": error}
    return {"result": _table(fields)}


def _record_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of records that make no table, or `None` if they make one."""
    records: list[dict[str, Any]] = fields["records"]
    keys = [*fields["index"], fields["column"]]
    value = fields["value"]
    if len({*keys, value}) < len(keys) + 1:
        return {"code": "repeated_field"}
    if any(record.get(name) is None for record in records for name in keys):
        return {"code": "missing_key"}
    if any(isinstance(record.get(value), str) for record in records):
        return {"code": "non_numeric_value"}
    return None


def _table(fields: dict[str, Any]) -> dict[str, Any]:
    """Make the result of the contract from valid fields."""
    # The numbers of each row, column and cell that has a record, and of the table.
    rows: dict[tuple[_Key, ...], list[int]] = defaultdict(list)
    columns: dict[_Key, list[int]] = defaultdict(list)
    cells: dict[tuple[tuple[_Key, ...], _Key], list[int]] = defaultdict(list)
    table: list[int] = []
    for record in fields["records"]:
        row = tuple(record[name] for name in fields["index"])
        column = record[fields["column"]]
        number = record.get(fields["value"])
        numbers = [] if number is None else [number]
        # Also without a number, each record makes its row and its column.
        for group in (rows[row], columns[column], cells[row, column], table):
            group += numbers
    column_keys = sorted(columns, key=_rank)
    aggregate, fill = _AGGREGATES[fields.get("agg", "sum")], fields.get("fill")
    has_totals = fields.get("totals", False)

    def made(numbers: list[int]) -> int | str | None:
        return aggregate(numbers) if numbers else fill

    def total(numbers: list[int]) -> int | str | None:
        return made(numbers) if has_totals else None

    return {
        "columns": column_keys,
        "rows": [
            {
                "key": list(row),
                "cells": [made(cells.get((row, column), [])) for column in column_keys],
                "total": total(rows[row]),
            }
            for row in sorted(rows, key=lambda row: [_rank(key) for key in row])
        ],
        "column_totals": [total(columns[column]) for column in column_keys] if has_totals else None,
        "grand_total": total(table),
    }


def _rank(key: _Key) -> tuple[bool, _Key]:
    """Give what puts keys in order: integers first, and none compared with a string."""
    return isinstance(key, str), key


def _mean(numbers: list[int]) -> str:
    """Write the exact mean of one or more numbers."""
    total, count = sum(numbers), len(numbers)
    divisor = gcd(total, count)
    text = str(total // divisor)
    return text if count == divisor else f"{text}/{count // divisor}"


_AGGREGATES: dict[str, Callable[[list[int]], int | str]] = {
    "sum": sum,
    "count": len,
    "min": min,
    "max": max,
    "mean": _mean,
    "first": lambda numbers: numbers[0],
    "last": lambda numbers: numbers[-1],
}


def _is_number(value: Any) -> bool:
    """Tell whether a value is an integer that the contract allows; a boolean is none."""
    return type(value) is int and -_MAX_NUMBER <= value <= _MAX_NUMBER


def _is_name(value: Any) -> bool:
    """Tell whether a value is a string of 1 to 40 code points."""
    return isinstance(value, str) and 1 <= len(value) <= 40


def _is_member(value: Any) -> bool:
    """Tell whether a value is one that the contract allows in a record."""
    return value is None or _is_number(value) or (isinstance(value, str) and len(value) <= 100)


def _is_record(value: Any) -> bool:
    """Tell whether a value is a record that the contract allows."""
    return (
        isinstance(value, dict)
        and len(value) <= 50
        and all(map(_is_name, value))
        and all(map(_is_member, value.values()))
    )


def _are_records(value: Any) -> bool:
    """Tell whether a value is an array of records that the contract allows."""
    return isinstance(value, list) and len(value) <= 500 and all(map(_is_record, value))


def _are_names(value: Any) -> bool:
    """Tell whether a value is an array of names that the contract allows as `index`."""
    return isinstance(value, list) and 1 <= len(value) <= 3 and all(map(_is_name, value))


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "records": _are_records,
    "index": _are_names,
    "column": _is_name,
    "value": _is_name,
    "agg": lambda value: isinstance(value, str) and value in _AGGREGATES,
    "fill": lambda value: value is None or _is_number(value),
    "totals": lambda value: isinstance(value, bool),
}
_REQUIRED = ("records", "index", "column", "value")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
