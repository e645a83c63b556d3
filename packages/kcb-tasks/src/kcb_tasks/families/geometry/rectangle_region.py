"""Rectangle region: what rectangles cover, less what others take away, measured exactly."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, product
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Fixed, Integer, optional, required

_SUMMARY = """\
Measures a region of the plane that is made of rectangles. The plane is divided into unit cells:
for all integers i and j, the cell (i, j) is the square with the corners (i, j) and (i + 1, j + 1).
The rectangle `[x1, y1, x2, y2]` contains the cells (i, j) with x1 <= i < x2 and y1 <= j < y2. The
region is the set of all cells that are in at least one rectangle of `add` and in no rectangle of
`subtract`.

Two cells are neighbours if they have an edge in common. A common corner is not enough. A component
of a set of cells is a part of the set that is as large as possible and in which one can go from
each cell to each other cell in steps from neighbour to neighbour, without leaving the part."""

_RESULT = """\
An object with these members. All numbers are integers, exact however large they get.

- `area`: the number of cells of the region.
- `perimeter`: the number of pairs of neighbours of which one is in the region and one is not.
- `components`: the number of components of the region.
- `holes`: the number of components of the set of all cells that are not in the region, the infinite
  one not counted.
- `bbox`: the array `[x1, y1, x2, y2]` of the smallest rectangle that contains the region, or `null`
  if the region is empty."""

_RULES = """\
- Coordinates are large: do not visit the unit cells one by one. Divide the plane at the coordinates
  that occur in `add` and `subtract`, and treat each of these larger rectangles as a whole.
- The order of the rectangles has no effect, nor has it an effect to give one twice. `subtract`
  always wins over `add`.
- An empty region has area, perimeter, components and holes 0."""

_Cell = tuple[int, int]
"""A rectangle between neighbouring coordinates, by their indices."""


def _evaluate(fields: Mapping[str, Any]) -> Json:
    add, subtract = fields["add"], fields["subtract"]
    if any(x1 >= x2 or y1 >= y2 for x1, y1, x2, y2 in add + subtract):
        raise DomainError("bad_rect")
    xs = sorted({x for x1, _, x2, _ in add + subtract for x in (x1, x2)})
    ys = sorted({y for _, y1, _, y2 in add + subtract for y in (y1, y2)})
    region = _cells(add, xs, ys) - _cells(subtract, xs, ys)
    widths = [right - left for left, right in pairwise(xs)]
    heights = [top - bottom for bottom, top in pairwise(ys)]
    around = product(range(-1, len(xs)), range(-1, len(ys)))
    return {
        "area": sum(widths[i] * heights[j] for i, j in region),
        "perimeter": sum(
            heights[j] if i != k else widths[i]
            for i, j in region
            for k, m in _neighbours((i, j))
            if (k, m) not in region
        ),
        "components": _components(region),
        "holes": _components(set(around) - region) - 1,
        "bbox": _bbox(region, xs, ys) if region else None,
    }


def _cells(rects: Iterable[Sequence[int]], xs: list[int], ys: list[int]) -> set[_Cell]:
    columns = {x: index for index, x in enumerate(xs)}
    rows = {y: index for index, y in enumerate(ys)}
    cells: set[_Cell] = set()
    for x1, y1, x2, y2 in rects:
        cells.update(product(range(columns[x1], columns[x2]), range(rows[y1], rows[y2])))
    return cells


def _neighbours(cell: _Cell) -> Iterator[_Cell]:
    i, j = cell
    yield from ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1))


def _components(cells: Iterable[_Cell]) -> int:
    left = set(cells)
    count = 0
    while left:
        count += 1
        reached = [left.pop()]
        while reached:
            fresh = left.intersection(_neighbours(reached.pop()))
            left -= fresh
            reached += fresh
    return count


def _bbox(region: Iterable[_Cell], xs: list[int], ys: list[int]) -> list[int]:
    columns, rows = zip(*region, strict=True)
    return [xs[min(columns)], ys[min(rows)], xs[max(columns) + 1], ys[max(rows) + 1]]


def _generate(rng: random.Random) -> dict[str, Json]:
    size = rng.choice([4, 6, 9, 12])
    scale = rng.choice([1, 1, 1, 1, 10**9 // (size + 1)])
    kind = rng.choice(["any", "any", "holed", "holed", "cells"])
    most = 2 if kind == "cells" else size
    add = [_draw_rect(rng, size, most) for _ in range(rng.choice([0, 1, 2, 3, 5, 8, 8]))]
    subtract = [_draw_rect(rng, size, most // 2) for _ in range(rng.choice([0, 0, 1, 3, 6]))]
    if kind == "holed":
        add.append([-1, -1, size + 1, size + 1])
        subtract += [_draw_rect(rng, size, 2) for _ in range(rng.randint(2, 5))]
    if (add or subtract) and rng.random() < 0.24:
        bad = rng.choice(add + subtract)
        flat, axis = rng.random() < 0.5, rng.randint(0, 1)
        bad[axis], bad[axis + 2] = bad[axis + 2], bad[axis + 2] if flat else bad[axis]
    for rect in add + subtract:
        rect[:] = [coordinate * scale for coordinate in rect]
    drawn: dict[str, Json] = {"add": add}
    return {**drawn, "subtract": subtract} if subtract or rng.random() < 0.5 else drawn


def _draw_rect(rng: random.Random, size: int, most: int) -> list[int]:
    """A rectangle within a square, with sides of at most this length."""
    width, height = rng.randint(1, max(1, most)), rng.randint(1, max(1, most))
    x, y = rng.randint(0, size - width), rng.randint(0, size - height)
    return [x, y, x + width, y + height]


_Rect = tuple[int, int, int, int]


def _input(*add: _Rect, subtract: Sequence[_Rect] = ()) -> dict[str, Json]:
    drawn: dict[str, Json] = {"add": [list(rect) for rect in add]}
    return {**drawn, "subtract": [list(rect) for rect in subtract]} if subtract else drawn


def _report(
    area: int, perimeter: int, components: int, holes: int, bbox: _Rect | None = None
) -> Json:
    return {
        "area": area,
        "perimeter": perimeter,
        "components": components,
        "holes": holes,
        "bbox": list(bbox) if bbox else None,
    }


_G = 1_000_000_000
_THREE = (0, 0, 3, 3)
_FIVE = (0, 0, 5, 5)
_TEN = (0, 0, 10, 10)

_BOUNDARIES = (
    # Nothing, or nothing left.
    Case(_input(), _report(0, 0, 0, 0)),
    Case(_input(subtract=[(0, 0, 1, 1)]), _report(0, 0, 0, 0)),
    Case(_input((0, 0, 2, 2), subtract=[(0, 0, 9, 9)]), _report(0, 0, 0, 0)),
    Case(
        _input((0, 0, 2, 2), subtract=[(0, 0, 1, 2), (1, 1, 2, 3), (1, -4, 3, 1)]),
        _report(0, 0, 0, 0),
    ),
    # One rectangle, overlapping ones, equal ones, neighbours, and some that meet in a corner.
    Case(_input((1, 2, 4, 6)), _report(12, 14, 1, 0, (1, 2, 4, 6))),
    Case(_input((-3, -2, -1, 0), (-3, -2, -1, 0)), _report(4, 8, 1, 0, (-3, -2, -1, 0))),
    Case(_input((0, 0, 2, 2), (1, 1, 3, 3)), _report(7, 12, 1, 0, (0, 0, 3, 3))),
    Case(_input((0, 0, 2, 1), (2, 0, 3, 5)), _report(7, 16, 1, 0, (0, 0, 3, 5))),
    Case(_input((0, 0, 1, 1), (1, 1, 2, 2)), _report(2, 8, 2, 0, (0, 0, 2, 2))),
    Case(_input((0, 1, 1, 2), (1, 0, 2, 1)), _report(2, 8, 2, 0, (0, 0, 2, 2))),
    Case(_input((0, 0, 1, 1), (5, 0, 6, 1)), _report(2, 8, 2, 0, (0, 0, 6, 1))),
    # Holes: closed, open at an edge, open only at a corner, between corners.
    Case(_input(_THREE, subtract=[(1, 1, 2, 2)]), _report(8, 16, 1, 1, _THREE)),
    Case(_input(_THREE, subtract=[(1, 1, 3, 2)]), _report(7, 16, 1, 0, _THREE)),
    Case(_input(_THREE, subtract=[(1, 1, 2, 2), (2, 2, 3, 3)]), _report(7, 16, 1, 1, _THREE)),
    Case(
        _input((1, 0, 2, 1), (0, 1, 1, 2), (2, 1, 3, 2), (1, 2, 2, 3)),
        _report(4, 16, 4, 1, _THREE),
    ),
    Case(
        _input((0, 0, 3, 1), (0, 2, 3, 3), (0, 0, 1, 3), (2, 0, 3, 3)),
        _report(8, 16, 1, 1, _THREE),
    ),
    # Two holes with a common edge are one, with a common corner two; overlapping ones are one.
    Case(_input(_FIVE, subtract=[(1, 1, 2, 2), (2, 1, 3, 4)]), _report(21, 30, 1, 1, _FIVE)),
    Case(_input(_FIVE, subtract=[(1, 1, 2, 2), (2, 2, 4, 4)]), _report(20, 32, 1, 2, _FIVE)),
    Case(_input(_TEN, subtract=[(2, 2, 5, 5), (4, 4, 8, 8)]), _report(76, 64, 1, 1, _TEN)),
    # An island in a hole; a hole in it; adding does not fill what is subtracted.
    Case(
        _input(_FIVE, subtract=[(1, 1, 4, 2), (1, 3, 4, 4), (1, 2, 2, 3), (3, 2, 4, 3)]),
        _report(17, 36, 2, 1, _FIVE),
    ),
    Case(
        _input((2, 2, 3, 3), _FIVE, (2, 1, 3, 4), subtract=[(1, 1, 4, 4)]),
        _report(16, 32, 1, 1, _FIVE),
    ),
    # Cut in parts, and cut off at the side.
    Case(_input(_FIVE, subtract=[(2, -1, 3, 6)]), _report(20, 28, 2, 0, _FIVE)),
    Case(
        _input(_TEN, subtract=[(0, 0, 3, 10), (20, 20, 30, 30)]),
        _report(70, 34, 1, 0, (3, 0, 10, 10)),
    ),
    Case(
        _input(_FIVE, (7, 7, 9, 9), subtract=[(-9, 4, 9, 9), (4, 0, 5, 1)]),
        _report(19, 18, 1, 0, (0, 0, 5, 4)),
    ),
    # Large coordinates, and numbers beyond what a double holds.
    Case(
        _input((-_G, 0, _G, 1), (5, 0, 6, 1), subtract=[(0, -5, 1, 5)]),
        _report(1_999_999_999, 4_000_000_002, 2, 0, (-_G, 0, _G, 1)),
    ),
    Case(
        _input((-_G, -_G, _G, _G), subtract=[(7, 7, 8, 8)]),
        _report(3_999_999_999_999_999_999, 8_000_000_004, 1, 1, (-_G, -_G, _G, _G)),
    ),
    Case(
        _input((-_G, -_G, 1 - _G, _G), (_G - 1, -_G, _G, _G)),
        _report(4 * _G, 8 * _G + 4, 2, 0, (-_G, -_G, _G, _G)),
    ),
    # Rectangles that are none, in either list, wherever they stand.
    Case(_input(subtract=[(0, 0, 0, 1)]), error="bad_rect"),
    Case(_input((0, 0, 1, 1), (0, 5, 1, 5)), error="bad_rect"),
    Case(_input((0, 0, 1, 1), (3, 0, 2, 1)), error="bad_rect"),
    Case(_input((0, 1, 1, 0)), error="bad_rect"),
    Case(_input((4, 4, 2, 2)), error="bad_rect"),
    Case(_input(_FIVE, subtract=[(1, 1, 2, 2), (0, 3, 2, 1)]), error="bad_rect"),
    Case(_input((5, 5, 5, 5), subtract=[_TEN]), error="bad_rect"),
)

_RECT = Fixed(*[Integer(-(10**9), 10**9)] * 4)

FAMILY = Family(
    number=39,
    slug="rectangle-region",
    title="Rectangle union measures",
    category="geometry",
    difficulty=Difficulty.MEDIUM,
    summary=_SUMMARY,
    fields=(
        required("add", Array(_RECT, 0, 40), "Rectangles, each as `[x1, y1, x2, y2]`."),
        optional("subtract", Array(_RECT, 0, 40), [], "Rectangles, written in the same way."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode(
            "bad_rect",
            "In a rectangle of `add` or `subtract`, x1 is not less than x2, or y1 is not less than "
            "y2.",
        ),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        {
            "add": [[0, 0, 10, 10], [10, 10, 12, 11], [8, -2, 9, 3]],
            "subtract": [[2, 2, 5, 4], [5, 4, 7, 6]],
        },
        {"area": 94, "perimeter": 68, "components": 2, "holes": 2, "bbox": [0, -2, 12, 11]},
    ),
    boundaries=_BOUNDARIES,
    examples=(
        Case(
            _input(
                (0, 0, 6, 5),
                (6, 5, 7, 7),
                (8, 1, 9, 2),
                subtract=[(1, 1, 3, 2), (3, 2, 4, 4), (8, 0, 12, 9)],
            ),
            _report(28, 40, 2, 2, (0, 0, 7, 7)),
        ),
        Case(_input((0, 0, 4, 4), subtract=[(1, 1, 3, 1)]), error="bad_rect"),
    ),
    malformed=(
        {"subtract": [[0, 0, 1, 1]]},
        {"add": None},
        {"add": {}},
        {"add": [0, 0, 1, 1]},
        {"add": [[0, 0, 1]]},
        {"add": [[0, 0, 1, 1, 1]]},
        {"add": [[[0, 0], [1, 1]]]},
        {"add": [[0, 0, 1, 1.0]]},
        {"add": [[0, 0, 0.5, 1]]},
        {"add": [[0, 0, 1, True]]},
        {"add": [[0, 0, "1", 1]]},
        {"add": [[None, 0, 1, 1]]},
        {"add": [{"x1": 0, "y1": 0, "x2": 1, "y2": 1}]},
        {"add": [[0, 0, 1, 1_000_000_001]]},
        {"add": [[-1_000_000_001, 0, 1, 1]]},
        {"add": [[0, 0, 1, 1]] * 41},
        {"add": [], "subtract": None},
        {"add": [[0, 0, 1, 1]], "subtract": [[]]},
        {"add": [[1, 1, 0, 0]], "subtract": [[0, 0, 1, False]]},
        {"add": [], "subtract": "none"},
    ),
)
