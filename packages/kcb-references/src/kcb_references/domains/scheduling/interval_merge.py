# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Merges intervals of integers, and finds the gaps and the peak of their load."""

from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

_LIMIT = 1_000_000_000

_Interval = tuple[int, int]


class _Stretch(NamedTuple):
    """Consecutive cells of the same depth."""

    start: int
    end: int
    depth: int


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Combine the intervals.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    intervals: list[list[int]] = fields["intervals"]
    window: list[int] | None = fields.get("window")
    if any(start >= end for start, end in intervals):
        return {"error": {"code": "bad_interval"}}
    if window is not None and window[0] >= window[1]:
        return {"error": {"code": "bad_window"}}
    kept = _cut(intervals, window)
    runs = _runs(kept, window)
    max_depth = max((run.depth for run in runs), default=0)
    peak = next((run for run in runs if run.depth == max_depth > 0), None)
    return {
        "result": {
            "merged": _merged(kept, fields.get("merge_touching", True)),
            "covered": sum(run.end - run.start for run in runs if run.depth > 0),
            "gaps": [[run.start, run.end] for run in runs if run.depth == 0],
            "max_depth": max_depth,
            "peak": None if peak is None else [peak.start, peak.end],
        }
    }


def _cut(intervals: list[list[int]], window: list[int] | None) -> list[_Interval]:
    """Cut intervals to the window, and put those that keep a cell in ascending order."""
    if window is None:
        return sorted((start, end) for start, end in intervals)
    low, high = window
    cut = ((max(start, low), min(end, high)) for start, end in intervals)
    return sorted((start, end) for start, end in cut if start < end)


def _merged(intervals: list[_Interval], merge_touching: bool) -> list[list[int]]:
    """Merge the intervals that belong together.

    Args:
        intervals: Intervals in ascending order.
        merge_touching: Whether those belong together that only touch.

    Returns:
        The merged intervals in ascending order.
    """
    merged: list[list[int]] = []
    for start, end in intervals:
        if merged and (start < merged[-1][1] or (merge_touching and start == merged[-1][1])):
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return merged


def _runs(intervals: list[_Interval], window: list[int] | None) -> list[_Stretch]:
    """Cut the cells that count into stretches of one depth, each as long as possible.

    Args:
        intervals: Intervals that lie in the window.
        window: The window, or `None` for the stretch from the first to the last covered cell.

    Returns:
        The stretches in ascending order. The neighbours of each have other depths.
    """
    steps: Counter[int] = Counter(dict.fromkeys(window or [], 0))
    for start, end in intervals:
        steps[start] += 1
        steps[end] -= 1
    # Where the depth does not change a stretch goes on, except at the two edges.
    edges = {min(steps), max(steps)} if steps else set()
    bounds = sorted(place for place, step in steps.items() if step != 0 or place in edges)
    runs: list[_Stretch] = []
    depth = 0
    for start, end in pairwise(bounds):
        depth += steps[start]
        runs.append(_Stretch(start, end, depth))
    return runs


def _is_integer(value: Any) -> bool:
    """Tell whether a value is an integer that the contract allows; a boolean is none."""
    return type(value) is int and -_LIMIT <= value <= _LIMIT


def _is_interval(value: Any) -> bool:
    """Tell whether a value is an array of two integers."""
    return isinstance(value, list) and len(value) == 2 and all(map(_is_integer, value))


def _are_intervals(value: Any) -> bool:
    """Tell whether a value is an array of at most 500 intervals."""
    return isinstance(value, list) and len(value) <= 500 and all(map(_is_interval, value))


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "intervals": _are_intervals,
    "window": lambda value: value is None or _is_interval(value),
    "merge_touching": lambda value: isinstance(value, bool),
}
_REQUIRED = ("intervals",)


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
