"""Segment intersections: where segments cross, touch or overlap, as exact fractions."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Fixed, Integer, Record, label, required

_SUMMARY = """\
Finds the common points of all pairs of segments, exactly. A segment is the straight line from its
end point `a` to its end point `b`; both belong to it. A pair that has common points is of one of
three kinds:

- `cross`: it has exactly one common point, which is an end point of neither segment.
- `touch`: it has exactly one common point, which is an end point of one or both segments.
- `overlap`: it has more than one common point. Then the common points are a segment too."""

_RESULT = """\
An object with these members:

- `pairs`: an array with one object for each pair of segments that has common points:
  `{"first": i, "second": j, "kind": k, "points": [...]}`. `first` is the `id` of the one that is
  earlier in `segments`, `second` the `id` of the other. `kind` is `"cross"`, `"touch"` or
  `"overlap"`. `points` holds the common point or, for `overlap`, the two end points of the common
  segment: smaller x first, and of equal x smaller y first, compared as numbers.
  The objects are in ascending order of the position of the first segment in `segments`, then of the
  position of the second.
- `distinct_points`: the number of different points in `points` of all `cross` and `touch` pairs.
- `counts`: the object `{"cross": n, "touch": n, "overlap": n}`, the number of pairs of each kind.

A point is an array `[x, y]` of two strings. Each is the fraction in lowest terms, written `n`, or
`n/d` with d > 1. The sign is in front; zero is `0`."""

_RULES = """\
- Nothing is approximate: segments that miss each other by however little have no common point.
- Two segments on one line that have only an end point in common `touch`. Equal segments `overlap`.
- It makes no difference which end of a segment is `a` and which is `b`.
- The points of `overlap` pairs do not count for `distinct_points`.
- Ids are compared exactly: `p` and `P` are different."""

_Point = tuple[Fraction, Fraction]
_Segment = tuple[_Point, _Point]


def _evaluate(fields: Mapping[str, Any]) -> Json:
    names = [segment["id"] for segment in fields["segments"]]
    segments = [(_point(s["a"]), _point(s["b"])) for s in fields["segments"]]
    if len(set(names)) < len(names):
        raise DomainError("duplicate_id")
    if any(a == b for a, b in segments):
        raise DomainError("zero_length")
    pairs: list[dict[str, Json]] = []
    single: set[_Point] = set()
    counts = {"cross": 0, "touch": 0, "overlap": 0}
    for (first, one), (second, other) in combinations(zip(names, segments, strict=True), 2):
        points = _common(one, other)
        if not points:
            continue
        kind = _kind(points, one, other)
        counts[kind] += 1
        if kind != "overlap":
            single.update(points)
        spelled = [[str(x), str(y)] for x, y in points]
        pairs.append({"first": first, "second": second, "kind": kind, "points": spelled})
    return {"pairs": pairs, "distinct_points": len(single), "counts": counts}


def _kind(points: list[_Point], one: _Segment, other: _Segment) -> str:
    if len(points) == 2:
        return "overlap"
    return "touch" if points[0] in (*one, *other) else "cross"


def _common(one: _Segment, other: _Segment) -> list[_Point]:
    """The common point of two segments, the ends of their common segment, or nothing."""
    (a, b), (c, d) = one, other
    along, across, apart = _minus(b, a), _minus(d, c), _minus(c, a)
    turn = _cross(along, across)
    if turn:
        s, t = _cross(apart, across) / turn, _cross(apart, along) / turn
        hit = 0 <= s <= 1 and 0 <= t <= 1
        return [(a[0] + s * along[0], a[1] + s * along[1])] if hit else []
    if _cross(along, apart):
        return []
    low, high = max(min(a, b), min(c, d)), min(max(a, b), max(c, d))
    return sorted({low, high}) if low <= high else []


def _point(xy: list[int]) -> _Point:
    return Fraction(xy[0]), Fraction(xy[1])


def _minus(p: _Point, q: _Point) -> _Point:
    return p[0] - q[0], p[1] - q[1]


def _cross(p: _Point, q: _Point) -> Fraction:
    return p[0] * q[1] - p[1] * q[0]


def _generate(rng: random.Random) -> dict[str, Json]:
    high, scale = rng.choice([(4, 1), (6, 1), (12, 1), (9, 1), (10, 100_000)])
    count = rng.choice([0, 1, 2, 4, 6, 8, 8])
    names = rng.sample(_IDS, count)
    segments: list[dict[str, Json]] = []
    for name in names:
        (x, y), (u, v) = _draw_segment(rng, high)
        ends = rng.sample([[x * scale, y * scale], [u * scale - (scale > 1), v * scale]], 2)
        segments.append({"id": name, "a": ends[0], "b": ends[1]})
    if count > 1 and rng.random() < 0.12:
        rng.choice(segments[1:])["id"] = names[0]
    if segments and rng.random() < 0.15:
        flat = rng.choice(segments)
        flat["b"] = list(flat["a"])
    return {"segments": segments}


def _draw_segment(rng: random.Random, high: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Two different points; often on a few lines, so that segments meet in several ways."""
    kind = rng.choice(["any", "any", "level", "upright", "slope"])
    low = -high // 2
    while True:
        x, y, u, v = (rng.randint(low, high + low) for _ in range(4))
        if kind == "level":
            y = v = rng.randint(0, 1)
        elif kind == "upright":
            x = u = rng.randint(0, 1)
        elif kind == "slope":
            y, v = x, u
        if (x, y) != (u, v):
            return (x, y), (u, v)


_IDS = (
    *("p", "q", "P", "1", "2", "10", "s-1", "é", "e\u0301", "線", "\U0001d4b3", "\U0001f4cf", " "),
    *("\u2028", "a", "b"),
)


def _input(**segments: tuple[int, int, int, int]) -> dict[str, Json]:
    """Segments by their ids, each as the coordinates of both ends."""
    return {
        "segments": [
            {"id": id_, "a": [x, y], "b": [u, v]} for id_, (x, y, u, v) in segments.items()
        ]
    }


def _report(distinct: int, *pairs: tuple[str, str, str]) -> Json:
    """A result in short: of each pair the ids, the kind and the coordinates, as text."""
    listed: list[dict[str, Json]] = []
    for ids, kind, text in pairs:
        (first, second), numbers = ids.split(), text.split()
        points = [numbers[at : at + 2] for at in range(0, len(numbers), 2)]
        listed.append({"first": first, "second": second, "kind": kind, "points": points})
    kinds = [pair["kind"] for pair in listed]
    counts = {kind: kinds.count(kind) for kind in ("cross", "touch", "overlap")}
    return {"pairs": listed, "distinct_points": distinct, "counts": counts}


_M = 1_000_000

_BOUNDARIES = (
    # Crossings, with fractions, on either side of zero, at the limits.
    Case(_input(é=(0, 0, 3, 1), f=(1, 1, 1, -1)), _report(1, ("é f", "cross", "1 1/3"))),
    Case(_input(a=(0, 0, -1, 1), b=(-1, 0, 0, 1)), _report(1, ("a b", "cross", "-1/2 1/2"))),
    Case(_input(a=(-5, 0, 5, 0), b=(0, 5, 0, -5)), _report(1, ("a b", "cross", "0 0"))),
    Case(
        _input(a=(-_M, -_M, _M, _M), b=(-_M, _M, _M, 1 - _M)),
        _report(1, ("a b", "cross", "1000000/3999999 1000000/3999999")),
    ),
    Case(
        _input(a=(-_M, -_M, _M, _M - 1), b=(999_999, 999_999, 999_999, -5)),
        _report(1, ("a b", "cross", "999999 1999996000001/2000000")),
    ),
    # Not quite: beside the end, parallel, on one line, less than a double shows.
    Case(_input(a=(-_M, -_M, _M, _M - 1), b=(999_999, 999_998, 999_999, -5)), _report(0)),
    Case(_input(a=(0, 0, 4, 4), b=(5, 0, 3, 2)), _report(0)),
    Case(_input(a=(0, 0, 2, 0), b=(3, 1, 3, -1)), _report(0)),
    Case(_input(a=(3, 1, 3, -1), b=(0, 0, 2, 0)), _report(0)),
    Case(_input(a=(0, 0, 4, 2), b=(0, 1, 4, 3)), _report(0)),
    Case(_input(a=(0, 0, 1, 1), b=(2, 2, 3, 3)), _report(0)),
    Case(_input(a=(0, 5, 0, 4), b=(0, 1, 0, 3)), _report(0)),
    # Touching: end on end, end on the middle, in either order.
    Case(
        _input(a=(0, 0, 4, 2), b=(2, 1, 2, 9), c=(2, 9, 7, 7)),
        _report(2, ("a b", "touch", "2 1"), ("b c", "touch", "2 9")),
    ),
    Case(
        _input(a=(3, 3, 3, 0), b=(0, 0, 6, 0), c=(6, 0, 6, -1)),
        _report(2, ("a b", "touch", "3 0"), ("b c", "touch", "6 0")),
    ),
    # On one line.
    Case(
        _input(a=(2, 2, 0, 0), b=(2, 2, 5, 5), c=(6, 6, 9, 9)),
        _report(1, ("a b", "touch", "2 2")),
    ),
    Case(_input(a=(2, 0, 10, 0), b=(11, 0, 9, 0)), _report(0, ("a b", "overlap", "9 0 10 0"))),
    Case(_input(a=(0, 10, 0, -2), b=(0, -1, 0, -11)), _report(0, ("a b", "overlap", "0 -2 0 -1"))),
    Case(_input(a=(9, 0, 0, 9), b=(6, 3, 1, 8)), _report(0, ("a b", "overlap", "1 8 6 3"))),
    Case(
        _input(a=(0, 0, 6, 4), b=(6, 4, 0, 0), c=(0, 0, 3, 2)),
        _report(
            0,
            ("a b", "overlap", "0 0 6 4"),
            ("a c", "overlap", "0 0 3 2"),
            ("b c", "overlap", "0 0 3 2"),
        ),
    ),
    # Different points: three pairs with one, one point as a crossing and as a touch, no overlaps.
    Case(
        _input(a=(0, 0, 2, 2), b=(0, 2, 2, 0), c=(1, 0, 1, 2)),
        _report(1, ("a b", "cross", "1 1"), ("a c", "cross", "1 1"), ("b c", "cross", "1 1")),
    ),
    Case(
        _input(a=(0, 0, 1, 2), b=(0, 1, 1, 1), c=(0, 2, 1, 0)),
        _report(1, ("a b", "cross", "1/2 1"), ("a c", "cross", "1/2 1"), ("b c", "cross", "1/2 1")),
    ),
    Case(
        _input(d=(1, 1, 5, 1), a=(0, 0, 2, 2), b=(0, 2, 2, 0), c=(3, 1, 9, 1), e=(1, 7, 3, 1)),
        _report(
            2,
            ("d a", "touch", "1 1"),
            ("d b", "touch", "1 1"),
            ("d c", "overlap", "3 1 5 1"),
            ("d e", "touch", "3 1"),
            ("a b", "cross", "1 1"),
            ("c e", "touch", "3 1"),
        ),
    ),
    # Nothing to compare, and ids that only look alike.
    Case(_input(), _report(0)),
    Case(_input(a=(0, 0, 1, 1)), _report(0)),
    Case(
        {
            "segments": [
                {"id": "é", "a": [0, 0], "b": [1, 0]},
                {"id": "e\u0301", "a": [0, 0], "b": [0, 1], "c": 1},
                {"id": "É", "a": [9, 9], "b": [9, 8]},
            ]
        },
        _report(1, ("é e\u0301", "touch", "0 0")),
    ),
    # Errors: ids first.
    Case(
        {
            "segments": [
                {"id": "a", "a": [0, 0], "b": [0, 0]},
                {"id": "a", "a": [0, 0], "b": [0, 1]},
            ]
        },
        error="duplicate_id",
    ),
    Case(
        {
            "segments": [
                {"id": "a", "a": [0, 0], "b": [0, 1]},
                {"id": "b", "a": [5, 5], "b": [5, 5]},
                {"id": "a", "a": [0, 0], "b": [0, 1]},
            ]
        },
        error="duplicate_id",
    ),
    Case(_input(a=(0, 0, 0, 0)), error="zero_length"),
    Case(_input(a=(0, 0, 4, 4), b=(2, 2, 2, 2), A=(0, 0, 4, 4)), error="zero_length"),
    # As close as integers can be: a cross product of -1, and one unit short of meeting.
    Case(_input(a=(0, 0, 0, 1), b=(0, 0, 1, 0)), _report(1, ("a b", "touch", "0 0"))),
    Case(_input(a=(0, 0, 1, 0), b=(0, 0, 0, 1)), _report(1, ("a b", "touch", "0 0"))),
    Case(_input(a=(1, -2, 2, -2), b=(1, -1, 1, 1)), _report(0)),
    Case(_input(a=(1, -1, 1, 1), b=(1, -2, 2, -2)), _report(0)),
)

_POINT = Fixed(Integer(-(10**6), 10**6), Integer(-(10**6), 10**6))

FAMILY = Family(
    number=38,
    slug="segment-intersections",
    title="Exact segment intersections",
    category="geometry",
    difficulty=Difficulty.MEDIUM,
    summary=_SUMMARY,
    fields=(
        required(
            "segments",
            Array(
                Record((required("id", label()), required("a", _POINT), required("b", _POINT))),
                0,
                60,
            ),
            "The segments. The end points `a` and `b` are written `[x, y]`.",
        ),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("duplicate_id", "Two segments have the same `id`."),
        ErrorCode("zero_length", "In a segment, `a` and `b` are the same point."),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        _input(p=(0, 0, 4, 2), q=(0, 3, 3, 0), r=(2, 1, 6, 3), s=(4, 2, 4, 5)),
        {
            "pairs": [
                {"first": "p", "second": "q", "kind": "cross", "points": [["2", "1"]]},
                {
                    "first": "p",
                    "second": "r",
                    "kind": "overlap",
                    "points": [["2", "1"], ["4", "2"]],
                },
                {"first": "p", "second": "s", "kind": "touch", "points": [["4", "2"]]},
                {"first": "q", "second": "r", "kind": "touch", "points": [["2", "1"]]},
                {"first": "r", "second": "s", "kind": "touch", "points": [["4", "2"]]},
            ],
            "distinct_points": 2,
            "counts": {"cross": 1, "touch": 3, "overlap": 1},
        },
    ),
    boundaries=_BOUNDARIES,
    examples=(
        Case(
            _input(k=(1, 1, -2, 0), m=(0, 3, 0, -1), n=(-5, -1, -2, 0), o=(4, 2, -5, -1)),
            _report(
                2,
                ("k m", "cross", "0 2/3"),
                ("k n", "touch", "-2 0"),
                ("k o", "overlap", "-2 0 1 1"),
                ("m o", "cross", "0 2/3"),
                ("n o", "overlap", "-5 -1 -2 0"),
            ),
        ),
        Case(_input(k=(1, 1, -2, 0), m=(3, 3, 3, 3)), error="zero_length"),
    ),
    malformed=(
        {},
        {"segments": None},
        {"segments": {}},
        {"segments": [[0, 0, 1, 1]]},
        {"segments": [{"a": [0, 0], "b": [1, 1]}]},
        {"segments": [{"id": "p", "a": [0, 0]}]},
        {"segments": [{"id": "p", "b": [0, 0]}]},
        {"segments": [{"id": "", "a": [0, 0], "b": [1, 1]}]},
        {"segments": [{"id": "p" * 41, "a": [0, 0], "b": [1, 1]}]},
        {"segments": [{"id": 1, "a": [0, 0], "b": [1, 1]}]},
        {"segments": [{"id": None, "a": [0, 0], "b": [1, 1]}]},
        {"segments": [{"id": "p", "a": [0, 0], "b": [1, 1.0]}]},
        {"segments": [{"id": "p", "a": [0, 0], "b": [1, 0.5]}]},
        {"segments": [{"id": "p", "a": [0, 0], "b": [1, True]}]},
        {"segments": [{"id": "p", "a": [0, 0], "b": [1, "1"]}]},
        {"segments": [{"id": "p", "a": [0, 0], "b": [1]}]},
        {"segments": [{"id": "p", "a": [0, 0], "b": [1, 1, 1]}]},
        {"segments": [{"id": "p", "a": {"x": 0, "y": 0}, "b": [1, 1]}]},
        {"segments": [{"id": "p", "a": [0, 0], "b": [1_000_001, 1]}]},
        {"segments": [{"id": "p", "a": [0, -1_000_001], "b": [1, 1]}]},
        {"segments": [{"id": "p", "a": None, "b": [1, 1]}]},
        {"segments": [{"id": "p", "a": [0, 0], "b": [1, 1]}] * 61},
    ),
)
