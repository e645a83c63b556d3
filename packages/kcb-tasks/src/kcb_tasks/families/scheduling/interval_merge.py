"""Interval merge: unions of half-open intervals, the gaps between them and the peak load."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Boolean, Fixed, Integer, Nullable, optional, required

_SUMMARY = """\
Combines intervals of integers. Cell k is the stretch from k to k + 1. The interval `[start, end]`
covers the cells start, start + 1, ..., end - 1; so it does not cover the cell end.

If `window` is not `null`, first cut every interval to the window: of its cells only those stay that
`window` covers too. An interval that keeps no cell is dropped. All that follows is about the
intervals after this.

- Two intervals belong together if some cell is covered by both. If `merge_touching` is `true`, they
  also belong together if one ends where the other starts. All intervals that belong together,
  directly or through other intervals, are merged into one.
- The depth of a cell is the number of intervals that cover it.
- A run is a sequence of consecutive cells, as long as possible. It is written `[start, end]`, like
  an interval that covers the same cells."""

_RESULT = """\
An object with these members:

- `merged`: an array of the intervals after merging, `[start, end]` each, in ascending order.
- `covered`: the number of cells with a depth above 0.
- `gaps`: an array of all runs of cells with depth 0, in ascending order. Only some cells count
  here: with a window, those that it covers; without, those between the first and the last covered
  cell.
- `max_depth`: the largest depth of a cell.
- `peak`: the first run of cells whose depth is `max_depth`; `null` if no cell is covered."""

_RULES = """\
- Equal intervals count separately for the depth.
- A run goes on where one interval ends and another one starts, if the depth stays the same.
- `merge_touching` changes nothing but `merged`.
- If no cell is covered, `merged` is `[]`, `covered` and `max_depth` are 0, and `gaps` holds the
  whole window, or nothing without a window."""

_Interval = tuple[int, int]


class _Run(NamedTuple):
    """Consecutive cells of the same depth."""

    start: int
    end: int
    depth: int


def _evaluate(fields: Mapping[str, Any]) -> Json:
    window = fields["window"]
    if any(start >= end for start, end in fields["intervals"]):
        raise DomainError("bad_interval")
    if window is not None and window[0] >= window[1]:
        raise DomainError("bad_window")
    intervals = _cut(fields["intervals"], window)
    runs = _runs(intervals, window or [])
    max_depth = max((run.depth for run in runs), default=0)
    peaks = [[run.start, run.end] for run in runs if run.depth == max_depth > 0]
    return {
        "merged": _merged(intervals, fields["merge_touching"]),
        "covered": sum(run.end - run.start for run in runs if run.depth > 0),
        "gaps": [[run.start, run.end] for run in runs if run.depth == 0],
        "max_depth": max_depth,
        "peak": peaks[0] if peaks else None,
    }


def _cut(intervals: Sequence[Sequence[int]], window: Sequence[int] | None) -> list[_Interval]:
    """The intervals cut to the window, in ascending order."""
    if window is None:
        return sorted((start, end) for start, end in intervals)
    low, high = window
    inside = [(max(start, low), min(end, high)) for start, end in intervals]
    return sorted((start, end) for start, end in inside if start < end)


def _merged(intervals: Sequence[_Interval], touching: bool) -> list[list[int]]:
    merged: list[list[int]] = []
    for start, end in intervals:
        if merged and (start < merged[-1][1] or (touching and start == merged[-1][1])):
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return merged


def _runs(intervals: Sequence[_Interval], window: Sequence[int]) -> list[_Run]:
    """All runs of equal depth, in the window or from the first covered cell to the last."""
    change: Counter[int] = Counter()
    for start, end in intervals:
        change[start] += 1
        change[end] -= 1
    runs: list[_Run] = []
    depth = 0
    for start, end in pairwise(sorted({*change, *window})):
        depth += change[start]
        if runs and runs[-1].depth == depth:
            start = runs.pop().start
        runs.append(_Run(start, end, depth))
    return runs


def _generate(rng: random.Random) -> dict[str, Json]:
    size = rng.choice([8, 20, 20, 60, 1_000_000_000])
    intervals = [_draw_interval(rng, size) for _ in range(rng.choice([0, 1, 2, 4, 6, 9, 12]))]
    if intervals and rng.random() < 0.4:
        start, end = rng.choice(intervals)
        intervals += [[start, end], [end, min(end + 2, size + 1)]]
    rng.shuffle(intervals)
    drawn: dict[str, Json] = {"intervals": intervals}
    if rng.random() < 0.6:
        drawn["window"] = rng.choice([None, _draw_interval(rng, size), _draw_interval(rng, size)])
    if rng.random() < 0.6:
        drawn["merge_touching"] = rng.random() < 0.3
    fault = rng.random()
    if intervals and fault < 0.14:
        rng.choice(intervals).sort(reverse=True)
    if 0.1 < fault < 0.24:
        drawn["window"] = rng.choice([[3, 3], [size // 2, -1], [0, -size]])
    if 0.22 < fault < 0.3:
        drawn["intervals"] = [[start - size - 1, end - size - 1] for start, end in intervals]
    return _limited(drawn)


def _draw_interval(rng: random.Random, size: int) -> list[int]:
    start, end = sorted(rng.sample(range(-size // 4, size + 1), 2))
    return [start, min(end, start + rng.choice([1, 2, 3, 5, size]))]


def _limited(drawn: dict[str, Json]) -> dict[str, Json]:
    """The same with all intervals moved into the limits, where they may become empty."""
    drawn["intervals"] = [
        [max(-_LIMIT, min(_LIMIT, point)) for point in interval] for interval in drawn["intervals"]
    ]
    return drawn


_LIMIT = 1_000_000_000


def _case(
    intervals: str,
    merged: str,
    gaps: str,
    numbers: tuple[int, int],
    peak: str,
    *,
    window: str = "",
    touching: bool = True,
) -> Case:
    """A case in short: intervals are written `1..4`; the numbers are `covered` and `max_depth`."""
    covered, max_depth = numbers
    result = {
        "merged": _intervals(merged),
        "covered": covered,
        "gaps": _intervals(gaps),
        "max_depth": max_depth,
        "peak": next(iter(_intervals(peak)), None),
    }
    return Case(_input(intervals, window, touching), result)


def _error(code: str, intervals: str, window: str = "", touching: bool = True) -> Case:
    return Case(_input(intervals, window, touching), error=code)


def _input(intervals: str, window: str, touching: bool) -> dict[str, Json]:
    fields: dict[str, Json] = {"intervals": _intervals(intervals)}
    if window:
        fields["window"] = None if window == "null" else _intervals(window)[0]
    if not touching:
        fields["merge_touching"] = False
    return fields


def _intervals(text: str) -> list[Json]:
    return [[int(point) for point in word.split("..")] for word in text.split()]


_BOUNDARIES = (
    _case("0..3 0..2 2..5", "0..5", "", (5, 2), "0..3"),
    _case("5..9", "", "0..5", (0, 0), "", window="0..5"),
    _case("", "", "", (0, 0), ""),
    # What is merged: a common cell always, a common end only if touching counts.
    _case("1..4 4..6", "1..6", "", (5, 1), "1..6"),
    _case("1..4 4..6", "1..4 4..6", "", (5, 1), "1..6", touching=False),
    _case("4..6 1..4 3..5", "1..6", "", (5, 2), "3..5", touching=False),
    _case("1..5 4..6", "1..6", "", (5, 2), "4..5", touching=False),
    _case("3..4 0..1 1..2", "0..1 1..2 3..4", "2..3", (3, 1), "0..2", touching=False),
    _case("3..4 0..1 1..2", "0..2 3..4", "2..3", (3, 1), "0..2"),
    _case("-3..-1 -1..2 2..3", "-3..3", "", (6, 1), "-3..3"),
    _case("0..10 2..3 4..5", "0..10", "", (10, 2), "2..3"),
    _case("10..12 0..9 3..4", "0..9 10..12", "9..10", (11, 2), "3..4"),
    # Equal intervals.
    _case("2..5 2..5 2..5", "2..5", "", (3, 3), "2..5", touching=False),
    _case("2..5 7..8 7..8 2..4 3..4", "2..5 7..8", "5..7", (4, 3), "3..4"),
    # The first peak, not the longest; it runs on where the depth stays.
    _case("0..2 1..3 5..8 6..9", "0..3 5..9", "3..5", (7, 2), "1..2"),
    _case("0..4 2..4 0..2", "0..4", "", (4, 2), "0..4"),
    _case("0..6 1..3 3..4 4..5 2..3 3..5", "0..6", "", (6, 3), "2..5"),
    _case("0..2 2..4 4..5 7..9", "0..5 7..9", "5..7", (7, 1), "0..5"),
    # Windows: cut, dropped, gaps at the edges; the depth is counted after the cut.
    _case("-5..2 3..20", "0..2 3..10", "2..3", (9, 1), "0..2", window="0..10"),
    _case("2..3", "2..3", "0..2 3..5", (1, 1), "2..3", window="0..5"),
    _case("0..2 8..9 5..6 2..2000", "2..8", "", (6, 2), "5..6", window="2..8"),
    _case("0..2 8..9 5..6", "5..6", "2..5 6..8", (1, 1), "5..6", window="2..8"),
    _case("0..4 2..6", "3..6", "6..10", (3, 2), "3..4", window="3..10"),
    _case("0..9 0..9 1..3", "4..5", "", (1, 2), "4..5", window="4..5"),
    _case("0..3 3..9", "2..3 3..4", "", (2, 1), "2..4", window="2..4", touching=False),
    _case("", "", "-3..4", (0, 0), "", window="-3..4"),
    _case("1..2", "1..2", "", (1, 1), "1..2", window="null"),
    _case("1..2 3..4", "1..2 3..4", "2..3", (2, 1), "1..2", window="1..4"),
    # Cells are counted, not walked through.
    _case(
        "-1000000000..1000000000",
        "-1000000000..1000000000",
        "",
        (2_000_000_000, 1),
        "-1000000000..1000000000",
    ),
    _case(
        "999999999..1000000000 -1000000000..-999999999",
        "-1000000000..-999999999 999999999..1000000000",
        "-999999999..999999999",
        (2, 1),
        "-1000000000..-999999999",
    ),
    # Errors, and which of them comes first; they look at the intervals before the cut.
    _error("bad_interval", "1..1", window="2..1"),
    _error("bad_window", "", window="2..2"),
    _error("bad_interval", "0..3 5..4"),
    _error("bad_interval", "0..3 50..50 4..5", window="0..10", touching=False),
    _error("bad_interval", "50..40", window="0..10"),
    _error("bad_window", "0..3", window="3..0"),
    # The last merged interval is the one that grows, and it grows only to what is farther.
    _case("0..1 5..20 6..7", "0..1 5..20", "1..5", (16, 2), "6..7"),
)

FAMILY = Family(
    number=26,
    slug="interval-merge",
    title="Interval merge, gaps and peak load",
    category="scheduling",
    difficulty=Difficulty.STRAIGHTFORWARD,
    summary=_SUMMARY,
    fields=(
        required(
            "intervals",
            Array(Fixed(Integer(-_LIMIT, _LIMIT), Integer(-_LIMIT, _LIMIT)), 0, 500),
            "The intervals.",
        ),
        optional(
            "window",
            Nullable(Fixed(Integer(-_LIMIT, _LIMIT), Integer(-_LIMIT, _LIMIT))),
            None,
            "The interval that counts, or `null` for no window.",
        ),
        optional(
            "merge_touching", Boolean(), True, "Whether intervals that only touch are merged."
        ),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("bad_interval", "An interval in `intervals`, before any cut, has start >= end."),
        ErrorCode("bad_window", "`window` is not `null` and has start >= end."),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=_case(
        "1..4 6..9 4..6 8..12 20..22 2..4",
        "1..4 4..6 6..12 20..21",
        "0..1 12..20",
        (12, 2),
        "2..4",
        window="0..21",
        touching=False,
    ),
    boundaries=_BOUNDARIES,
    examples=(
        _case(
            "9..14 2..5 -4..3 5..6 3..4 16..17 6..6000",
            "0..5 5..6 6..15",
            "",
            (15, 2),
            "2..4",
            window="0..15",
            touching=False,
        ),
        _error("bad_interval", "0..5 20..20", window="0..10"),
    ),
    malformed=(
        {"intervals": None},
        {"intervals": [1, 4]},
        {"intervals": [[1]]},
        {"intervals": [[1, 2, 3]]},
        {"intervals": [[1, 2], []]},
        {"intervals": [{"start": 1, "end": 2}]},
        {"intervals": [["1", "2"]]},
        {"intervals": ["1..2"]},
        {"intervals": [[1, 2.0]]},
        {"intervals": [[0.5, 2]]},
        {"intervals": [[False, True]]},
        {"intervals": [[0, None]]},
        {"intervals": [[0, 1_000_000_001]]},
        {"intervals": [[-1_000_000_001, 0]]},
        {"intervals": [[1, 1]], "window": [2]},
        {"intervals": [], "window": [0, 1, 2]},
        {"intervals": [], "window": []},
        {"intervals": [], "window": False},
        {"intervals": [], "window": [0, True]},
        {"intervals": [], "window": [0, 1_000_000_001]},
        {"intervals": [], "merge_touching": None},
        {"intervals": [], "merge_touching": "true"},
        {"intervals": [], "merge_touching": 1},
        {"window": [0, 1], "merge_touching": True},
    ),
)
