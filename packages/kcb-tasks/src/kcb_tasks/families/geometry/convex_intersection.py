"""Convex intersection: what two convex polygons have in common, as exact fractions."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Fixed, Integer, required

_SUMMARY = """\
Intersects two strictly convex polygons A and B, exactly. `a` holds the vertices of A in order
around it, clockwise or counterclockwise; `b` those of B. An edge of a polygon joins a vertex with
the next one, and the last with the first. A polygon is the set of all points on its edges and
inside.

The intersection is the set of all points that are both in A and in B. It is a convex polygon, or a
segment, or a single point, or empty. Its area is 0 if it is no polygon.

A point is smaller than another if its x is smaller, or if the x are equal and its y is smaller."""

_RESULT = """\
An object with these members. Each coordinate and each area is a string: the fraction in lowest
terms, written `n`, or `n/d` with d > 1. The sign is in front; zero is `0`. A point is the array
`[x, y]` of two such strings.

- `relation`: the first of these that is true:
  - `"disjoint"`: the intersection is empty.
  - `"touch"`: the area of the intersection is 0.
  - `"equal"`: A and B are the same set of points.
  - `"a_in_b"`: all points of A are in B.
  - `"b_in_a"`: all points of B are in A.
  - `"overlap"`: none of the above.
- `vertices`: an array of points that depends on the intersection:
  - A polygon: its corners, counterclockwise (the x axis points right, the y axis up), starting with
    the smallest. Each corner is given once. A point where its boundary does not turn is no corner.
  - A segment: its two end points, the smaller first.
  - A single point: this point.
  - Nothing: `[]`.
- `area`, `area_a`, `area_b`: the area of the intersection, of A and of B, not doubled.
- `union_area`: `area_a` plus `area_b` minus `area`."""

_RULES = """\
- Nothing is approximate: however small a distance or an area is, it is not 0.
- Both polygons can have their vertices in different orientations.
- Polygons that have only a corner, an edge or a part of an edge in common `touch`.
- A polygon can be in the other one and have vertices or edges on its boundary."""

_Point = tuple[Fraction, Fraction]
_Polygon = list[_Point]


def _evaluate(fields: Mapping[str, Any]) -> Json:
    if any(len(fields[name]) < 3 for name in "ab"):
        raise DomainError("too_few_vertices")
    a, b = (_counterclockwise(fields[name]) for name in "ab")
    common = a
    for start, end in _edges(b):
        common = _clip(common, start, end)
    corners = _corners(common)
    area, area_a, area_b = _area(corners), _area(a), _area(b)
    return {
        "relation": _relation(len(corners), area, area_a, area_b),
        "vertices": [[str(x), str(y)] for x, y in corners],
        "area": str(area),
        "area_a": str(area_a),
        "area_b": str(area_b),
        "union_area": str(area_a + area_b - area),
    }


def _relation(corners: int, area: Fraction, area_a: Fraction, area_b: Fraction) -> str:
    if corners < 3:
        return "touch" if corners else "disjoint"
    if area == area_a:
        return "equal" if area == area_b else "a_in_b"
    return "b_in_a" if area == area_b else "overlap"


def _counterclockwise(listed: Sequence[Sequence[int]]) -> _Polygon:
    """The vertices of a strictly convex polygon, turned round if they go clockwise."""
    vertices = [(Fraction(x), Fraction(y)) for x, y in listed]
    sides = []
    for i, (start, end) in enumerate(_edges(vertices)):
        others = [p for k, p in enumerate(vertices) if k not in (i, (i + 1) % len(vertices))]
        sides += [_cross(start, end, p) for p in others]
    if all(side > 0 for side in sides):
        return vertices
    if all(side < 0 for side in sides):
        return vertices[::-1]
    raise DomainError("not_convex")


def _clip(polygon: _Polygon, start: _Point, end: _Point) -> _Polygon:
    """What is left of a line or on it; of a segment or a point, this may hold points twice."""
    kept: _Polygon = []
    for p, q in _edges(polygon):
        here, there = _cross(start, end, p), _cross(start, end, q)
        if here >= 0:
            kept.append(p)
        if here * there < 0:
            part = here / (here - there)
            kept.append((p[0] + part * (q[0] - p[0]), p[1] + part * (q[1] - p[1])))
    return kept


def _corners(points: Iterable[_Point]) -> _Polygon:
    """The corners of the hull of some points, counterclockwise from the smallest."""
    ascending = sorted(set(points))
    if len(ascending) < 2:
        return ascending
    return _chain(ascending)[:-1] + _chain(ascending[::-1])[:-1]


def _chain(points: Iterable[_Point]) -> _Polygon:
    """Half of the hull: of points in order, those at which the boundary turns left."""
    chain: _Polygon = []
    for point in points:
        while len(chain) > 1 and _cross(chain[-2], chain[-1], point) <= 0:
            chain.pop()
        chain.append(point)
    return chain


def _area(corners: _Polygon) -> Fraction:
    doubled = sum((x * v - u * y for (x, y), (u, v) in _edges(corners)), Fraction(0))
    return doubled / 2


def _edges(polygon: _Polygon) -> list[tuple[_Point, _Point]]:
    return list(zip(polygon, polygon[1:] + polygon[:1], strict=True))


def _cross(start: _Point, end: _Point, point: _Point) -> Fraction:
    """Positive if a point is left of the line from start to end, 0 if it is on the line."""
    (x, y), (x1, y1), (x2, y2) = start, end, point
    return (x1 - x) * (y2 - y) - (y1 - y) * (x2 - x)


def _generate(rng: random.Random) -> dict[str, Json]:
    a = _draw_polygon(rng)
    kind = rng.choice(_KINDS)
    b = _draw_polygon(rng)
    if kind == "near":
        b = [(x // 2 + 2, y // 2 + 2) for x, y in b]
    elif kind == "same":
        b = a[2:] + a[:2]
    elif kind == "inside":
        b = [(x + u, y + v) for (x, y), (u, v) in zip(a, a[1:] + a[:1], strict=True)]
        a = [(2 * x, 2 * y) for x, y in a]
    elif kind == "beside":
        (x, y), (u, v) = rng.choice(a), rng.choice(b)
        b = [(p - u + x, q - v + y) for p, q in b]
    elif kind == "part":
        b = a[: max(3, len(a) - 1)]
    if rng.random() < 0.14:
        _spoil(rng, rng.choice([a, b]))
    if rng.random() < 0.1:
        del rng.choice([a, b])[rng.randint(0, 2) :]
    polygons = [polygon[:: rng.choice([1, -1])] for polygon in rng.sample([a, b], 2)]
    scale = rng.choice([1, 1, 1, 25_013])
    drawn = [[[x * scale, y * scale] for x, y in polygon] for polygon in polygons]
    return {"a": drawn[0], "b": drawn[1]}


def _spoil(rng: random.Random, polygon: list[tuple[int, int]]) -> None:
    """One mistake in a polygon: a vertex twice, three on one line, or another order."""
    at = rng.randrange(len(polygon))
    kind = rng.choice(["twice", "line", "order"])
    if kind == "twice":
        polygon.insert(at, rng.choice(polygon))
    elif kind == "line":
        (x, y), (u, v) = polygon[at - 1], polygon[at]
        polygon.insert(at, (2 * u - x, 2 * v - y))
    else:
        polygon.append(polygon.pop(at))
        polygon.insert(0, polygon.pop(1))


def _draw_polygon(rng: random.Random) -> list[tuple[int, int]]:
    """A convex polygon on a small grid: the hull of some points that are not on one line."""
    while True:
        size = rng.choice([3, 4, 6, 8])
        points = {(rng.randint(0, size), rng.randint(0, size)) for _ in range(rng.randint(3, 9))}
        corners = [
            (int(x), int(y)) for x, y in _corners((Fraction(x), Fraction(y)) for x, y in points)
        ]
        if len(corners) > 2:
            turn = rng.randrange(len(corners))
            return corners[turn:] + corners[:turn]


_KINDS = (
    *("any", "any", "any", "near", "near", "near", "beside", "beside", "beside"),
    *("same", "inside", "part"),
)

_Corner = tuple[int, int]


def _input(a: Sequence[_Corner], b: Sequence[_Corner]) -> dict[str, Json]:
    return {"a": [list(vertex) for vertex in a], "b": [list(vertex) for vertex in b]}


def _report(relation: str, vertices: str, area: str, area_a: str, area_b: str, union: str) -> Json:
    """A result in short; of the vertices the coordinates, as text."""
    numbers = vertices.split()
    return {
        "relation": relation,
        "vertices": [numbers[at : at + 2] for at in range(0, len(numbers), 2)],
        "area": area,
        "area_a": area_a,
        "area_b": area_b,
        "union_area": union,
    }


_UNIT = ((0, 0), (1, 0), (0, 1))
_TRIANGLE = ((0, 0), (4, 0), (0, 4))
_SQUARE = ((0, 0), (2, 0), (2, 2), (0, 2))
_M = 1_000_000
_SLOPE = ((-_M, -_M), (_M, _M - 1), (-_M, _M))
_SQUARE_TEXT = "0 0 2 0 2 2 0 2"

_BOUNDARIES = (
    # One in the other, or both the same, in either orientation and from any vertex on.
    Case(
        _input([(1, 0), (2, 1), (1, 2), (0, 1)], [(0, 0), (0, 2), (2, 2), (2, 0)]),
        _report("a_in_b", "0 1 1 0 2 1 1 2", "2", "2", "4", "4"),
    ),
    Case(
        _input(_TRIANGLE, [(1, 0), (2, 0), (1, 1)]),
        _report("b_in_a", "1 0 2 0 1 1", "1/2", "8", "1/2", "8"),
    ),
    Case(
        _input([(1, 1), (1, 2), (2, 1)], [(9, 0), (0, 9), (0, 0)]),
        _report("a_in_b", "1 1 2 1 1 2", "1/2", "1/2", "81/2", "81/2"),
    ),
    Case(
        _input(_SQUARE, [(2, 2), (2, 0), (0, 0), (0, 2)]),
        _report("equal", _SQUARE_TEXT, "4", "4", "4", "4"),
    ),
    Case(_input(_UNIT, _UNIT[1:] + _UNIT[:1]), _report("equal", "0 0 1 0 0 1", *["1/2"] * 4)),
    Case(_input(_SQUARE, _SQUARE[:3]), _report("b_in_a", "0 0 2 0 2 2", "2", "4", "2", "4")),
    # Overlaps: fractions, edges on one line, no vertex of one in the other.
    Case(
        _input([(0, 0), (2, 1), (0, 2)], [(1, 0), (1, 2), (-1, 1)]),
        _report("overlap", "0 1/2 1/2 1/4 1 1/2 1 3/2 1/2 7/4 0 3/2", "5/4", "2", "2", "11/4"),
    ),
    Case(
        _input([(0, 0), (6, 0), (3, 6)], [(0, 4), (3, -2), (6, 4)]),
        _report("overlap", "1 2 2 0 4 0 5 2 4 4 2 4", "12", "18", "18", "24"),
    ),
    Case(
        _input(_SQUARE, [(1, 0), (3, 0), (3, 2), (1, 2)]),
        _report("overlap", "1 0 2 0 2 2 1 2", "2", "4", "4", "6"),
    ),
    Case(
        _input(_SQUARE, [(-1, -1), (-1, 1), (1, 1), (1, -1)]),
        _report("overlap", "0 0 1 0 1 1 0 1", "1", "4", "4", "7"),
    ),
    Case(
        _input([(0, 0), (9, 0), (9, 1), (0, 1)], [(4, -4), (5, -4), (5, 4), (4, 4)]),
        _report("overlap", "4 0 5 0 5 1 4 1", "1", "9", "8", "16"),
    ),
    Case(
        _input(_SQUARE, [(0, 2), (1, 1), (9, 2)]),
        _report("overlap", "0 2 1 1 2 9/8 2 2", "23/16", "4", "9/2", "113/16"),
    ),
    Case(
        _input(_TRIANGLE, [(4, 4), (0, 4), (4, 0), (5, 3)]),
        _report("touch", "0 4 4 0", "0", "8", "10", "18"),
    ),
    Case(
        _input([(0, 0), (-3, 1), (-3, -1)], [(0, -1), (5, -1), (-1, _M - 1)]),
        _report(
            "overlap",
            "-3/2999999 1/2999999 -3/3000001 -1/3000001 0 0",
            "3/8999999999999",
            "3",
            "2500000",
            "22500026999997499994/8999999999999",
        ),
    ),
    # Touching: an edge, a part of one, a corner on a corner, a corner on an edge.
    Case(
        _input([(0, 0), (2, 0), (0, 2)], [(3, 0), (1, 0), (1, -5)]),
        _report("touch", "1 0 2 0", "0", "2", "5", "7"),
    ),
    Case(
        _input(_SQUARE, [(4, 1), (2, 1), (2, 3), (4, 3)]),
        _report("touch", "2 1 2 2", "0", "4", "4", "8"),
    ),
    Case(
        _input([(2, 0), (0, 2), (0, 0)], [(2, 0), (4, 0), (4, 2)]),
        _report("touch", "2 0", "0", "2", "2", "4"),
    ),
    Case(
        _input(_SQUARE, [(4, 4), (2, 4), (2, 2), (4, 2)]),
        _report("touch", "2 2", "0", "4", "4", "8"),
    ),
    Case(
        _input(_TRIANGLE, [(2, 2), (5, 2), (2, 5)]),
        _report("touch", "2 2", "0", "8", "9/2", "25/2"),
    ),
    # Apart: far away, on the line of an edge, within the other's extent, by less than one unit.
    Case(
        _input(_UNIT, [(5, 5), (6, 5), (5, 6)]),
        _report("disjoint", "", "0", "1/2", "1/2", "1"),
    ),
    Case(
        _input(_SQUARE, [(2, 3), (4, 3), (4, 5), (2, 5)]),
        _report("disjoint", "", "0", "4", "4", "8"),
    ),
    Case(_input(_SQUARE, [(3, 2), (4, 2), (4, 0)]), _report("disjoint", "", "0", "4", "1", "5")),
    Case(_input(_TRIANGLE, [(4, 4), (3, 2), (4, 2)]), _report("disjoint", "", "0", "8", "1", "9")),
    Case(
        _input(_SLOPE, [(999_999, 999_998), (_M, -_M), (0, -_M)]),
        _report("disjoint", "", "0", "2000000000000", "999999000000", "2999999000000"),
    ),
    Case(
        _input(_SLOPE, [(_M, _M - 1), (_M, -_M), (0, -_M)]),
        _report("touch", "1000000 999999", "0", "2000000000000", "999999500000", "2999999500000"),
    ),
    # Too few vertices comes first, for both.
    Case(_input([(0, 0), (1, 0)], [(0, 0), (0, 0), (1, 1)]), error="too_few_vertices"),
    Case(_input([(0, 0), (1, 1), (2, 2)], []), error="too_few_vertices"),
    Case(_input(_UNIT, [(0, 0), (1, 0)]), error="too_few_vertices"),
    # Not strictly convex: on one line, equal, bent inwards, crossing, wound twice.
    Case(_input([(0, 0), (1, 0), (2, 0), (0, 1)], _UNIT), error="not_convex"),
    Case(_input([(0, 3), (2, -3), (-3, 1), (3, 1), (-2, -3)], _UNIT), error="not_convex"),
    Case(_input(_UNIT, [(0, 0), (1, 1), (2, 2)]), error="not_convex"),
    Case(_input(_UNIT, [(0, 0), (0, 0), (1, 1)]), error="not_convex"),
    Case(_input(_UNIT, [(0, 0), (0, 0), (1, 0), (0, 1)]), error="not_convex"),
    Case(_input(_UNIT, [*_SQUARE, (0, 0)]), error="not_convex"),
    Case(_input([(0, 0), (4, 0), (1, 1), (0, 4)], _UNIT), error="not_convex"),
    Case(_input([(0, 0), (2, 2), (2, 0), (0, 2)], _UNIT), error="not_convex"),
    Case(_input(_SQUARE * 2, _SQUARE), error="not_convex"),
    Case(_input(_UNIT * 2, _UNIT), error="not_convex"),
)

_POINT = Fixed(Integer(-(10**6), 10**6), Integer(-(10**6), 10**6))

FAMILY = Family(
    number=40,
    slug="convex-intersection",
    title="Intersection of convex polygons",
    category="geometry",
    difficulty=Difficulty.DEMANDING,
    summary=_SUMMARY,
    fields=(
        required("a", Array(_POINT, 0, 30), "The vertices of A, each as `[x, y]`."),
        required("b", Array(_POINT, 0, 30), "The vertices of B, each as `[x, y]`."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("too_few_vertices", "`a` or `b` has fewer than 3 vertices."),
        ErrorCode(
            "not_convex",
            "A or B is not strictly convex. A polygon is strictly convex if there is one side, "
            "left or right, such that for each edge, seen from its first vertex to its second, "
            "all vertices but these two lie on this side of the line through the edge and not on "
            "the line. So equal vertices and three vertices on one line are errors, and also "
            "edges that cross.",
        ),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        {"a": [[0, 0], [4, 0], [4, 4], [0, 4]], "b": [[2, 5], [6, 2], [2, -1]]},
        {
            "relation": "overlap",
            "vertices": [
                ["2", "0"],
                ["10/3", "0"],
                ["4", "1/2"],
                ["4", "7/2"],
                ["10/3", "4"],
                ["2", "4"],
            ],
            "area": "23/3",
            "area_a": "16",
            "area_b": "12",
            "union_area": "61/3",
        },
    ),
    boundaries=_BOUNDARIES,
    examples=(
        Case(
            _input([(0, 0), (0, 3), (3, 0)], [(1, 1), (4, 1), (4, -1), (1, -1)]),
            _report("overlap", "1 0 3 0 2 1 1 1", "3/2", "9/2", "6", "9"),
        ),
        Case(_input(_SQUARE, [(0, 0), (2, 0), (3, 0), (0, 3)]), error="not_convex"),
    ),
    malformed=(
        {"a": [[0, 0], [1, 0], [0, 1]]},
        {"b": [[0, 0], [1, 0], [0, 1]]},
        {"a": None, "b": [[0, 0], [1, 0], [0, 1]]},
        {"a": [[0, 0], [1, 0], [0, 1]], "b": {}},
        {"a": [[0, 0], [1, 0], [0]], "b": [[0, 0], [1, 0], [0, 1]]},
        {"a": [[0, 0], [1, 0], [0, 1, 2]], "b": [[0, 0], [1, 0], [0, 1]]},
        {"a": [[0, 0], [1, 0], [0, 1.0]], "b": [[0, 0], [1, 0], [0, 1]]},
        {"a": [[0, 0], [1, 0], [0, 0.5]], "b": [[0, 0], [1, 0], [0, 1]]},
        {"a": [[0, 0], [1, 0], [0, "1/2"]], "b": [[0, 0], [1, 0], [0, 1]]},
        {"a": [[0, 0], [True, 0], [0, 1]], "b": [[0, 0], [1, 0], [0, 1]]},
        {"a": [[0, 0], [1, 0], None], "b": [[0, 0], [1, 0], [0, 1]]},
        {"a": [[0, 0], [1, 0], [0, 1]], "b": [[0, 0], [1, 0], [0, 1_000_001]]},
        {"a": [[0, 0], [1, 0], [0, 1]], "b": [[-1_000_001, 0], [1, 0], [0, 1]]},
        {"a": [[0, 0], [1, 0], [0, 1]], "b": [{"x": 0, "y": 0}, [1, 0], [0, 1]]},
        {"a": [[0, 0], [1, 0], [0, 1]], "b": [0, 0, 1, 0, 0, 1]},
        {"a": [[0, 0]] * 31, "b": [[0, 0], [1, 0], [0, 1]]},
        {"a": [], "b": [[0, 0], [1, False], [0, 1]]},
    ),
)
