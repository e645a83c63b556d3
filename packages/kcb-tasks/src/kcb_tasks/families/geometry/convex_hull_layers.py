"""Convex hull layers: the hull of a set of points, its diameter, and the layers beneath it."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Boolean, Fixed, Integer, optional, required

_SUMMARY = """\
Computes the convex hull of a set of points, the greatest distance in the set, and its layers. Equal
elements of `points` are one point of the set. A point is smaller than another if its x is smaller,
or if the x are equal and its y is smaller. All arithmetic is exact.

The convex hull of some points is the smallest convex area that contains them. It is a polygon, or
a segment if they all lie on one line, or a single point. The boundary of a segment or of a point
is all of it.

- A corner of the hull is a point where its boundary turns; the ends of a segment and a single point
  are corners too. A point in the middle of an edge is no corner.
- Layer 1 is made of all points of the set that lie on the boundary of the hull of the set, corners
  or not. Take them away. Layer 2 is made of all points that lie on the boundary of the hull of the
  points that are left. Go on in this way until no point is left."""

_RESULT = """\
An object with these members. A point is written `[x, y]`; all numbers are integers.

- `hull`: the array of the corners of the hull of the set, or, if `keep_collinear` is true, of all
  points of layer 1. It starts with the smallest point and goes around the boundary
  counterclockwise, the x axis pointing right and the y axis up. Each point is in it once. If the
  hull is a segment, the points are in ascending order.
- `twice_area`: twice the area of this hull.
- `diameter_squared`: the square of the greatest distance between two points of the set, 0 if there
  is only one point.
- `farthest`: `[p, q]`, two points with this distance, p smaller than q. If there are several such
  pairs, the one with the smallest p, and among these the one with the smallest q. If there is only
  one point, it stands twice.
- `depths`: an array with the number of the layer of each element of `points`, in the same order.
- `layers`: the number of layers."""

_RULES = """\
- `keep_collinear` has an effect on `hull` only."""

_Point = tuple[int, int]


def _evaluate(fields: Mapping[str, Any]) -> Json:
    points: list[_Point] = [(x, y) for x, y in fields["points"]]
    if not points:
        raise DomainError("no_points")
    distinct = sorted(set(points))
    corners = _corners(distinct)
    layers = _layers(distinct)
    pairs = list(combinations(distinct, 2)) or [(distinct[0], distinct[0])]
    farthest = max(pairs, key=lambda pair: _distance_squared(*pair))  # the first of equals
    depths = {point: depth for depth, layer in enumerate(layers, 1) for point in layer}
    hull = _along_boundary(corners, layers[0]) if fields["keep_collinear"] else corners
    return {
        "hull": [list(point) for point in hull],
        "twice_area": sum(_cross(corners[0], p, q) for p, q in pairwise(corners)),
        "diameter_squared": _distance_squared(*farthest),
        "farthest": [list(point) for point in farthest],
        "depths": [depths[point] for point in points],
        "layers": len(layers),
    }


def _corners(ascending: Sequence[_Point]) -> list[_Point]:
    """The corners of the hull of distinct points, counterclockwise from the smallest."""
    if len(ascending) == 1:
        return list(ascending)
    return _chain(ascending)[:-1] + _chain(ascending[::-1])[:-1]


def _chain(points: Iterable[_Point]) -> list[_Point]:
    """Half of the hull: of points in order, those at which the boundary turns left."""
    chain: list[_Point] = []
    for point in points:
        while len(chain) > 1 and _cross(chain[-2], chain[-1], point) <= 0:
            chain.pop()
        chain.append(point)
    return chain


def _layers(ascending: Sequence[_Point]) -> list[list[_Point]]:
    layers: list[list[_Point]] = []
    while ascending:
        edges = _edges(_corners(ascending))
        layers.append([p for p in ascending if any(not _cross(*edge, p) for edge in edges)])
        ascending = [p for p in ascending if p not in layers[-1]]
    return layers


def _along_boundary(corners: list[_Point], layer: Sequence[_Point]) -> list[_Point]:
    """The points of a layer, all on the boundary, in the order of its corners."""
    if len(corners) < 3:
        return list(layer)
    ordered: list[_Point] = []
    for start, end in _edges(corners):
        on_edge = [p for p in layer if not _cross(start, end, p) and p != end]
        ordered += sorted(on_edge, reverse=end < start)
    return ordered


def _edges(corners: Sequence[_Point]) -> list[tuple[_Point, _Point]]:
    return list(zip(corners, [*corners[1:], corners[0]], strict=True))


def _cross(start: _Point, end: _Point, point: _Point) -> int:
    """Positive if a point is left of the line from start to end, 0 if it is on the line."""
    (x, y), (x1, y1), (x2, y2) = start, end, point
    return (x1 - x) * (y2 - y) - (y1 - y) * (x2 - x)


def _distance_squared(p: _Point, q: _Point) -> int:
    return int((p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2)


def _generate(rng: random.Random) -> dict[str, Json]:
    if rng.random() < 0.08:
        return {"points": [], "keep_collinear": rng.random() < 0.5}
    kind = rng.choice(["any", "any", "dense", "dense", "line", "square", "far"])
    points = _DRAWS[kind](rng, rng.randint(1, 16))
    points += [rng.choice(points) for _ in range(rng.choice([0, 0, 1, 3]))]
    rng.shuffle(points)
    drawn: dict[str, Json] = {"points": [list(point) for point in points]}
    if rng.random() < 0.8:
        drawn["keep_collinear"] = rng.random() < 0.7
    return drawn


def _draw_line(rng: random.Random, count: int) -> list[_Point]:
    x, y, dx, dy = (rng.randint(-2, 2) for _ in range(4))
    return [(x + n * dx, y + n * dy) for n in (rng.randint(-4, 4) for _ in range(count))]


def _draw_square(rng: random.Random, count: int) -> list[_Point]:
    """Points on the edges of a square, in which every distance has a tie, and some inside."""
    x, y, size = rng.randint(-5, 5), rng.randint(-5, 5), rng.randint(2, 6)
    points = [(x, y), (x + size, y), (x, y + size), (x + size, y + size)]
    for _ in range(count):
        step, end = rng.randint(0, size), rng.choice([0, size, size, rng.randint(0, size)])
        points.append(rng.choice([(x + step, y + end), (x + end, y + step)]))
    return points


def _draw_far(rng: random.Random, count: int) -> list[_Point]:
    """Points on or beside a long line through the origin, not many units from it."""
    points: list[_Point] = [(-1_000_000, -999_999), (1_000_000, 999_999)]
    for _ in range(count // 2):
        x = rng.randint(-999_999, 999_999)
        points.append((x, x * 999_999 // 1_000_000 + rng.randint(0, 1)))
    return points


_DRAWS = {
    "any": lambda rng, n: [(rng.randint(-9, 9), rng.randint(-9, 9)) for _ in range(n)],
    "dense": lambda rng, n: [(rng.randint(0, 4), rng.randint(0, 4)) for _ in range(2 * n)],
    "line": _draw_line,
    "square": _draw_square,
    "far": _draw_far,
}


def _input(*points: _Point, **keep_collinear: bool) -> dict[str, Json]:
    return {"points": [list(point) for point in points], **keep_collinear}


def _report(
    *hull: _Point, area: int = 0, diameter: int, farthest: tuple[_Point, _Point], depths: list[int]
) -> Json:
    """A result in short; there are as many layers as the greatest depth says."""
    return {
        "hull": [list(point) for point in hull],
        "twice_area": area,
        "diameter_squared": diameter,
        "farthest": [list(point) for point in farthest],
        "depths": depths,
        "layers": max(depths),
    }


_SQUARE = ((0, 0), (2, 0), (2, 2), (0, 2))
_RING = ((0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1))
_M = 1_000_000

_BOUNDARIES = (
    # A segment or a point instead of a polygon.
    Case(
        _input((3, 3), (1, 1), (2, 2)),
        _report((1, 1), (3, 3), diameter=8, farthest=((1, 1), (3, 3)), depths=[1, 1, 1]),
    ),
    Case(
        _input((3, 3), (1, 1), (2, 2), (2, 2), keep_collinear=True),
        _report((1, 1), (2, 2), (3, 3), diameter=8, farthest=((1, 1), (3, 3)), depths=[1, 1, 1, 1]),
    ),
    Case(
        _input((0, 5), (0, -5), (0, 0), keep_collinear=False),
        _report((0, -5), (0, 5), diameter=100, farthest=((0, -5), (0, 5)), depths=[1, 1, 1]),
    ),
    Case(
        _input((4, 1), (0, 3), (2, 2), keep_collinear=True),
        _report((0, 3), (2, 2), (4, 1), diameter=20, farthest=((0, 3), (4, 1)), depths=[1, 1, 1]),
    ),
    Case(
        _input((2, 1), (1, 7)),
        _report((1, 7), (2, 1), diameter=37, farthest=((1, 7), (2, 1)), depths=[1, 1]),
    ),
    Case(
        _input((-1, 5), (-1, 5)),
        _report((-1, 5), diameter=0, farthest=((-1, 5), (-1, 5)), depths=[1, 1]),
    ),
    Case(
        _input((7, 0), keep_collinear=True),
        _report((7, 0), diameter=0, farthest=((7, 0), (7, 0)), depths=[1]),
    ),
    # Corners and the points between them; where the hull starts.
    Case(
        _input((0, 0), (2, 0), (0, 2), (2, 2), (1, 1)),
        _report(*_SQUARE, area=8, diameter=8, farthest=((0, 0), (2, 2)), depths=[1, 1, 1, 1, 2]),
    ),
    Case(
        _input((1, 1), *_RING[::-1], keep_collinear=True),
        _report(*_RING, area=8, diameter=8, farthest=((0, 0), (2, 2)), depths=[2] + [1] * 8),
    ),
    Case(
        _input((1, 1), *_RING),
        _report(*_SQUARE, area=8, diameter=8, farthest=((0, 0), (2, 2)), depths=[2] + [1] * 8),
    ),
    Case(
        _input((0, 0), (6, 3), (0, 9), (0, 1), (0, 4), (2, 7), (4, 5), (4, 2), keep_collinear=True),
        _report(
            (0, 0),
            (4, 2),
            (6, 3),
            (4, 5),
            (2, 7),
            (0, 9),
            (0, 4),
            (0, 1),
            area=54,
            diameter=81,
            farthest=((0, 0), (0, 9)),
            depths=[1] * 8,
        ),
    ),
    Case(
        _input((0, 2), (3, 0), (0, -1)),
        _report(
            (0, -1),
            (3, 0),
            (0, 2),
            area=9,
            diameter=13,
            farthest=((0, 2), (3, 0)),
            depths=[1, 1, 1],
        ),
    ),
    # Ties of the diameter: the smallest p, then the smallest q.
    Case(
        _input((5, 0), (4, 3), (3, 4), (0, 0)),
        _report(
            (0, 0),
            (5, 0),
            (4, 3),
            (3, 4),
            area=22,
            diameter=25,
            farthest=((0, 0), (3, 4)),
            depths=[1] * 4,
        ),
    ),
    Case(
        _input((3, 0), (0, 0), (3, 3), (0, 3)),
        _report(
            (0, 0),
            (3, 0),
            (3, 3),
            (0, 3),
            area=18,
            diameter=18,
            farthest=((0, 0), (3, 3)),
            depths=[1] * 4,
        ),
    ),
    Case(
        _input((2, -4), (2, 6), (0, 1), (4, 1), (7, 1), (-3, 1)),
        _report(
            (-3, 1),
            (2, -4),
            (7, 1),
            (2, 6),
            area=100,
            diameter=100,
            farthest=((-3, 1), (7, 1)),
            depths=[1, 1, 2, 2, 1, 1],
        ),
    ),
    # Layers: points in the middle of edges go with their layer, and equal points with each other.
    Case(
        _input(
            (3, 3),
            (0, 0),
            (6, 6),
            (3, 0),
            (2, 2),
            (3, 2),
            (4, 4),
            (6, 0),
            (0, 6),
            (4, 2),
            (2, 4),
            (3, 3),
            (0, 0),
        ),
        _report(
            (0, 0),
            (6, 0),
            (6, 6),
            (0, 6),
            area=72,
            diameter=72,
            farthest=((0, 0), (6, 6)),
            depths=[3, 1, 1, 1, 2, 2, 2, 1, 1, 2, 2, 3, 1],
        ),
    ),
    Case(
        _input((1, 1), (0, 0), (2, 1), (4, 0), (3, 1), (2, 4), (2, 1)),
        _report(
            (0, 0),
            (4, 0),
            (2, 4),
            area=16,
            diameter=20,
            farthest=((0, 0), (2, 4)),
            depths=[2, 1, 2, 1, 2, 1, 2],
        ),
    ),
    Case(
        _input(*((x, y) for x in range(5) for y in range(5))),
        _report(
            (0, 0),
            (4, 0),
            (4, 4),
            (0, 4),
            area=32,
            diameter=32,
            farthest=((0, 0), (4, 4)),
            depths=[*[1] * 6, 2, 2, 2, 1, 1, 2, 3, 2, 1, 1, 2, 2, 2, *[1] * 6],
        ),
    ),
    # Sizes at which a double is no longer exact.
    Case(
        _input((_M, _M - 1), (-_M, -_M), (999_999, 999_998)),
        _report(
            (-_M, -_M),
            (999_999, 999_998),
            (_M, _M - 1),
            area=1,
            diameter=7_999_996_000_001,
            farthest=((-_M, -_M), (_M, _M - 1)),
            depths=[1, 1, 1],
        ),
    ),
    Case(
        _input((_M, -_M), (-_M, -_M), (-_M, _M), (_M, _M), (0, 0), keep_collinear=True),
        _report(
            (-_M, -_M),
            (_M, -_M),
            (_M, _M),
            (-_M, _M),
            area=8 * _M**2,
            diameter=8 * _M**2,
            farthest=((-_M, -_M), (_M, _M)),
            depths=[1, 1, 1, 1, 2],
        ),
    ),
    # No point.
    Case(_input(), error="no_points"),
    Case(_input(keep_collinear=False), error="no_points"),
)

FAMILY = Family(
    number=37,
    slug="convex-hull-layers",
    title="Convex hull, diameter and onion layers",
    category="geometry",
    difficulty=Difficulty.MEDIUM,
    summary=_SUMMARY,
    fields=(
        required(
            "points",
            Array(Fixed(Integer(-(10**6), 10**6), Integer(-(10**6), 10**6)), 0, 200),
            "The points, each as `[x, y]`.",
        ),
        optional("keep_collinear", Boolean(), False, "If true, `hull` has more than the corners."),
    ),
    result=_RESULT,
    errors=(ErrorCode("no_points", "`points` is empty."),),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        {
            "points": [[2, 1], [0, 0], [4, 0], [4, 4], [0, 4], [2, 0], [2, 2], [0, 0], [1, 1]],
            "keep_collinear": True,
        },
        {
            "hull": [[0, 0], [2, 0], [4, 0], [4, 4], [0, 4]],
            "twice_area": 32,
            "diameter_squared": 32,
            "farthest": [[0, 0], [4, 4]],
            "depths": [2, 1, 1, 1, 1, 1, 2, 1, 2],
            "layers": 2,
        },
    ),
    boundaries=_BOUNDARIES,
    examples=(
        Case(
            _input(
                (4, 4),
                (1, 0),
                (1, 2),
                (5, 0),
                (1, 4),
                (3, 2),
                (3, 2),
                (2, 2),
                (2, 1),
                keep_collinear=True,
            ),
            _report(
                (1, 0),
                (5, 0),
                (4, 4),
                (1, 4),
                (1, 2),
                area=28,
                diameter=32,
                farthest=((1, 4), (5, 0)),
                depths=[1, 1, 1, 1, 1, 2, 2, 2, 2],
            ),
        ),
        Case({"points": [], "name": "nothing"}, error="no_points"),
    ),
    malformed=(
        {"keep_collinear": True},
        {"points": None},
        {"points": {}},
        {"points": [1, 2]},
        {"points": [[1]]},
        {"points": [[1, 2, 3]]},
        {"points": [[1, 2], []]},
        {"points": [{"x": 1, "y": 2}]},
        {"points": [[1, 2.0]]},
        {"points": [[1.5, 2]]},
        {"points": [[True, 2]]},
        {"points": [["1", 2]]},
        {"points": [[1, None]]},
        {"points": [[1_000_001, 0]]},
        {"points": [[0, -1_000_001]]},
        {"points": [[0, 0]] * 201},
        {"points": [], "keep_collinear": None},
        {"points": [[0, 0]], "keep_collinear": 1},
        {"points": [[0, 0]], "keep_collinear": "true"},
    ),
)
