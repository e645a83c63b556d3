"""The families about geometry: conformance, invariants, and wrong variants that the cases catch."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction

import pytest
from wrong_families import Mistake, mistakes

from kcb_core.codec import Json
from kcb_core.family import Family, answer, generated_inputs
from kcb_core.testing.conformance import FamilyConformance
from kcb_tasks.families.geometry import (
    convex_hull_layers,
    convex_intersection,
    polygon_probe,
    rectangle_region,
    segment_intersections,
)

pytestmark = pytest.mark.families


class TestPolygonProbe(FamilyConformance):
    """What every family keeps."""

    family = polygon_probe.FAMILY


class TestConvexHullLayers(FamilyConformance):
    """What every family keeps."""

    family = convex_hull_layers.FAMILY


class TestSegmentIntersections(FamilyConformance):
    """What every family keeps."""

    family = segment_intersections.FAMILY


class TestRectangleRegion(FamilyConformance):
    """What every family keeps."""

    family = rectangle_region.FAMILY


class TestConvexIntersection(FamilyConformance):
    """What every family keeps."""

    family = convex_intersection.FAMILY


def _results(family: Family, count: int = 100) -> Iterator[tuple[dict[str, Json], Json]]:
    """Random inputs with a result, and the result."""
    found = 0
    for fields in generated_inputs(family, 4_242, 3 * count):
        given = answer(family, fields)
        if "result" in given and found < count:
            found += 1
            yield fields, given["result"]
    assert found == count


def _side(start: Sequence[Json], end: Sequence[Json], point: Sequence[Json]) -> Fraction:
    """Positive if a point is left of the line from start to end."""
    (x, y), (u, v), (p, q) = ([Fraction(n) for n in xy] for xy in (start, end, point))
    return (u - x) * (q - y) - (v - y) * (p - x)


def test_polygons_may_be_read_from_any_vertex_and_backwards() -> None:
    """Only the sign of the area tells the direction; Pick's theorem gives its parity."""
    rng = random.Random(36)
    for fields, result in _results(polygon_probe.FAMILY):
        vertices = fields["vertices"]
        turn = rng.randrange(len(vertices))
        turned = {**fields, "vertices": vertices[turn:] + vertices[:turn]}
        assert answer(polygon_probe.FAMILY, turned)["result"] == result
        back = answer(polygon_probe.FAMILY, {**fields, "vertices": vertices[::-1]})["result"]
        names = {"ccw": "cw", "cw": "ccw", "zero": "zero"}
        flipped = {
            "twice_area": -result["twice_area"],
            "orientation": names[result["orientation"]],
        }
        assert back == {**result, **flipped}
        assert (result["twice_area"] - result["boundary_steps"]) % 2 == 0


def test_hulls_hold_all_points_in_any_order() -> None:
    """A hull has everything on its left, and no use for the order of the points."""
    rng = random.Random(37)
    for fields, result in _results(convex_hull_layers.FAMILY):
        hull, points = result["hull"], fields["points"]
        for start, end in zip(hull, hull[1:] + hull[:1], strict=True):
            if len(hull) > 2 and result["twice_area"]:
                assert all(_side(start, end, point) >= 0 for point in points)
        other = {**fields, "keep_collinear": not fields.get("keep_collinear", False)}
        changed = answer(convex_hull_layers.FAMILY, other)["result"]
        assert {**changed, "hull": hull} == result
        order = rng.sample(range(len(points)), len(points))
        shuffled = {**fields, "points": [points[at] for at in order]}
        depths = [result["depths"][at] for at in order]
        assert answer(convex_hull_layers.FAMILY, shuffled)["result"] == {**result, "depths": depths}


def test_common_points_lie_on_both_segments() -> None:
    """Exact points satisfy both equations, and no segment has a direction."""
    for fields, result in _results(segment_intersections.FAMILY):
        ends = {segment["id"]: (segment["a"], segment["b"]) for segment in fields["segments"]}
        for pair in result["pairs"]:
            for a, b in (ends[pair["first"]], ends[pair["second"]]):
                for point in pair["points"]:
                    assert _side(a, b, point) == 0
                    for p, q, value in zip(a, b, point, strict=True):
                        assert min(p, q) <= Fraction(value) <= max(p, q)
        swapped = [{**s, "a": s["b"], "b": s["a"]} for s in fields["segments"]]
        again = answer(segment_intersections.FAMILY, {"segments": swapped})["result"]
        assert again == result


def _area(add: list[Json], subtract: list[Json]) -> int:
    given = answer(rectangle_region.FAMILY, {"add": add, "subtract": subtract})
    return int(given["result"]["area"])


def test_regions_may_be_moved_and_areas_add_up() -> None:
    """Only the extent tells where a region is; a subtraction removes an intersection."""
    for fields, result in _results(rectangle_region.FAMILY):
        add, subtract = fields["add"], fields.get("subtract", [])
        moved = [[[x - 7, y + 3, u - 7, v + 3] for x, y, u, v in r] for r in (add, subtract)]
        if all(-(10**9) <= n <= 10**9 for rects in moved for rect in rects for n in rect):
            there = answer(rectangle_region.FAMILY, dict(zip(fields, moved, strict=False)))
            box = result["bbox"]
            shifted = box and [box[0] - 7, box[1] + 3, box[2] - 7, box[3] + 3]
            assert there["result"] == {**result, "bbox": shifted}
        assert _area(add + subtract, []) == _area(subtract, []) + result["area"]
        assert result["perimeter"] % 2 == 0


def test_intersections_do_not_prefer_one_polygon() -> None:
    """What is common to A and B is common to B and A, and lies in both."""
    names = {"a_in_b": "b_in_a", "b_in_a": "a_in_b"}
    for fields, result in _results(convex_intersection.FAMILY):
        a, b = fields["a"], fields["b"]
        exchanged = answer(convex_intersection.FAMILY, {"a": b, "b": a})["result"]
        assert exchanged == {
            **result,
            "relation": names.get(result["relation"], result["relation"]),
            "area_a": result["area_b"],
            "area_b": result["area_a"],
        }
        area, area_a, area_b, union = (
            Fraction(result[name]) for name in ("area", "area_a", "area_b", "union_area")
        )
        assert union == area_a + area_b - area
        for polygon in (a, b):
            edges = list(zip(polygon, polygon[1:] + polygon[:1], strict=True))
            turn = _side(polygon[0], polygon[1], polygon[2])
            for vertex in result["vertices"]:
                assert all(_side(start, end, vertex) * turn >= 0 for start, end in edges)


_HALF_OPEN = "if (y0 > y) != (y1 > y) and (side > 0) == (y1 > y0):"
_LAYER = "[p for p in ascending if any(not _cross(*edge, p) for edge in edges)]"
_PERIMETER = "if (k, m) not in region"
_HULL = '_along_boundary(corners, layers[0]) if fields["keep_collinear"] else corners'
_NEIGHBOURS = "yield from ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1))"

_WRONG = {
    polygon_probe: [
        ("if len(vertices) < 3:", "if len(vertices) < 2:"),
        ("if len(vertices) < 3:", "if len(set(vertices)) < 3:"),
        ("if len(vertices) < 3:", "if len(vertices) < 3 and len(set(vertices)) > 1:"),
        ("for start, end in edges):", "for start, end in edges[:-1]):"),
        ("any(start == end for start, end in edges)", "len(set(vertices)) < len(vertices)"),
        ('twice_area,\n        "orientation": "z', 'abs(twice_area),\n        "orientation": "z'),
        ('"ccw" if twice_area > 0 else "cw",', '"cw" if twice_area > 0 else "ccw",'),
        ("gcd(x1 - x0, y1 - y0)", "1"),
        ("gcd(x1 - x0, y1 - y0)", "max(abs(x1 - x0), abs(y1 - y0))"),
        ('in edges),\n        "centroid"', 'in edges[:-1]),\n        "centroid"'),
        ("_centroid(edges, 3 * twice_area)", "_centroid(edges, 3 * abs(twice_area))"),
        ("_centroid(edges, 3 * twice_area)", "_centroid(edges, 6 * twice_area)"),
        ("str(Fraction(sum(moment), divisor))", "str(Fraction(sum(moment) / divisor))"),
        (
            "[str(Fraction(sum(moment), divisor)) for moment in zip(*moments, strict=True)]",
            "[str(Fraction(sum(e[0][k] for e in edges), len(list(edges)))) for k in (0, 1)]",
        ),
        ("if side == 0 and within:", "if abs(side) <= 1 and within:"),
        ("if side == 0 and within:", "if side == 0:"),
        ("if side == 0 and within:", "if False:"),
        ("if side == 0 and within:", "if (x, y) in ((x0, y0), (x1, y1)):"),
        (" and min(y0, y1) <= y <= max(y0, y1)", ""),
        (_HALF_OPEN, "if (y0 - y) * (y1 - y) <= 0 and (side > 0) == (y1 > y0):"),
        (_HALF_OPEN, "if (y0 - y) * (y1 - y) < 0 and (side > 0) == (y1 > y0):"),
        (_HALF_OPEN, "if (y0 > y) != (y1 > y):"),
        (
            'crossings += 1\n    return "inside" if crossings % 2',
            'crossings += 1 if y1 > y0 else -1\n    return "inside" if crossings',
        ),
        ('if crossings % 2 else "outside"', 'if crossings else "outside"'),
    ],
    convex_hull_layers: [
        ("point) <= 0:", "point) < 0:"),
        (_LAYER, "_corners(ascending)"),
        ("max(pairs, key", "max(pairs[::-1], key"),
        ("max(pairs, key", "max([p[::-1] for p in pairs], key"),
        ("max(pairs, key", "max(sorted(pairs, key=lambda p: p[::-1]), key"),
        ("combinations(distinct, 2)", "combinations(points, 2)"),
        (
            "sum(_cross(corners[0], p, q) for p, q in pairwise(corners))",
            "sum(_cross(corners[0], p, q) for p, q in pairwise(corners)) // 2",
        ),
        ("(p[1] - q[1]) ** 2)", "abs(p[1] - q[1]))"),
        ("enumerate(layers, 1)", "enumerate(layers)"),
        ("[depths[point] for point in points]", "[depths[point] for point in distinct]"),
        ("reverse=end < start", "reverse=False"),
        ("if len(corners) < 3:\n        return list(layer)", "if False:\n        return []"),
        (_HULL, "corners"),
        (_HULL, "_along_boundary(corners, layers[0])"),
        (_HULL, '[p for p in distinct if p in layers[0]] if fields["keep_collinear"] else corners'),
        ('in hull],\n        "twice_area": sum', 'in hull[::-1]],\n        "twice_area": sum'),
        (
            'in hull],\n        "twice_area": sum',
            'in hull[:1] + hull[:0:-1]],\n        "twice_area": sum',
        ),
        ("distinct = sorted(set(points))", "distinct = sorted(set(points), key=lambda p: p[::-1])"),
        ("if not points:", "if len(points) < 2:"),
        ("len(layers),", "len(layers) - (len(layers[-1]) == 1 < len(layers)),"),
    ],
    segment_intersections: [
        ("if len(set(names)) < len(names):", "if len({n.lower() for n in names}) < len(names):"),
        ("if len(set(names)) < len(names):", "if False:"),
        (
            "if len(set(names)) < len(names):",
            "if len(set(names)) < len(names) and all(a != b for a, b in segments):",
        ),
        ("if any(a == b for a, b in segments):", "if False:"),
        ("0 <= s <= 1 and 0 <= t <= 1", "0 < s < 1 and 0 < t < 1"),
        ("0 <= s <= 1 and 0 <= t <= 1", "0 <= s <= 1"),
        ("0 <= s <= 1 and 0 <= t <= 1", "-1e-9 <= s <= 1 + 1e-9 and -1e-9 <= t <= 1 + 1e-9"),
        (
            "(a[0] + s * along[0], a[1] + s * along[1])",
            "(Fraction(float(a[0] + s * along[0])), Fraction(float(a[1] + s * along[1])))",
        ),
        ("if points[0] in (*one, *other)", "if points[0] in one"),
        ("if points[0] in (*one, *other)", "if points[0] in one and points[0] in other"),
        ("if _cross(along, apart):\n        return []", ""),
        ("if low <= high else []", "if low < high else []"),
        ("sorted({low, high})", "[low, high]"),
        ("sorted({low, high})", "sorted({low, high}, key=lambda p: (str(p[0]), str(p[1])))"),
        ("sorted({low, high})", "sorted({low, high}, reverse=True)"),
        ("max(min(a, b), min(c, d)), min(max(a, b), max(c, d))", "max(a, c), min(b, d)"),
        ('if kind != "overlap":', "if True:"),
        ('if kind != "overlap":', 'if kind == "cross":'),
        ("len(single)", 'counts["cross"] + counts["touch"]'),
        (
            "combinations(zip(names, segments, strict=True), 2)",
            "combinations(sorted(zip(names, segments, strict=True)), 2)",
        ),
        ('"pairs": pairs', '"pairs": sorted(pairs, key=lambda p: p["kind"])'),
    ],
    rectangle_region: [
        ("x1 >= x2 or y1 >= y2 for", "x1 > x2 or y1 > y2 for"),
        ("x1 >= x2 or y1 >= y2 for", "x1 >= x2 and y1 >= y2 for"),
        ("for x1, y1, x2, y2 in add + subtract):", "for x1, y1, x2, y2 in add):"),
        (
            "region = _cells(add, xs, ys) - _cells(subtract, xs, ys)",
            "region = _cells(add, xs, ys) ^ _cells(subtract, xs, ys)",
        ),
        (
            "sum(widths[i] * heights[j] for i, j in region)",
            "sum((c - a) * (d - b) for a, b, c, d in add)",
        ),
        (
            "sum(widths[i] * heights[j] for i, j in region)",
            "int(sum(float(widths[i] * heights[j]) for i, j in region))",
        ),
        ("heights[j] if i != k else widths[i]", "widths[i] if i != k else heights[j]"),
        ("heights[j] if i != k else widths[i]", "1"),
        (_PERIMETER, "if (k, m) not in region and (k in (-1, len(xs) - 1) or m < 0)"),
        (_PERIMETER, ""),
        (_NEIGHBOURS, "yield from ((i - 1, j), (i + 1, j))"),
        (
            "left.intersection(_neighbours(reached.pop()))",
            "{(i + k, j + m) for i, j in [reached.pop()] for k in (-1, 0, 1) for m in (-1, 0, 1)}"
            " & left",
        ),
        ('"components": _components(region)', '"components": len(region)'),
        ("_components(set(around) - region) - 1", "_components(set(around) - region)"),
        ("_components(set(around) - region) - 1", "len(subtract)"),
        (
            "product(range(-1, len(xs)), range(-1, len(ys)))",
            "product(range(len(xs) - 1), range(len(ys) - 1))",
        ),
        ("_bbox(region, xs, ys) if region", "_bbox(_cells(add, xs, ys), xs, ys) if region"),
        ("ys[max(rows) + 1]", "ys[max(rows)]"),
    ],
    convex_intersection: [
        ('for name in "ab"):\n        raise', 'for name in "a"):\n        raise'),
        ("if any(len(fields[name]) < 3", "if any(len({*map(tuple, fields[name])}) < 3"),
        ("if here >= 0:", "if here > 0:"),
        ("if k not in (i, (i + 1) % len(vertices))", "if k == (i + 2) % len(vertices)"),
        ("all(side > 0 for side in sides)", "all(side >= 0 for side in sides)"),
        ("if all(side < 0 for side in sides):", "if False:"),
        ("return vertices[::-1]", "return vertices"),
        ('return "touch" if corners else "disjoint"', 'return "disjoint"'),
        ('"equal" if area == area_b else "a_in_b"', '"a_in_b"'),
        (
            "    if area == area_a:\n        return",
            "    if area == area_a and corners == 4:\n        return",
        ),
        ('return "b_in_a" if area == area_b else "overlap"', 'return "overlap"'),
        ("return doubled / 2", "return doubled"),
        ("str(area_a + area_b - area)", "str(area_a + area_b)"),
        ("[[str(x), str(y)] for x, y in corners]", "[[str(x), str(y)] for x, y in common]"),
        (
            "[[str(x), str(y)] for x, y in corners]",
            "[[str(x), str(y)] for x, y in sorted(corners)]",
        ),
        (
            "[[str(x), str(y)] for x, y in corners]",
            "[[str(x), str(y)] for x, y in corners[:1] + corners[:0:-1]]",
        ),
        ("part = here / (here - there)", "part = Fraction(float(here / (here - there)))"),
        (
            "ascending = sorted(set(points))",
            "ascending = sorted(set(points), key=lambda p: p[::-1])",
        ),
        ("if corners < 3:", "if corners < 3 or area < Fraction(1, 100):"),
        ("if here >= 0:", "if here >= -2:"),
    ],
}

MISTAKES = mistakes(_WRONG)


@pytest.mark.parametrize("mistake", MISTAKES, ids=str)
def test_mistakes_are_caught(mistake: Mistake) -> None:
    """Golden case, boundaries and 24 drawn inputs tell a plausible mistake from the rules."""
    assert mistake.is_caught()
