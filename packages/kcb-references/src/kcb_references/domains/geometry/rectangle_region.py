# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Measures a region that is made of rectangles.

The region is cut into slabs at the y coordinates of the rectangles. All rows of cells of a slab are
alike: they are the same runs of cells, from an x up to but not with another one.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

_LIMIT = 1_000_000_000
_FAR = 2 * _LIMIT  # lies outside of all rectangles

_Run = tuple[int, int]
_Rect = list[int]


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Measure a region that is made of rectangles.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    add: list[_Rect] = fields["add"]
    subtract: list[_Rect] = fields.get("subtract", [])
    if any(x1 >= x2 or y1 >= y2 for x1, y1, x2, y2 in add + subtract):
        return {"error": {"code": "bad_rect"}}
    return {"result": _measure(add, subtract)}


def _measure(add: list[_Rect], subtract: list[_Rect]) -> dict[str, Any]:
    """Make the result from valid rectangles."""
    ys = sorted({y for _, y1, _, y2 in add + subtract for y in (y1, y2)})
    slabs = list(pairwise(ys))
    rows = [_runs(add, subtract, low) for low, _ in slabs]
    # Empty slabs below and above close the region, and join all that is around it.
    closed = [[], *rows, []]
    area = sides = 0
    for (low, high), runs in zip(slabs, rows, strict=True):
        area += (high - low) * _width(runs)
        sides += (high - low) * 2 * len(runs)
    return {
        "area": area,
        "perimeter": sides + sum(_difference(lower, upper) for lower, upper in pairwise(closed)),
        "components": _components(closed),
        "holes": _components([_gaps(runs) for runs in closed]) - 1,
        "bbox": _bbox(slabs, rows),
    }


def _runs(add: list[_Rect], subtract: list[_Rect], y: int) -> list[_Run]:
    """Give the runs of the region in a row of cells, each as long as possible, in ascending order.

    Args:
        add: The rectangles to add.
        subtract: The rectangles to subtract.
        y: The lower end of the row.
    """
    # Where one rectangle to subtract lies, the level cannot be positive.
    weight = len(add) + 1
    steps: Counter[int] = Counter()
    for rects, step in ((add, 1), (subtract, -weight)):
        for x1, y1, x2, y2 in rects:
            if y1 <= y < y2:
                steps[x1] += step
                steps[x2] -= step
    runs: list[_Run] = []
    level = start = 0
    for x in sorted(steps):
        was_inside = level > 0
        level += steps[x]
        if level > 0 and not was_inside:
            start = x
        elif was_inside and level <= 0:
            runs.append((start, x))
    return runs


def _gaps(runs: list[_Run]) -> list[_Run]:
    """Give the runs between some runs and on both sides of them."""
    starts = [-_FAR, *(end for _, end in runs)]
    ends = [*(start for start, _ in runs), _FAR]
    return list(zip(starts, ends, strict=True))


def _width(runs: list[_Run]) -> int:
    """Give the number of cells of runs."""
    return sum(end - start for start, end in runs)


def _overlaps(lower: list[_Run], upper: list[_Run]) -> Iterator[tuple[int, int, int]]:
    """Find the runs of two rows that overlap.

    Args:
        lower: Runs in ascending order.
        upper: Runs in ascending order.

    Yields:
        The index in `lower`, the index in `upper` and the number of columns that both have.
    """
    low = up = 0
    while low < len(lower) and up < len(upper):
        width = min(lower[low][1], upper[up][1]) - max(lower[low][0], upper[up][0])
        if width > 0:
            yield low, up, width
        # The run that ends first has no more partners.
        if lower[low][1] < upper[up][1]:
            low += 1
        else:
            up += 1


def _difference(lower: list[_Run], upper: list[_Run]) -> int:
    """Count the columns that only one of two rows has."""
    shared = sum(width for _, _, width in _overlaps(lower, upper))
    return _width(lower) + _width(upper) - 2 * shared


def _components(rows: list[list[_Run]]) -> int:
    """Count the components of rows of runs."""
    leaders: list[int] = []  # for each run another one of its component, itself if it leads it

    def leader(run: int) -> int:
        while leaders[run] != run:
            leaders[run] = leaders[leaders[run]]
            run = leaders[run]
        return run

    count = 0
    below: list[_Run] = []
    for row in rows:
        first_below, first = len(leaders) - len(below), len(leaders)
        leaders.extend(range(first, first + len(row)))
        count += len(row)
        for low, up, _ in _overlaps(below, row):
            one, other = leader(first_below + low), leader(first + up)
            if one != other:
                leaders[one] = other
                count -= 1
        below = row
    return count


def _bbox(slabs: list[tuple[int, int]], rows: list[list[_Run]]) -> list[int] | None:
    """Give the smallest rectangle around the region, or `None` if it is empty."""
    filled = [(slab, runs) for slab, runs in zip(slabs, rows, strict=True) if runs]
    if not filled:
        return None
    return [
        min(runs[0][0] for _, runs in filled),
        filled[0][0][0],
        max(runs[-1][1] for _, runs in filled),
        filled[-1][0][1],
    ]


def _is_coordinate(value: Any) -> bool:
    """Tell whether a value is a coordinate that the contract allows; a boolean is none."""
    return type(value) is int and -_LIMIT <= value <= _LIMIT


def _is_rect(value: Any) -> bool:
    """Tell whether a value is an array of 4 coordinates."""
    return isinstance(value, list) and len(value) == 4 and all(map(_is_coordinate, value))


def _are_rects(value: Any) -> bool:
    """Tell whether a value is an array of rectangles that the contract allows."""
    return isinstance(value, list) and len(value) <= 40 and all(map(_is_rect, value))


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {"add": _are_rects, "subtract": _are_rects}
_REQUIRED = ("add",)


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
