"""Polygon probe: area, centroid and extent of a polygon, and where points lie."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import gcd
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Fixed, Integer, optional, required

_SUMMARY = """\
Measures the closed line through `vertices` and tells where the points of `queries` lie. The
vertices are (x0, y0), (x1, y1) and so on. An edge is the straight segment from a vertex to the
next; the last vertex has an edge to the first. The line may cross or touch itself.

For the edge from (x, y) to (x', y'), let c = x * y' - x' * y. All sums below are over all edges.
All arithmetic is exact."""

_RESULT = """\
An object with these members:

- `twice_area`: the sum of c, an integer. It can be negative.
- `orientation`: `"ccw"` if `twice_area` is positive, `"cw"` if it is negative, `"zero"` if it is 0.
- `boundary_steps`: the sum of gcd(|x' - x|, |y' - y|), the greatest common divisor. An integer;
  gcd(n, 0) is n.
- `centroid`: the array `[cx, cy]` with
  cx = (sum of (x + x') * c) / (3 * `twice_area`) and cy = (sum of (y + y') * c) / (3 *
  `twice_area`). Both are strings: the fraction in lowest terms, written `n`, or `n/d` with d > 1.
  The sign is in front; zero is `0`. If `twice_area` is 0, `centroid` is `null`.
- `bbox`: the array `[min_x, min_y, max_x, max_y]` of the least and greatest coordinates of the
  vertices.
- `locations`: an array with one string for each point of `queries`, in the same order:
  - `"boundary"` if the point lies on an edge; its end points belong to the edge.
  - Otherwise take the ray from the point in the direction of growing x. Count the edges that meet
    the ray and of which exactly one end point has a y greater than that of the point. If the number
    is odd, it is `"inside"`, else `"outside"`."""

_RULES = """\
- Vertices that are equal but no neighbours are allowed.
- If all vertices lie on one line, `twice_area` is 0, and every point that is not on an edge is
  outside.
- A point that the line goes around twice is outside, since the count is even."""

_Point = tuple[int, int]
_Edge = tuple[_Point, _Point]


def _evaluate(fields: Mapping[str, Any]) -> Json:
    vertices: list[_Point] = [(x, y) for x, y in fields["vertices"]]
    if len(vertices) < 3:
        raise DomainError("too_few_vertices")
    edges = list(zip(vertices, [*vertices[1:], vertices[0]], strict=True))
    if any(start == end for start, end in edges):
        raise DomainError("repeated_vertex")
    twice_area = sum(_cross(edge) for edge in edges)
    xs, ys = zip(*vertices, strict=True)
    return {
        "twice_area": twice_area,
        "orientation": "zero" if not twice_area else "ccw" if twice_area > 0 else "cw",
        "boundary_steps": sum(gcd(x1 - x0, y1 - y0) for (x0, y0), (x1, y1) in edges),
        "centroid": _centroid(edges, 3 * twice_area) if twice_area else None,
        "bbox": [min(xs), min(ys), max(xs), max(ys)],
        "locations": [_location((x, y), edges) for x, y in fields["queries"]],
    }


def _cross(edge: _Edge) -> int:
    (x0, y0), (x1, y1) = edge
    return x0 * y1 - x1 * y0


def _centroid(edges: Iterable[_Edge], divisor: int) -> Json:
    moments = [((e[0][0] + e[1][0]) * _cross(e), (e[0][1] + e[1][1]) * _cross(e)) for e in edges]
    return [str(Fraction(sum(moment), divisor)) for moment in zip(*moments, strict=True)]


def _location(point: _Point, edges: Sequence[_Edge]) -> str:
    x, y = point
    crossings = 0
    for (x0, y0), (x1, y1) in edges:
        side = (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)  # positive if left of the edge
        within = min(x0, x1) <= x <= max(x0, x1) and min(y0, y1) <= y <= max(y0, y1)
        if side == 0 and within:
            return "boundary"
        if (y0 > y) != (y1 > y) and (side > 0) == (y1 > y0):
            crossings += 1
    return "inside" if crossings % 2 else "outside"


def _generate(rng: random.Random) -> dict[str, Json]:
    scale = rng.choice([1, 1, 1, 1, 90_001])
    vertices = _draw_vertices(rng)
    flaw = rng.random()
    if flaw < 0.09:
        vertices = vertices[: rng.randint(0, 2)]
    elif flaw < 0.22:
        at = rng.randrange(len(vertices))
        vertices.insert(at, vertices[rng.choice([at, at - 1])])
    points = vertices + [(rng.randint(-2, 8), rng.randint(-2, 8)) for _ in range(6)]
    queries: list[Json] = []
    for _ in range(rng.choice([0, 4, 8, 12])):
        (x, _), (_, y) = rng.choice(points), rng.choice(points)
        queries.append([x * scale + (scale > 1) * rng.randint(-1, 1), y * scale])
    drawn: dict[str, Json] = {"vertices": [[x * scale, y * scale] for x, y in vertices]}
    return {**drawn, "queries": queries} if queries or rng.random() < 0.5 else drawn


def _draw_vertices(rng: random.Random) -> list[_Point]:
    """Vertices on a small grid, no two neighbours equal."""
    kind = rng.choice(["any", "any", "steps", "steps", "line", "twice"])
    drawn: list[_Point] = [(rng.randint(-2, 8), rng.randint(-2, 8))]
    count = rng.randint(3, 9)
    while len(drawn) < count or drawn[-1] == drawn[0]:
        x, y = rng.randint(-2, 8), rng.randint(-2, 8)
        if kind == "steps" and rng.random() < 0.7:
            x, y = rng.choice([(drawn[-1][0], y), (x, drawn[-1][1])])
        if kind == "line":
            x, y = drawn[0][0] + (x - 3) // 2, drawn[0][1] - (x - 3) // 2
        if (x, y) != drawn[-1]:
            drawn.append((x, y))
    return drawn * 2 if kind == "twice" else drawn


def _input(*vertices: _Point, queries: Sequence[_Point] = ()) -> dict[str, Json]:
    drawn: dict[str, Json] = {"vertices": [list(vertex) for vertex in vertices]}
    return {**drawn, "queries": [list(query) for query in queries]} if queries else drawn


def _report(
    twice_area: int, steps: int, centroid: str | None, bbox: Sequence[int], locations: str = ""
) -> Json:
    """A result in short: ``b``, ``i`` and ``o`` stand for the locations."""
    names = {"b": "boundary", "i": "inside", "o": "outside"}
    return {
        "twice_area": twice_area,
        "orientation": "ccw" if twice_area > 0 else "cw" if twice_area < 0 else "zero",
        "boundary_steps": steps,
        "centroid": centroid.split() if centroid else None,
        "bbox": list(bbox),
        "locations": [names[location] for location in locations],
    }


_SQUARE = ((0, 0), (2, 0), (2, 2), (0, 2))
_NOTCHED = ((0, 0), (6, 0), (6, 4), (3, 1), (0, 4))
_STAR = ((0, 3), (2, -3), (-3, 1), (3, 1), (-2, -3))
_M = 1_000_000

_BOUNDARIES = (
    # Areas, steps and centroids: either orientation, crossing lines, area 0 with and without width.
    Case(
        _input((0, 0), (4, 4), (4, 0), (0, 4), queries=[(1, 2), (2, 1), (2, 2)]),
        _report(0, 16, None, (0, 0, 4, 4), "iob"),
    ),
    Case(
        _input((0, 0), (2, 2), (4, 0), (2, -2), queries=[(1, 0), (-1, 0), (5, 0)]),
        _report(-16, 8, "2 0", (0, -2, 4, 2), "ioo"),
    ),
    Case(_input((0, 0), (0, 3), (1, 0)), _report(-3, 5, "1/3 1", (0, 0, 1, 3))),
    Case(_input((-1, -1), (-2, -1), (-1, -3)), _report(2, 4, "-4/3 -5/3", (-2, -3, -1, -1))),
    Case(
        _input(*_SQUARE, *_SQUARE, queries=[(1, 1), (2, 1), (3, 1)]),
        _report(16, 16, "1 1", (0, 0, 2, 2), "obo"),
    ),
    Case(
        _input(*_STAR, queries=[(0, 0), (0, 2), (0, 3), (-3, 0), (2, -3)]),
        _report(-32, 12, "0 -1/6", (-3, -3, 3, 3), "oibob"),
    ),
    Case(
        _input(
            (0, 0),
            (2, 1),
            (2, -1),
            (0, 0),
            (-2, 1),
            (-2, -1),
            queries=[(1, 0), (0, 0), (0, 1), (-1, 0), (-3, 0)],
        ),
        _report(0, 8, None, (-2, -1, 2, 1), "iboio"),
    ),
    Case(
        _input((-_M, -_M), (_M, -_M), (_M, _M), (-_M, _M)),
        _report(8 * _M**2, 8 * _M, "0 0", (-_M, -_M, _M, _M)),
    ),
    # Points on all vertices in turn, at their height and beside them.
    Case(
        _input(
            *_SQUARE,
            queries=[
                (0, 0),
                (1, 0),
                (3, 0),
                (-1, 0),
                (-1, 2),
                (1, 1),
                (0, 1),
                (3, 2),
                (1, 2),
                (1, 3),
            ],
        ),
        _report(8, 8, "1 1", (0, 0, 2, 2), "bboooibobo"),
    ),
    Case(
        _input(
            *_NOTCHED, queries=[(1, 1), (3, 1), (3, 2), (-1, 1), (-1, 4), (-1, 0), (5, 2), (5, 3)]
        ),
        _report(30, 20, "3 7/5", (0, 0, 6, 4), "ibooooib"),
    ),
    Case(
        _input(
            (0, 0),
            (4, 0),
            (4, 2),
            (2, 2),
            (2, 4),
            (0, 4),
            queries=[(1, 2), (-1, 2), (3, 2), (5, 2), (3, 3), (1, 4), (2, 2), (3, 1)],
        ),
        _report(24, 16, "5/3 5/3", (0, 0, 4, 4), "ioboobbi"),
    ),
    Case(
        _input(
            (0, 4),
            (4, 4),
            (4, 2),
            (2, 2),
            (2, 0),
            (0, 0),
            queries=[(1, 2), (-1, 2), (3, 2), (5, 2), (3, 1), (3, 3)],
        ),
        _report(-24, 16, "5/3 7/3", (0, 0, 4, 4), "iobooi"),
    ),
    # Everything on one line; an edge that goes forth and back.
    Case(
        _input((0, 0), (4, 4), (2, 2), queries=[(1, 1), (3, 3), (5, 5), (-1, -1), (1, 2), (3, 2)]),
        _report(0, 8, None, (0, 0, 4, 4), "bboooo"),
    ),
    Case(
        _input((0, 0), (5, 0), (2, 0), queries=[(3, 0), (6, 0), (-1, 0), (1, 1)]),
        _report(0, 10, None, (0, 0, 5, 0), "booo"),
    ),
    Case(
        _input((0, 0), (4, 0), (4, 4), (4, 0), queries=[(3, 1), (4, 3), (2, 0), (4, 5)]),
        _report(0, 16, None, (0, 0, 4, 4), "obbo"),
    ),
    # Very near an edge, but not on it.
    Case(
        _input(
            (-_M, -_M),
            (_M, _M - 1),
            (-_M, _M),
            queries=[(999_999, 999_998), (999_998, 999_998), (0, 0), (_M, _M - 1)],
        ),
        _report(4 * _M**2, 2_000_002, "-1000000/3 333333", (-_M, -_M, _M, _M), "oiib"),
    ),
    # Errors: the number of vertices first, then neighbours, the last and the first among them.
    Case({"vertices": []}, error="too_few_vertices"),
    Case(_input((0, 0), (1, 1), queries=[(0, 0)]), error="too_few_vertices"),
    Case(_input((0, 0), (0, 0)), error="too_few_vertices"),
    Case(_input((0, 0), (1, 0), (0, 0)), error="repeated_vertex"),
    Case(_input((0, 0), (1, 0), (1, 0), (0, 1)), error="repeated_vertex"),
    Case(_input((5, 5), (5, 5), (5, 5)), error="repeated_vertex"),
    # The smallest area that there is, in either orientation.
    Case(_input((0, 0), (1, 0), (0, 1)), _report(1, 3, "1/3 1/3", (0, 0, 1, 1))),
    Case(_input((0, 0), (0, 1), (1, 0)), _report(-1, 3, "1/3 1/3", (0, 0, 1, 1))),
)

_POINT = Fixed(Integer(-(10**6), 10**6), Integer(-(10**6), 10**6))

FAMILY = Family(
    number=36,
    slug="polygon-probe",
    title="Polygon area, centroid and point location",
    category="geometry",
    difficulty=Difficulty.STRAIGHTFORWARD,
    summary=_SUMMARY,
    fields=(
        required("vertices", Array(_POINT, 0, 200), "The vertices in order, each as `[x, y]`."),
        optional("queries", Array(_POINT, 0, 200), [], "Points to locate, each as `[x, y]`."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("too_few_vertices", "There are fewer than 3 vertices."),
        ErrorCode(
            "repeated_vertex",
            "Two neighbouring vertices are equal. The last and the first are neighbours too.",
        ),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        {
            "vertices": [[0, 0], [4, 0], [4, 3], [1, 3]],
            "queries": [[2, 3], [0, 3], [1, 2], [2, 1]],
        },
        {
            "twice_area": 21,
            "orientation": "ccw",
            "boundary_steps": 11,
            "centroid": ["47/21", "10/7"],
            "bbox": [0, 0, 4, 3],
            "locations": ["boundary", "outside", "inside", "inside"],
        },
    ),
    boundaries=_BOUNDARIES,
    examples=(
        Case(
            _input(
                (0, 2),
                (2, 0),
                (1, -2),
                (-2, 0),
                queries=[(-1, 0), (-3, 0), (-1, 1), (1, -1), (2, 0)],
            ),
            _report(-16, 6, "1/6 0", (-2, -2, 2, 2), "iobib"),
        ),
        Case(_input((3, 1), (0, 0), (5, 2), (3, 1)), error="repeated_vertex"),
    ),
    malformed=(
        {"queries": [[0, 0]]},
        {"vertices": None},
        {"vertices": [[0, 0], [1, 0], [0, 1, 2]]},
        {"vertices": [[0, 0], [1, 0], [0]]},
        {"vertices": [[0, 0], [1, 0], []]},
        {"vertices": [[0, 0], [1, 0], {"x": 0, "y": 1}]},
        {"vertices": [[0, 0], [1, 0], [0, 1.0]]},
        {"vertices": [[0, 0], [1, 0], [0, True]]},
        {"vertices": [[0, 0], [1, 0], ["0", 1]]},
        {"vertices": [[0, 0], [1, 0], [None, 1]]},
        {"vertices": [[0, 0], [1, 0], [0, 1_000_001]]},
        {"vertices": [[0, 0], [-1_000_001, 0], [0, 1]]},
        {"vertices": [0, 0, 1, 0, 0, 1]},
        {"vertices": [], "queries": [[0.5, 0]]},
        {"vertices": [[0, 0]] * 201},
        {"vertices": [[0, 0], [1, 0], [0, 1]], "queries": None},
        {"vertices": [[0, 0], [1, 0], [0, 1]], "queries": [0, 0]},
        {"vertices": [[0, 0], [1, 0], [0, 1]], "queries": [[0, 0], [0, 0, 0]]},
        {"vertices": [[0, 0], [1, 0], [0, 1]], "queries": [[0, False]]},
    ),
)
