# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Finds the common points of all pairs of segments exactly."""

from collections.abc import Callable
from itertools import combinations
from math import gcd
from typing import Any, NamedTuple

_LIMIT = 1_000_000
_KINDS = ("cross", "touch", "overlap")

_Vector = tuple[int, int]


class _Segment(NamedTuple):
    """A segment; its smaller end point is `low`."""

    id: str
    low: _Vector
    high: _Vector


class _Meeting(NamedTuple):
    """What two segments have in common; each coordinate is written as a fraction."""

    kind: str
    points: list[list[str]]


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Find the common points of all pairs of segments.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    segments = [_segment(element) for element in fields["segments"]]
    if len({segment.id for segment in segments}) < len(segments):
        return {"error": {"code": "duplicate_id"}}
    if any(segment.low == segment.high for segment in segments):
        return {"error": {"code": "zero_length"}}
    return {"result": _report(segments)}


def _segment(element: dict[str, Any]) -> _Segment:
    """Read a segment."""
    low, high = sorted((x, y) for x, y in (element["a"], element["b"]))
    return _Segment(element["id"], low, high)


def _report(segments: list[_Segment]) -> dict[str, Any]:
    """Make the result of the contract."""
    pairs: list[dict[str, Any]] = []
    counts = dict.fromkeys(_KINDS, 0)
    single_points: set[tuple[str, ...]] = set()
    for one, other in combinations(segments, 2):
        meeting = _meeting(one, other)
        if meeting is None:
            continue
        kind, points = meeting
        pairs.append({"first": one.id, "second": other.id, "kind": kind, "points": points})
        counts[kind] += 1
        if kind != "overlap":
            # Lowest terms make equal points equal texts.
            single_points.add(tuple(points[0]))
    return {"pairs": pairs, "distinct_points": len(single_points), "counts": counts}


def _meeting(one: _Segment, other: _Segment) -> _Meeting | None:
    """Give what two segments have in common, or `None` if that is nothing."""
    along_one, along_other = _minus(one.high, one.low), _minus(other.high, other.low)
    between = _minus(other.low, one.low)
    whole = _cross(along_one, along_other)
    if whole == 0:
        return None if _cross(along_one, between) else _meeting_on_line(one, other)
    # The lines meet where the way along each segment is this share of the whole.
    share_one, share_other = _cross(between, along_other), _cross(between, along_one)
    if whole < 0:
        whole, share_one, share_other = -whole, -share_one, -share_other
    if not (0 <= share_one <= whole and 0 <= share_other <= whole):
        return None
    at_end = {share_one, share_other} & {0, whole}
    point = [
        _fraction(start * whole + share_one * step, whole)
        for start, step in zip(one.low, along_one, strict=True)
    ]
    return _Meeting("touch" if at_end else "cross", [point])


def _meeting_on_line(one: _Segment, other: _Segment) -> _Meeting | None:
    """Give what two segments on one line have in common, or `None` if that is nothing."""
    # Along a line the points come in their order or all in the reverse of it.
    low, high = max(one.low, other.low), min(one.high, other.high)
    if low > high:
        return None
    if low == high:
        return _Meeting("touch", [_texts(low)])
    return _Meeting("overlap", [_texts(low), _texts(high)])


def _minus(one: _Vector, other: _Vector) -> _Vector:
    """Subtract one vector from another."""
    return one[0] - other[0], one[1] - other[1]


def _cross(one: _Vector, other: _Vector) -> int:
    """Give the cross product of two vectors."""
    return one[0] * other[1] - one[1] * other[0]


def _texts(point: _Vector) -> list[str]:
    """Write a point of integers."""
    return [str(coordinate) for coordinate in point]


def _fraction(numerator: int, denominator: int) -> str:
    """Write a fraction, whose denominator is positive, in lowest terms."""
    common = gcd(numerator, denominator)
    numerator, denominator = numerator // common, denominator // common
    return str(numerator) if denominator == 1 else f"{numerator}/{denominator}"


def _is_coordinate(value: Any) -> bool:
    """Tell whether a value is a coordinate that the contract allows; a boolean is none."""
    return type(value) is int and -_LIMIT <= value <= _LIMIT


def _is_point(value: Any) -> bool:
    """Tell whether a value is a point that the contract allows."""
    return isinstance(value, list) and len(value) == 2 and all(map(_is_coordinate, value))


def _is_segment(value: Any) -> bool:
    """Tell whether a value is a segment that the contract allows."""
    if not isinstance(value, dict):
        return False
    name = value.get("id")
    return (
        isinstance(name, str)
        and 1 <= len(name) <= 40
        and _is_point(value.get("a"))
        and _is_point(value.get("b"))
    )


def _are_segments(value: Any) -> bool:
    """Tell whether a value is an array of segments that the contract allows."""
    return isinstance(value, list) and len(value) <= 60 and all(map(_is_segment, value))


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {"segments": _are_segments}
_REQUIRED = ("segments",)


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
