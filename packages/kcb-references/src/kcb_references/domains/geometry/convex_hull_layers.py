# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Computes the convex hull of points, their greatest distance and their layers."""

from collections.abc import Callable, Iterable
from itertools import combinations
from typing import Any

_LIMIT = 1_000_000

_Point = tuple[int, int]


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Compute the hull, the greatest distance and the layers of a set of points.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    elements = [(x, y) for x, y in fields["points"]]
    if not elements:
        return {"error": {"code": "no_points"}}
    points = sorted(set(elements))
    layers = _layers(points)
    corners = _boundary(points, collinear=False)
    depth_of = {point: depth for depth, layer in enumerate(layers, 1) for point in layer}
    diameter, farthest = _farthest(points)
    return {
        "result": {
            "hull": _lists(layers[0] if fields.get("keep_collinear", False) else corners),
            "twice_area": _twice_area(corners),
            "diameter_squared": diameter,
            "farthest": _lists(farthest),
            "depths": [depth_of[point] for point in elements],
            "layers": len(layers),
        }
    }


def _lists(points: Iterable[_Point]) -> list[list[int]]:
    """Write points as arrays."""
    return [[x, y] for x, y in points]


def _layers(points: list[_Point]) -> list[list[_Point]]:
    """Peel a set of points.

    Args:
        points: The points of the set in ascending order.

    Returns:
        The points of each layer, in the order in which they lie on the boundary.
    """
    layers: list[list[_Point]] = []
    while points:
        layer = _boundary(points, collinear=True)
        layers.append(layer)
        taken = set(layer)
        points = [point for point in points if point not in taken]
    return layers


def _boundary(points: list[_Point], *, collinear: bool) -> list[_Point]:
    """Go around the boundary of a hull, counterclockwise from the smallest point.

    Args:
        points: One or more points in ascending order, each once.
        collinear: Whether the points that are no corners are given too.

    Returns:
        The points on the boundary. If all lie on one line, they are in ascending order.
    """
    first, last = points[0], points[-1]
    if all(_turn(first, last, point) == 0 for point in points):
        # The way back along a segment would give its points again.
        return points if collinear or first == last else [first, last]
    lower = _chain(points, collinear)
    upper = _chain(points[::-1], collinear)
    # Each of the two ends with the point that the other one starts with.
    return lower[:-1] + upper[:-1]


def _chain(points: Iterable[_Point], collinear: bool) -> list[_Point]:
    """Give the points of one half of a boundary, along which it never turns to the right."""
    chain: list[_Point] = []
    for point in points:
        while len(chain) >= 2:
            turn = _turn(chain[-2], chain[-1], point)
            if turn > 0 or (turn == 0 and collinear):
                break
            chain.pop()
        chain.append(point)
    return chain


def _turn(start: _Point, middle: _Point, end: _Point) -> int:
    """Give a positive number for a turn to the left, a negative one to the right, 0 for none."""
    return (middle[0] - start[0]) * (end[1] - start[1]) - (middle[1] - start[1]) * (
        end[0] - start[0]
    )


def _twice_area(corners: list[_Point]) -> int:
    """Give twice the area inside corners that are in counterclockwise order."""
    following = corners[1:] + corners[:1]
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(corners, following, strict=True))


def _farthest(points: list[_Point]) -> tuple[int, tuple[_Point, _Point]]:
    """Find the greatest distance.

    Args:
        points: One or more points in ascending order, each once.

    Returns:
        The square of the distance, and the first pair that has it.
    """
    best, pair = 0, (points[0], points[0])
    # The pairs come in ascending order, so the first of several with one distance is kept.
    for one, other in combinations(points, 2):
        distance = (other[0] - one[0]) ** 2 + (other[1] - one[1]) ** 2
        if distance > best:
            best, pair = distance, (one, other)
    return best, pair


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
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "points": _are_points,
    "keep_collinear": lambda value: isinstance(value, bool),
}
_REQUIRED = ("points",)


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
