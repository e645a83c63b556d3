# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Runs a life-like cellular automaton."""

import re
from collections.abc import Callable
from typing import Any

# A grid is one byte for each cell, row after row: 1 if the cell is live, else 0.
_Grid = bytes

# `[0-8]` leaves out the digits of other scripts, too.
_RULE = re.compile(r"B([0-8]{0,9})/S([0-8]{0,9})")
_AROUND = tuple((y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if (y, x) != (0, 0))


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Run an automaton and report its history.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields) or _grid_error(fields["grid"])
    if error is not None:
        return {"error": error}
    rows: list[str] = fields["grid"]
    width = len(rows[0])
    history = _run(
        bytes(cell == "#" for cell in "".join(rows)),
        _neighbours(len(rows), width, fields.get("wrap", False)),
        _fates(fields.get("rule", "B3/S23")),
        fields["steps"],
    )
    populations = [sum(grid) for grid in history]
    peak = max(populations)
    return {
        "result": {
            "grid": _drawn(history[-1], width),
            "population": populations[-1],
            "peak": {"step": populations.index(peak), "population": peak},
            "repeat": _repeat(history),
        }
    }


def _grid_error(rows: list[str]) -> dict[str, Any] | None:
    """Give the error of rows that are not a grid, or `None` if they are one."""
    if any(len(row) != len(rows[0]) for row in rows):
        return {"code": "ragged_grid"}
    if any(cell not in "#." for row in rows for cell in row):
        return {"code": "bad_cell"}
    return None


def _fates(rule: str) -> tuple[set[int], set[int]]:
    """Give the counts after which a cell is live: first those of a dead cell, then a live one's."""
    match = _RULE.fullmatch(rule)
    # The field has been checked, so there is a match.
    births, survivals = match.groups() if match else ("", "")
    return set(map(int, births)), set(map(int, survivals))


def _neighbours(height: int, width: int, wrap: bool) -> list[list[int]]:
    """List the neighbours of each cell.

    Args:
        height: The number of rows.
        width: The number of columns.
        wrap: Whether opposite edges are joined.

    Returns:
        For each cell the indices of the cells at its 8 places, without the places outside the
        grid. A cell that is at several places is listed so many times.
    """
    lists: list[list[int]] = []
    for index in range(height * width):
        row, column = divmod(index, width)
        places = [(row + down, column + right) for down, right in _AROUND]
        if not wrap:
            places = [(y, x) for y, x in places if 0 <= y < height and 0 <= x < width]
        lists.append([y % height * width + x % width for y, x in places])
    return lists


def _run(
    grid: _Grid, neighbours: list[list[int]], fates: tuple[set[int], set[int]], steps: int
) -> list[_Grid]:
    """Give the grids of all steps from 0 on."""
    history = [grid]
    for _ in range(steps):
        now = history[-1]
        counts = [sum([now[place] for place in places]) for places in neighbours]
        following = (count in fates[cell] for cell, count in zip(now, counts, strict=True))
        history.append(bytes(following))
    return history


def _repeat(history: list[_Grid]) -> dict[str, int] | None:
    """Give the first grid that was there before as `repeat` of the contract, or `None`."""
    steps: dict[_Grid, int] = {}
    for step, grid in enumerate(history):
        first = steps.setdefault(grid, step)
        if first < step:
            return {"first": first, "period": step - first}
    return None


def _drawn(grid: _Grid, width: int) -> list[str]:
    """Give the rows of a grid."""
    cells = "".join("#" if cell else "." for cell in grid)
    return [cells[start : start + width] for start in range(0, len(cells), width)]


def _are_rows(value: Any) -> bool:
    """Tell whether a value is an array of 1 to 24 rows; they may still differ in length."""
    return (
        isinstance(value, list)
        and 1 <= len(value) <= 24
        and all(isinstance(row, str) and 1 <= len(row) <= 32 for row in value)
    )


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "grid": _are_rows,
    "rule": lambda value: isinstance(value, str) and _RULE.fullmatch(value) is not None,
    "steps": lambda value: type(value) is int and 0 <= value <= 100,
    "wrap": lambda value: isinstance(value, bool),
}
_REQUIRED = ("grid", "steps")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
