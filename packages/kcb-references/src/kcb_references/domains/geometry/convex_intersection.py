# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Intersects two strictly convex polygons exactly.

The corners of the intersection are vertices of one polygon that lie in the other one, or points
where two edges cross. So it is the convex hull of all such points.
"""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

_LIMIT = 1_000_000

# By whether A lies in B and whether B lies in A.
_RELATIONS = {
    (True, True): "equal",
    (True, False): "a_in_b",
    (False, True): "b_in_a",
    (False, False): "overlap",
}

_Point = tuple[Fraction, Fraction]
_Vertex = tuple[int, int]
_Edge = tuple[_Vertex, _Vertex]


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Intersect two polygons.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    polygons = [[(x, y) for x, y in fields[name]] for name in _REQUIRED]
    if any(len(polygon) < 3 for polygon in polygons):
        return {"error": {"code": "too_few_vertices"}}
    edges_a, edges_b = (_counterclockwise_edges(polygon) for polygon in polygons)
    if edges_a is None or edges_b is None:
        return {"error": {"code": "not_convex"}}
    return {"result": _intersect(edges_a, edges_b)}


def _counterclockwise_edges(polygon: list[_Vertex]) -> list[_Edge] | None:
    """Give the edges of a polygon in counterclockwise order.

    Args:
        polygon: Three or more vertices in either orientation.

    Returns:
        The edges, which all have the polygon on their left, or `None` if the polygon is not
        strictly convex.
    """
    edges = _edges(polygon)
    turns = {
        _sign(_turn(start, end, other))
        for index, (start, end) in enumerate(edges)
        # By position: another vertex at the same point is to be seen, and lies on the line.
        for place, other in enumerate(polygon)
        if place not in (index, (index + 1) % len(polygon))
    }
    if turns == {1}:
        return edges
    return _edges(polygon[::-1]) if turns == {-1} else None


def _edges(polygon: list[_Vertex]) -> list[_Edge]:
    """Join each vertex with the next one, and the last with the first."""
    return list(zip(polygon, polygon[1:] + polygon[:1], strict=True))


def _turn(start: _Vertex, end: _Vertex, point: _Vertex) -> int:
    """Give a positive number for a point to the left of an edge, 0 on its line, else negative."""
    return (end[0] - start[0]) * (point[1] - start[1]) - (end[1] - start[1]) * (point[0] - start[0])


def _sign(number: int) -> int:
    """Give 1, 0 or -1 for a positive number, 0 or a negative number."""
    return (number > 0) - (number < 0)


def _intersect(edges_a: list[_Edge], edges_b: list[_Edge]) -> dict[str, Any]:
    """Make the result from the edges of two polygons, both counterclockwise."""
    a_in_b = [vertex for vertex, _ in edges_a if _contains(edges_b, vertex)]
    b_in_a = [vertex for vertex, _ in edges_b if _contains(edges_a, vertex)]
    points = {_point(vertex) for vertex in a_in_b + b_in_a}
    points.update(_crossings(edges_a, edges_b))
    corners = _hull(points)
    area = _area(corners)
    area_a, area_b = (_area([_point(start) for start, _ in edges]) for edges in (edges_a, edges_b))
    # A convex polygon lies in another one if its vertices do.
    inside = (len(a_in_b) == len(edges_a), len(b_in_a) == len(edges_b))
    if not corners:
        relation = "disjoint"
    elif area == 0:
        relation = "touch"
    else:
        relation = _RELATIONS[inside]
    return {
        "relation": relation,
        "vertices": [[str(x), str(y)] for x, y in corners],
        "area": str(area),
        "area_a": str(area_a),
        "area_b": str(area_b),
        "union_area": str(area_a + area_b - area),
    }


def _point(vertex: _Vertex) -> _Point:
    """Give a vertex as a point with fractions."""
    return Fraction(vertex[0]), Fraction(vertex[1])


def _contains(edges: list[_Edge], vertex: _Vertex) -> bool:
    """Tell whether a vertex lies on or inside a polygon that is counterclockwise."""
    return all(_turn(start, end, vertex) >= 0 for start, end in edges)


def _crossings(edges_a: list[_Edge], edges_b: list[_Edge]) -> Iterator[_Point]:
    """Give the points where an edge of one polygon goes across an edge of the other.

    Edges that only touch are left out: there one has a vertex that lies in the other polygon.
    """
    for start_a, end_a in edges_a:
        for start_b, end_b in edges_b:
            from_b, to_b = _turn(start_a, end_a, start_b), _turn(start_a, end_a, end_b)
            from_a, to_a = _turn(start_b, end_b, start_a), _turn(start_b, end_b, end_a)
            if _sign(from_b) * _sign(to_b) == _sign(from_a) * _sign(to_a) == -1:
                # The distances of the ends of A from the line of B are as these two numbers.
                share = Fraction(from_a, from_a - to_a)
                yield (
                    start_a[0] + share * (end_a[0] - start_a[0]),
                    start_a[1] + share * (end_a[1] - start_a[1]),
                )


def _hull(points: set[_Point]) -> list[_Point]:
    """Give the corners of the convex hull, counterclockwise from the smallest point."""
    ascending = sorted(points)
    if len(ascending) < 2:
        return ascending
    # Each half ends with the point that the other one starts with.
    return _half_hull(ascending)[:-1] + _half_hull(reversed(ascending))[:-1]


def _half_hull(points: Iterable[_Point]) -> list[_Point]:
    """Give the corners of one half of the boundary of a hull, which only turns to the left."""
    half: list[_Point] = []
    for point in points:
        while len(half) >= 2 and _cross(half[-2], half[-1], point) <= 0:
            half.pop()
        half.append(point)
    return half


def _cross(start: _Point, middle: _Point, end: _Point) -> Fraction:
    """Give a positive number for a turn to the left, a negative one to the right, 0 for none."""
    return (middle[0] - start[0]) * (end[1] - start[1]) - (middle[1] - start[1]) * (
        end[0] - start[0]
    )


def _area(corners: list[_Point]) -> Fraction:
    """Give the area inside corners that are in counterclockwise order."""
    following = corners[1:] + corners[:1]
    twice = sum(
        (x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(corners, following, strict=True)),
        Fraction(0),
    )
    return twice / 2


def _is_coordinate(value: Any) -> bool:
    """Tell whether a value is a coordinate that the contract allows; a boolean is none."""
    return type(value) is int and -_LIMIT <= value <= _LIMIT


def _is_vertex(value: Any) -> bool:
    """Tell whether a value is a vertex that the contract allows."""
    return isinstance(value, list) and len(value) == 2 and all(map(_is_coordinate, value))


def _are_vertices(value: Any) -> bool:
    """Tell whether a value is an array of vertices that the contract allows."""
    return isinstance(value, list) and len(value) <= 30 and all(map(_is_vertex, value))


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {"a": _are_vertices, "b": _are_vertices}
_REQUIRED = ("a", "b")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
