# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Writes a Markdown table with aligned columns."""

import re
from collections.abc import Callable
from typing import Any

_ALIGNMENTS = ("none", "left", "right", "center")
_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_NARROW = re.compile("[\u0300-\u036f\u200b-\u200d\ufe00-\ufe0f]")
_WIDE = re.compile(
    "[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f"
    "\uff00-\uff60\uffe0-\uffe6\U0001f300-\U0001f64f\U0001f900-\U0001f9ff]"
)
_MIN_WIDTH = 3


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Write a table.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    header: list[str] = fields["header"]
    rows: list[list[str]] = fields["rows"]
    alignments: list[str] = fields.get("align", ["none"] * len(header))
    if len(alignments) != len(header):
        return {"error": {"code": "align_mismatch"}}
    if any(len(row) > len(header) for row in rows):
        return {"error": {"code": "row_too_long"}}
    cleaned = [[_clean(cell) for cell in row] for row in (header, *rows)]
    table = [row + [""] * (len(header) - len(row)) for row in cleaned]
    widths = [max(_MIN_WIDTH, *map(_display_width, column)) for column in zip(*table, strict=True)]
    lines = [
        _line([_pad(*cell) for cell in zip(row, widths, alignments, strict=True)]) for row in table
    ]
    lines.insert(1, _line([_rule(*column) for column in zip(widths, alignments, strict=True)]))
    return {"result": {"lines": lines, "widths": widths}}


def _clean(cell: str) -> str:
    """Make of a cell what can stand in a table."""
    return _LINE_BREAK.sub("<br>", cell.strip(" \t")).replace("|", "\\|")


def _display_width(cell: str) -> int:
    """Give the number of columns that a cell takes on a display."""
    if cell.isascii():
        return len(cell)
    return len(cell) - len(_NARROW.findall(cell)) + len(_WIDE.findall(cell))


def _pad(cell: str, width: int, alignment: str) -> str:
    """Fill a cell up with spaces."""
    padding = width - _display_width(cell)
    match alignment:
        case "right":
            front = padding
        case "center":
            front = padding // 2
        case _:
            front = 0
    return " " * front + cell + " " * (padding - front)


def _rule(width: int, alignment: str) -> str:
    """Write the cell of a column in the rule."""
    front = ":" if alignment in ("left", "center") else ""
    back = ":" if alignment in ("right", "center") else ""
    return front + "-" * (width - len(front) - len(back)) + back


def _line(cells: list[str]) -> str:
    """Write a line of padded cells."""
    return "| " + " | ".join(cells) + " |"


def _is_cell(value: Any) -> bool:
    """Tell whether a value is a string of at most 200 code points."""
    return isinstance(value, str) and len(value) <= 200


def _is_array(value: Any, low: int, high: int, allows: Callable[[Any], bool]) -> bool:
    """Tell whether a value is an array with a length in a range and only allowed elements."""
    return isinstance(value, list) and low <= len(value) <= high and all(map(allows, value))


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "header": lambda value: _is_array(value, 1, 20, _is_cell),
    "rows": lambda value: _is_array(value, 0, 200, lambda row: _is_array(row, 0, 40, _is_cell)),
    "align": lambda value: _is_array(value, 0, 40, lambda name: name in _ALIGNMENTS),
}
_REQUIRED = ("header", "rows")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
