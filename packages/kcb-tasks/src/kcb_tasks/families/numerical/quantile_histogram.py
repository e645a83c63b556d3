"""Quantiles and histograms of integers, with mean, median and modes, all exact."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Choice, Integer, Nullable, Record, optional, rational, required

_SUMMARY = """\
Summarises a list of integers exactly, without rounding. Let n be the number of `values`, and
s[0], ..., s[n-1] the values in ascending order, equal ones repeated.

**Quantiles.** The quantile q depends on `method`:

- `nearest`: let k be q * n, rounded up to an integer; if this is 0, let k be 1. The quantile is
  s[k-1].
- `linear`: let p be q * (n - 1), and i the floor of p, the greatest integer that is not above it.
  If p is an integer, the quantile is s[i]. Otherwise it is s[i] + (p - i) * (s[i+1] - s[i]).

**Histogram.** If `bins` is not `null`, it has `count` bins in a row, numbered from 0. A value v is
in bin i if `start + i * width` <= v < `start + (i + 1) * width`. The last bin also contains its
right edge, the value `start + count * width`."""

_RESULT = """\
An object with these members. A fraction is a string: the number in lowest terms, `n`, or `n/d` with
d > 1, the sign in front, zero is `0`.

- `count`: n, an integer.
- `mean`: the sum of the values divided by n, a fraction.
- `median`: the quantile 1/2 by the method `linear`, whatever `method` is; a fraction.
- `modes`: an array of integers: all different values that occur most often, ascending.
- `quantiles`: an array of fractions: the quantile for each element of the field `quantiles`, in the
  same order.
- `histogram`: `null` if `bins` is `null`. Otherwise an object
  `{"counts": [...], "below": b, "above": a}`: the number of values in each bin in the order of the
  bins, the number of values less than `start`, and the number of values greater than the right
  edge of the last bin."""

_RULES = """\
- If all values are different, all of them are modes.
- A value on the edge between two bins is in the one on the right.
- `quantiles` may be empty and may repeat a number; then its result is repeated.
- `bins` may have other members. They are ignored."""

_HALF = Fraction(1, 2)


def _evaluate(fields: Mapping[str, Any]) -> Json:
    values = sorted(fields["values"])
    if not values:
        raise DomainError("empty_values")
    asked = [Fraction(text) for text in fields["quantiles"]]
    if any(not 0 <= q <= 1 for q in asked):
        raise DomainError("bad_quantile")
    quantile = _nearest if fields["method"] == "nearest" else _linear
    counts = Counter(values)
    highest = max(counts.values())
    return {
        "count": len(values),
        "mean": str(Fraction(sum(values), len(values))),
        "median": str(_linear(values, _HALF)),
        "modes": [value for value, times in counts.items() if times == highest],
        "quantiles": [str(quantile(values, q)) for q in asked],
        "histogram": None if fields["bins"] is None else _histogram(values, fields["bins"]),
    }


def _nearest(values: Sequence[int], q: Fraction) -> Fraction:
    return Fraction(values[max(1, math.ceil(q * len(values))) - 1])


def _linear(values: Sequence[int], q: Fraction) -> Fraction:
    position = q * (len(values) - 1)
    index = math.floor(position)
    here, behind = values[index], values[min(index + 1, len(values) - 1)]
    return here + (position - index) * (behind - here)


def _histogram(values: Sequence[int], bins: Mapping[str, int]) -> Json:
    start, width, size = bins["start"], bins["width"], bins["count"]
    edge = start + size * width
    counts = [0] * size
    for value in values:
        if start <= value <= edge:
            counts[min((value - start) // width, size - 1)] += 1
    return {
        "counts": counts,
        "below": sum(value < start for value in values),
        "above": sum(value > edge for value in values),
    }


def _generate(rng: random.Random) -> dict[str, Json]:
    spread = rng.choice([2, 5, 5, 20, 20, 1_000, 10**12])
    size = 0 if rng.random() < 0.12 else rng.choice([1, 2, 3, 5, 6, 9, 20, 60])
    values: list[Json] = [rng.randint(-spread, spread) for _ in range(size)]
    drawn: dict[str, Json] = {"values": values}
    if rng.random() < 0.8:
        drawn["quantiles"] = _draw_quantiles(rng, size)
    if rng.random() < 0.7:
        drawn["method"] = rng.choice(["nearest", "nearest", "linear"])
    if rng.random() < 0.7:
        width = rng.choice([1, 2, 3, max(1, spread // 3), max(1, spread // 2)])
        start = rng.choice([0, *values, -spread, rng.randint(-spread, spread)])
        count = rng.choice([1, 2, 3, 4, 6])
        drawn["bins"] = {"start": start, "width": width, "count": count}
    elif rng.random() < 0.3:
        drawn["bins"] = None
    return drawn


def _draw_quantiles(rng: random.Random, size: int) -> list[Json]:
    """Many of them where k or p is an integer, or nearly so."""
    parts = rng.choice([2, 3, 10, max(1, size), max(1, size - 1), 100])
    texts: list[Json] = [f"{rng.randint(0, parts)}/{parts}" for _ in range(rng.randint(0, 6))]
    if rng.random() < 0.4:
        texts.append(rng.choice(["0", "1", "-0", "2/2", "0/3"]))
    if rng.random() < 0.3:
        texts.append(rng.choice(["333333333333333334/999999999999999999", "1/999999999999999999"]))
    if rng.random() < 0.18:
        wrong = rng.choice(["-1/9", "3/2", "2", "-1", "1000000000000000/999999999999999"])
        texts.insert(rng.randint(0, len(texts)), wrong)
    return texts


def _bins(start: int, width: int, count: int) -> dict[str, Json]:
    return {"start": start, "width": width, "count": count}


def _counted(below: int, *counts: int, above: int) -> dict[str, Json]:
    """A histogram, from left to right."""
    return {"counts": list(counts), "below": below, "above": above}


def _case(
    values: list[Json],
    mean: str,
    median: str,
    modes: list[Json],
    quantiles: str,
    histogram: Json = None,
    *,
    asked: str | None = None,
    **more: Json,
) -> Case:
    """A case with a result; quantiles are one text here, with spaces between them."""
    fields = more if asked is None else {**more, "quantiles": [*asked.split()]}
    return Case(
        {"values": values, **fields},
        {
            "count": len(values),
            "mean": mean,
            "median": median,
            "modes": modes,
            "quantiles": [*quantiles.split()],
            "histogram": histogram,
        },
    )


_LARGE = 10**12

_BOUNDARIES = (
    # The method nearest: up to the next position, exactly; never between two values.
    _case(
        *([3, -1], "1", "1", [-1, 3], "-1 3 3"),
        method="nearest",
        asked="1/2 51/100 2/2",
    ),
    _case(
        *([4, 2, 1, 3], "5/2", "5/2", [1, 2, 3, 4], "1 1 2 2 3 4 4"),
        method="nearest",
        asked="0 1/4 26/100 1/2 3/4 76/100 1",
    ),
    _case([1, 2], "3/2", "3/2", [1, 2], "1 1 2", method="nearest"),
    _case(
        *([10, 30, 20], "20", "20", [10, 20, 30], "10 20 10"),
        method="nearest",
        asked="333333333333333333/999999999999999999 333333333333333334/999999999999999999 -0",
    ),
    # The method linear.
    _case([1, 2], "3/2", "3/2", [1, 2], "1 4/3 3/2 2", asked="0/7 1/3 1/2 1"),
    _case([3, -5], "-1", "-1", [-5, 3], "-3 -7/3 1", asked="1/4 1/3 3/4"),
    _case([5], "5", "5", [5], "5 5 5"),
    _case([2, 9, 2, 5, 7], "5", "5", [2], "2 5 7", method="linear"),
    _case([1, 2, 4, 8], "15/4", "3", [1, 2, 4, 8], "7/4 3 5"),
    _case([0, 1], "1/2", "1/2", [0, 1], "1/999999999999999999", asked="1/999999999999999999"),
    _case([8, 6], "7", "7", [6, 8], "8 6 8 7", asked="1 0 1 2/4"),
    _case([8, 6], "7", "7", [6, 8], "", asked=""),
    # Numbers that a double does not hold, and sums that cancel.
    _case(
        *([_LARGE, -_LARGE, _LARGE - 1], "333333333333", "999999999999"),
        *([-_LARGE, _LARGE - 1, _LARGE], "-1/2 1999999999999/2"),
        asked="1/4 3/4",
    ),
    _case(
        *([_LARGE, 1, -_LARGE], "1/3", "1", [-_LARGE, 1, _LARGE]),
        "-999999999998/3",
        asked="1/3",
    ),
    _case([-1, -2], "-3/2", "-3/2", [-2, -1], "-2 -1", asked="0 1"),
    # Modes: ties, ascending.
    _case([2, 1, 2, 1, 3], "9/5", "2", [1, 2], "1 2 2"),
    _case([0, -7, 0, -7], "-7/2", "-7/2", [-7, 0], "-7 -7/2 0"),
    # Bins: both edges, the edge between two, one bin, none of the values.
    _case(
        *([-1, 0, 9, 10, 20, 30, 31], "99/7", "10", [-1, 0, 9, 10, 20, 30, 31], ""),
        _counted(1, 2, 1, 2, above=1),
        asked="",
        bins=_bins(0, 10, 3),
    ),
    _case(
        *([-6, -5, -4, -3, -1, 0], "-19/6", "-7/2", [-6, -5, -4, -3, -1, 0], ""),
        _counted(1, 2, 2, above=1),
        asked="",
        bins=_bins(-5, 2, 2),
    ),
    _case(
        *([4, 5, 6, 7], "11/2", "11/2", [4, 5, 6, 7], ""),
        _counted(1, 2, above=1),
        asked="",
        bins=_bins(5, 1, 1),
    ),
    _case(
        *([3, 3], "3", "3", [3], "3"),
        _counted(0, 0, 0, above=2),
        asked="1/2",
        bins=_bins(0, 1, 2),
    ),
    _case(
        *([_LARGE], "1000000000000", "1000000000000", [_LARGE], "1000000000000"),
        _counted(0, 1, above=0),
        asked="1",
        bins=_bins(0, _LARGE, 1),
    ),
    _case([3], "3", "3", [3], "3", _counted(0, 1, above=0), asked="0", bins=_bins(3, 5, 1)),
    _case(
        *([3], "3", "3", [3], "3", _counted(1, 0, 0, above=0)),
        asked="0",
        bins={**_bins(4, 5, 2), "color": None},
    ),
    _case([1, 4], "5/2", "5/2", [1, 4], "7/4 5/2 13/4", bins=None),
    # Errors, and which of the two comes first.
    Case({"values": [], "quantiles": ["2"]}, error="empty_values"),
    Case({"values": [], "bins": _bins(0, 1, 1)}, error="empty_values"),
    Case({"values": [1], "quantiles": ["-1/9"]}, error="bad_quantile"),
    Case({"values": [1], "quantiles": ["1/2", "10/9"], "method": "nearest"}, error="bad_quantile"),
    Case(
        {"values": [1, 2], "quantiles": ["999999999999999999/999999999999999998"]},
        error="bad_quantile",
    ),
)

FAMILY = Family(
    number=18,
    slug="quantile-histogram",
    title="Exact quantiles and histogram",
    category="numerical",
    difficulty=Difficulty.STRAIGHTFORWARD,
    summary=_SUMMARY,
    fields=(
        required("values", Array(Integer(-_LARGE, _LARGE), 0, 2_000), "The integers."),
        optional(
            "quantiles",
            Array(rational(), 0, 50),
            ["1/4", "1/2", "3/4"],
            "Which quantiles are wanted.",
        ),
        optional("method", Choice("nearest", "linear"), "linear", "How a quantile is found."),
        optional(
            "bins",
            Nullable(
                Record(
                    (
                        required("start", Integer(-_LARGE, _LARGE)),
                        required("width", Integer(1, _LARGE)),
                        required("count", Integer(1, 200)),
                    )
                )
            ),
            None,
            "The left edge of the first bin, the width of each bin, and the number of bins. "
            "`bins` itself may be `null`; its members may not.",
        ),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("empty_values", "`values` is empty."),
        ErrorCode("bad_quantile", "An element of `quantiles` is less than 0 or greater than 1."),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=_case(
        *([7, 1, 4, 4, 10], "26/5", "4", [4], "1 4 44/5"),
        _counted(1, 2, 2, above=0),
        asked="0 1/3 9/10",
        bins=_bins(2, 4, 2),
    ),
    boundaries=_BOUNDARIES,
    examples=(
        _case(
            *([6, -3, 6, 0, 12, -3], "3", "3", [-3, 6], "-3 0 6"),
            _counted(2, 1, 3, above=0),
            method="nearest",
            asked="1/3 17/50 5/6",
            bins=_bins(0, 6, 2),
        ),
        Case({"values": [4, 2], "quantiles": ["3/4", "5/4"]}, error="bad_quantile"),
    ),
    malformed=(
        {"values": None},
        {"values": "1 2 3"},
        {"values": {}},
        {"values": [1, "2"]},
        {"values": [1, 2.0]},
        {"values": [0.5]},
        {"values": [True]},
        {"values": [1, None]},
        {"values": [[1]]},
        {"values": [1_000_000_000_001]},
        {"values": [], "quantiles": "1/2"},
        {"values": [1], "quantiles": [0.5]},
        {"values": [1], "quantiles": [1]},
        {"values": [1], "quantiles": ["0.5"]},
        {"values": [1], "quantiles": ["1/0"]},
        {"values": [1], "quantiles": ["01/2"]},
        {"values": [1], "quantiles": ["1/2", "50%"]},
        {"values": [1], "quantiles": None},
        {"values": [1], "quantiles": ["1/2"] * 51},
        {"values": [1], "method": "Linear"},
        {"values": [1], "method": "midpoint"},
        {"values": [1], "method": None},
        {"values": [1], "bins": []},
        {"values": [1], "bins": {}},
        {"values": [1], "bins": {"start": 0, "width": 1}},
        {"values": [1], "bins": {"width": 1, "count": 1}},
        {"values": [1], "bins": {"start": 0, "width": 0, "count": 1}},
        {"values": [1], "bins": {"start": 0, "width": -1, "count": 1}},
        {"values": [1], "bins": {"start": 0, "width": 1, "count": 0}},
        {"values": [1], "bins": {"start": 0, "width": 1, "count": 201}},
        {"values": [1], "bins": {"start": False, "width": 1, "count": 1}},
        {"values": [1], "bins": {"start": 0, "width": 1.0, "count": 1}},
        {"values": [1], "bins": {"start": 0, "width": 1, "count": True}},
        {"values": [1], "bins": {"start": "0", "width": 1, "count": 1}},
        {"values": [1], "bins": {"start": None, "width": 1, "count": 1}},
    ),
)
