# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Measures a closed line and tells where points lie."""

from collections.abc import Callable
from math import gcd
from typing import Any

_LIMIT = 1_000_000

_Point = tuple[int, int]
_Edge = tuple[_Point, _Point]


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Measure a closed line and locate points.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    vertices = _points(fields["vertices"])
    if len(vertices) < 3:
        return {"error": {"code": "too_few_vertices"}}
    edges = list(zip(vertices, vertices[1:] + vertices[:1], strict=True))
    if any(start == end for start, end in edges):
        return {"error": {"code": "repeated_vertex"}}
    return {"result": _report(edges, _points(fields.get("queries", [])))}


def _points(pairs: list[list[int]]) -> list[_Point]:
    """Read an array of valid points."""
    return [(x, y) for x, y in pairs]


def _report(edges: list[_Edge], queries: list[_Point]) -> dict[str, Any]:
    """Make the result of the contract."""
    twice_area = sum(_cross(start, end) for start, end in edges)
    xs = [x for (x, _), _ in edges]
    ys = [y for (_, y), _ in edges]
    return {
        "twice_area": twice_area,
        "orientation": "ccw" if twice_area > 0 else "cw" if twice_area < 0 else "zero",
        "boundary_steps": sum(gcd(x2 - x1, y2 - y1) for (x1, y1), (x2, y2) in edges),
        "centroid": _centroid(edges, twice_area),
        "bbox": [min(xs), min(ys), max(xs), max(ys)],
        "locations": [_location(point, edges) for point in queries],
    }


def _cross(one: _Point, other: _Point) -> int:
    """Give the cross product of two vectors."""
    return one[0] * other[1] - other[0] * one[1]


def _centroid(edges: list[_Edge], twice_area: int) -> list[str] | None:
    """Give the centroid, or `None` if there is no area."""
    if twice_area == 0:
        return None
    sums = [
        sum((start[axis] + end[axis]) * _cross(start, end) for start, end in edges)
        for axis in (0, 1)
    ]
    return [_fraction(total, 3 * twice_area) for total in sums]


def _fraction(numerator: int, denominator: int) -> str:
    """Write a fraction in lowest terms; its denominator may be negative."""
    common = gcd(numerator, denominator) * (1 if denominator > 0 else -1)
    numerator, denominator = numerator // common, denominator // common
    return str(numerator) if denominator == 1 else f"{numerator}/{denominator}"


def _location(point: _Point, edges: list[_Edge]) -> str:
    """Tell where a point lies."""
    x, y = point
    inside = False
    for (x1, y1), (x2, y2) in edges:
        # Positive if the point lies to the left of the edge.
        turn = (x2 - x1) * (y - y1) - (x - x1) * (y2 - y1)
        if turn == 0:
            if min(x1, x2) <= x <= max(x1, x2) and min(y1, y2) <= y <= max(y1, y2):
                return "boundary"
        # An upward edge meets the ray if the point is to its left, a downward one if to its right.
        elif (y1 > y) != (y2 > y) and (turn > 0) == (y2 > y1):
            inside = not inside
    return "inside" if inside else "outside"


def _is_coordinate(value: Any) -> bool:
    """Tell whether a value is a coordinate that the contract allows; a boolean is none."""
    return type(value) is int and -_LIMIT <= value <= _LIMIT


def _is_point(value: Any) -> bool:
    """Tell whether a value is a point that the contract allows."""
    return isinstance(value, list) and len(value) == 2 and all(map(_is_coordinate, value))


def _are_points(value: Any) -> bool:
    """Tell whether a value is an array of points that the contract allows."""
    return isinstance(value, list) and len(value) <= 200 and all(map(_is_point, value))


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {"vertices": _are_points, "queries": _are_points}
_REQUIRED = ("vertices",)


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
