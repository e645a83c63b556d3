"""Table pivot: records grouped into rows and columns, the values of each cell aggregated."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import (
    AnyOf,
    Array,
    Boolean,
    Choice,
    Integer,
    Mapped,
    Nullable,
    Text,
    label,
    optional,
    required,
)

_SUMMARY = """\
Makes a pivot table of `records`. `index`, `column` and `value` are names of members of the records.

- The row key of a record is the array of the values of its `index` members, in the order of
  `index`. Its column key is the value of its `column` member. Values are equal if type and content
  are equal: `1` and `"1"` are different.
- The table has one row for each different row key, and one column for each different column key.
- A record whose `value` member is an integer gives this number. A record whose `value` member is
  missing or `null` gives no number, but it has its row and its column too.
- The numbers of a cell are those of the records with its row key and its column key, in the order
  of `records`. They are made into one value, as `agg` says:
  - `sum`, `min`, `max`: the sum, the smallest, the greatest of the numbers;
  - `count`: how many numbers there are;
  - `first`, `last`: the first, the last of the numbers;
  - `mean`: the exact mean, as a string: the fraction in lowest terms, written `n`, or `n/d` with
    d > 1. The sign is in front; zero is `0`.

  Without numbers, the value is `fill`, for every `agg`."""

_RESULT = """\
An object with these members:

- `columns`: an array of the column keys in ascending order.
- `rows`: an array of objects `{"key": [...], "cells": [...], "total": t}`, one for each row, in
  ascending order of the row key. `key` is the row key; `cells` are the values of the cells of this
  row, one for each column, in the order of `columns`.
- `column_totals`: an array of the totals of the columns, in the order of `columns`.
- `grand_total`: the total of the table.

A total is the value that `agg` (or `fill`) makes of all numbers of the row, of the column or of the
table, in the order of `records`. All values are integers, but strings for `mean`, and `fill` as it
is given. If `totals` is false, each `total`, `column_totals` and `grand_total` are `null`.

Ascending order: integers before strings, integers by value, strings by code point. Row keys are
compared by their first elements; if these are equal, by the second ones, and so on."""

_RULES = """\
- Without records, `columns` and `rows` are `[]`; if `totals` is true, `column_totals` is `[]` and
  `grand_total` is `fill`.
- A total of `mean` is the mean of the numbers, not of the means."""

_Key: TypeAlias = str | int
_RowKey: TypeAlias = tuple[_Key, ...]
_Groups: TypeAlias = dict[tuple[_RowKey | None, _Key | None], list[int]]

_AGGREGATES: dict[str, Callable[[list[int]], Json]] = {
    "sum": sum,
    "count": len,
    "min": min,
    "max": max,
    "first": lambda numbers: numbers[0],
    "last": lambda numbers: numbers[-1],
    "mean": lambda numbers: str(Fraction(sum(numbers), len(numbers))),
}


def _evaluate(fields: Mapping[str, Any]) -> Json:
    records, index, column = fields["records"], fields["index"], fields["column"]
    _check(records, [*index, column], fields["value"])
    entries = [
        (tuple(record[name] for name in index), record[column], record.get(fields["value"]))
        for record in records
    ]
    rows = sorted({row for row, _, _ in entries}, key=lambda row: [_rank(key) for key in row])
    columns = sorted({key for _, key, _ in entries}, key=_rank)
    groups = _grouped(entries)

    def value(row: _RowKey | None, key: _Key | None) -> Json:
        numbers = groups.get((row, key))
        return _AGGREGATES[fields["agg"]](numbers) if numbers else fields["fill"]

    def total(row: _RowKey | None, key: _Key | None) -> Json:
        return value(row, key) if fields["totals"] else None

    return {
        "columns": columns,
        "rows": [
            {"key": list(row), "cells": [value(row, k) for k in columns], "total": total(row, None)}
            for row in rows
        ],
        "column_totals": [total(None, key) for key in columns] if fields["totals"] else None,
        "grand_total": total(None, None),
    }


def _grouped(entries: Sequence[tuple[_RowKey, _Key, int | None]]) -> _Groups:
    """The numbers of each cell and, where None stands for all, of rows, columns and the table."""
    groups: _Groups = {}
    for row, key, number in entries:
        if number is not None:
            for group in ((row, key), (row, None), (None, key), (None, None)):
                groups.setdefault(group, []).append(number)
    return groups


def _check(records: Sequence[Mapping[str, Json]], keys: Sequence[str], value: str) -> None:
    if len({*keys, value}) < len(keys) + 1:
        raise DomainError("repeated_field")
    if any(record.get(name) is None for record in records for name in keys):
        raise DomainError("missing_key")
    if any(isinstance(record.get(value), str) for record in records):
        raise DomainError("non_numeric_value")


def _rank(key: _Key) -> tuple[bool, _Key]:
    return isinstance(key, str), key


def _generate(rng: random.Random) -> dict[str, Json]:
    names = rng.sample(_NAMES, 5)
    index, column, value = names[: rng.choice([1, 1, 2, 2, 3])], names[3], names[4]
    keys = {name: rng.sample(_KEYS, rng.randint(1, 4)) for name in [*index, column]}
    records: list[dict[str, Json]] = []
    for _ in range(rng.choice([0, 1, 4, 8, 12, 20])):
        record = {name: rng.choice(choices) for name, choices in keys.items()}
        if rng.random() < 0.95:
            record[value] = rng.choice(_NUMBERS)
        if rng.random() < 0.2:
            record["other"] = rng.choice(["text", 5, None])
        records.append(record)
    chance = rng.random()
    if records and chance < 0.12:
        rng.choice(records)[value] = rng.choice(["", "5", "é"])
    if records and 0.1 < chance < 0.22:
        name = rng.choice([*index, column])
        rng.choice(records)[name] = None
        if rng.random() < 0.5:
            del rng.choice(records)[name]
    if chance > 0.92:
        column, value = rng.choice([(index[0], value), (column, column), (column, index[-1])])
    drawn: dict[str, Json] = {"records": records, "index": index, "column": column, "value": value}
    if rng.random() < 0.85:
        drawn["agg"] = rng.choice(["sum", "count", "min", "max", "mean", "mean", "first", "last"])
    if rng.random() < 0.4:
        drawn["fill"] = rng.choice([0, -1, None, 10**9])
    if rng.random() < 0.7:
        drawn["totals"] = rng.random() < 0.85
    return drawn


_NAMES = ("city", "year", "n", "City", "é", "e\u0301", "𝒳", " ", "0")

_KEYS = (1, "1", 2, 10, -3, 0, "", "10", "9", "a", "B", "é", "e\u0301", "ｚ", "𝒳", 10**9)

_NUMBERS = (0, 1, 1, 2, 3, -1, -2, 7, 10, 10**9, -(10**9), None, None)


def _table(
    columns: list[Json],
    rows: Sequence[tuple[list[Json], list[Json], Json]],
    column_totals: Json = None,
    grand_total: Json = None,
) -> Json:
    listed = [{"key": key, "cells": cells, "total": total} for key, cells, total in rows]
    return {
        "columns": columns,
        "rows": listed,
        "column_totals": column_totals,
        "grand_total": grand_total,
    }


def _abv(*records: tuple[Json, Json, Json], **options: Json) -> dict[str, Json]:
    """An input whose records have the members a, b and v, for row, column and value."""
    listed = [dict(zip("abv", record, strict=True)) for record in records]
    return {"records": listed, "index": ["a"], "column": "b", "value": "v", **options}


_SIX = ((1, 2, 5), (1, 1, 7), (2, 1, -4), (1, 2, 2), (2, 1, 9), (1, 1, None))

_BOUNDARIES = (
    # Keys: types count, integers come before strings, everything else by code point.
    Case(
        {
            "records": [{"a": "1", "b": "x"}, {"a": 1, "b": "é", "v": 5}],
            "index": ["a"],
            "column": "b",
            "value": "v",
            "fill": 0,
        },
        _table(["x", "é"], [([1], [0, 5], None), (["1"], [0, 0], None)]),
    ),
    Case(
        _abv(
            *(
                ("r", key, 1)
                for key in ("𝒳", "ｚ", "é", "e\u0301", "a", "B", "9", "10", "", 10, 9, -2)
            )
        ),
        _table(
            [-2, 9, 10, "", "10", "9", "B", "a", "e\u0301", "é", "ｚ", "𝒳"],
            [(["r"], [1] * 12, None)],
        ),
    ),
    Case(
        {
            "records": [
                {"x": "b", "y": 1, "c": 0, "v": 1},
                {"x": "a", "y": "1", "c": 0, "v": 2},
                {"x": "a", "y": 10, "c": 0, "v": 3},
                {"x": 7, "y": "z", "c": 0, "v": 4},
                {"x": "a", "y": 9, "c": 0, "v": 5},
            ],
            "index": ["x", "y"],
            "column": "c",
            "value": "v",
        },
        _table(
            [0],
            [
                ([7, "z"], [4], None),
                (["a", 9], [5], None),
                (["a", 10], [3], None),
                (["a", "1"], [2], None),
                (["b", 1], [1], None),
            ],
        ),
    ),
    Case(
        {
            "records": [{"x": 1, "y": 2, "c": "k", "v": 1}, {"x": 2, "y": 1, "c": "k", "v": 2}],
            "index": ["y", "x"],
            "column": "c",
            "value": "v",
        },
        _table(["k"], [([1, 2], [2], None), ([2, 1], [1], None)]),
    ),
    # Every aggregate, with totals over the numbers in the order of the records.
    Case(
        _abv(*_SIX, totals=True),
        _table([1, 2], [([1], [7, 7], 14), ([2], [5, None], 5)], [12, 7], 19),
    ),
    Case(
        _abv(*_SIX, agg="count", totals=True, fill=0),
        _table([1, 2], [([1], [1, 2], 3), ([2], [2, 0], 2)], [3, 2], 5),
    ),
    Case(
        _abv(*_SIX, agg="min", totals=True),
        _table([1, 2], [([1], [7, 2], 2), ([2], [-4, None], -4)], [-4, 2], -4),
    ),
    Case(
        _abv(*_SIX, agg="max", totals=True),
        _table([1, 2], [([1], [7, 5], 7), ([2], [9, None], 9)], [9, 5], 9),
    ),
    Case(
        _abv(*_SIX, agg="first", totals=True),
        _table([1, 2], [([1], [7, 5], 5), ([2], [-4, None], -4)], [7, 5], 5),
    ),
    Case(
        _abv(*_SIX, agg="last", totals=True),
        _table([1, 2], [([1], [7, 2], 2), ([2], [9, None], 9)], [9, 2], 9),
    ),
    Case(
        _abv(*_SIX, agg="mean", totals=True, fill=-1),
        _table(
            [1, 2], [([1], ["7", "7/2"], "14/3"), ([2], ["5/2", -1], "5/2")], ["4", "7/2"], "19/5"
        ),
    ),
    Case(
        _abv((1, 1, 5), (1, 1, 0), (1, 1, 5), agg="count", fill=7),
        _table([1], [([1], [3], None)]),
    ),
    # Means: signs, zero, lowest terms, exact.
    Case(
        _abv(
            ("p", 1, -1),
            ("p", 1, -2),
            ("q", 1, 4),
            ("q", 1, -4),
            ("r", 1, 10**9),
            ("r", 1, 10**9 - 1),
            ("s", 1, -6),
            ("s", 1, 0),
            ("s", 1, 0),
            ("s", 1, 2),
            agg="mean",
        ),
        _table(
            [1],
            [
                (["p"], ["-3/2"], None),
                (["q"], ["0"], None),
                (["r"], ["1999999999/2"], None),
                (["s"], ["-1"], None),
            ],
        ),
    ),
    # No numbers: fill for every aggregate and every total.
    Case(
        _abv(("p", 1, None), ("q", 2, 0), totals=True),
        _table([1, 2], [(["p"], [None, None], None), (["q"], [None, 0], 0)], [None, 0], 0),
    ),
    Case(
        _abv(("p", 1, None), agg="count", totals=True, fill=7),
        _table([1], [(["p"], [7], 7)], [7], 7),
    ),
    Case(
        _abv(("p", 1, None), agg="count", totals=True),
        _table([1], [(["p"], [None], None)], [None], None),
    ),
    Case(_abv(totals=True), _table([], [], [], None)),
    Case(_abv(totals=True, fill=3, agg="mean"), _table([], [], [], 3)),
    Case(_abv(fill=3), _table([], [])),
    # Other members do not matter.
    Case(
        {
            "records": [{"a": 1, "b": 2, "v": 3, "A": None, "V": "x"}, {"a": 1, "b": 2}],
            "index": ["a"],
            "column": "b",
            "value": "v",
            "agg": "last",
        },
        _table([2], [([1], [3], None)]),
    ),
    # Errors, each before the next one.
    Case(_abv(index=["a", "a"]), error="repeated_field"),
    Case(_abv(index=["c", "b"]), error="repeated_field"),
    Case(_abv(value="b"), error="repeated_field"),
    Case(_abv((None, 1, "x"), value="a"), error="repeated_field"),
    Case(_abv((None, 1, "x")), error="missing_key"),
    Case(_abv((1, None, 1)), error="missing_key"),
    Case(_abv((1, 1, 1), index=["a", "c"]), error="missing_key"),
    Case(_abv((1, 1, "x"), (1, 1, 1), (1, None, 1)), error="missing_key"),
    Case(_abv((1, 1, 1), index=["é"]), error="missing_key"),
    Case(_abv((1, 1, "x")), error="non_numeric_value"),
    Case(_abv((1, 1, 1), (2, 2, ""), agg="count"), error="non_numeric_value"),
    Case(_abv((0, "", "5")), error="non_numeric_value"),
)

_LIMIT = 10**9
_SCALAR = Nullable(AnyOf((Text(0, 100), Integer(-_LIMIT, _LIMIT))))

FAMILY = Family(
    number=8,
    slug="table-pivot",
    title="Pivot table",
    category="csv-json",
    difficulty=Difficulty.MEDIUM,
    summary=_SUMMARY,
    fields=(
        required("records", Array(Mapped(label(), _SCALAR, 50), 0, 500), "The records."),
        required("index", Array(label(), 1, 3), "The members that make the row key."),
        required("column", label(), "The member that makes the column key."),
        required("value", label(), "The member that gives the numbers."),
        optional(
            "agg",
            Choice("sum", "count", "min", "max", "mean", "first", "last"),
            "sum",
            "What is made of the numbers of a cell.",
        ),
        optional(
            "fill", Nullable(Integer(-_LIMIT, _LIMIT)), None, "The value where there is no number."
        ),
        optional("totals", Boolean(), False, "Whether totals are computed."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode(
            "repeated_field",
            "Two of the names in `index`, `column` and `value`, all taken together, are equal.",
        ),
        ErrorCode(
            "missing_key", "In a record, an `index` or `column` member is missing or `null`."
        ),
        ErrorCode("non_numeric_value", "In a record, the `value` member is a string."),
    ),
    precedence=(
        "The first error of this list that applies is the answer. Each is tested on all records "
        "before the next one is considered."
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        {
            "records": [
                {"city": "Ulm", "year": 2024, "n": 3},
                {"city": "Bonn", "year": 2023, "n": 4},
                {"city": "Ulm", "year": 2024, "n": 4},
                {"city": "Bonn", "year": 2024, "n": None},
                {"city": "Ulm", "year": 2023, "n": -2},
            ],
            "index": ["city"],
            "column": "year",
            "value": "n",
            "agg": "mean",
            "totals": True,
        },
        {
            "columns": [2023, 2024],
            "rows": [
                {"key": ["Bonn"], "cells": ["4", None], "total": "4"},
                {"key": ["Ulm"], "cells": ["-2", "7/2"], "total": "5/3"},
            ],
            "column_totals": ["1", "7/2"],
            "grand_total": "9/4",
        },
    ),
    boundaries=_BOUNDARIES,
    examples=(
        Case(
            {
                "records": [
                    {"shop": "Ulm", "kind": "b", "month": "10", "n": 3},
                    {"shop": "Ulm", "kind": "a", "month": 9, "n": 5},
                    {"shop": "Ulm", "kind": "b", "month": "10", "n": 4},
                    {"shop": "Bonn", "kind": "b", "month": 10, "note": "closed"},
                ],
                "index": ["kind", "shop"],
                "column": "month",
                "value": "n",
                "agg": "mean",
                "fill": 0,
                "totals": True,
            },
            _table(
                [9, 10, "10"],
                [
                    (["a", "Ulm"], ["5", 0, 0], "5"),
                    (["b", "Bonn"], [0, 0, 0], 0),
                    (["b", "Ulm"], [0, 0, "7/2"], "7/2"),
                ],
                ["5", 0, "7/2"],
                "4",
            ),
        ),
        Case(_abv((1, "x", "3"), (None, "x", 3)), error="missing_key"),
    ),
    malformed=(
        _abv((True, 1, 1)),
        _abv((1, 1, 1.0)),
        _abv((1, 1, 0.5)),
        _abv((1, 1, 1_000_000_001)),
        _abv((1, ["x"], 1)),
        _abv(("e\u0301" * 50 + "a", 1, 1)),
        {**_abv(), "records": [{"a": 1, "b": 1, "v": 1, "note": {}}]},
        {**_abv(), "records": [{"a": 1, "b": 1, "v": 1, "": 1}]},
        {**_abv(), "records": [{"a": 1, "b": 1, "v": 1, "n" * 41: 1}]},
        {**_abv(), "records": [{"a": 1, "b": 1, "v": 1, "note": False}]},
        {**_abv(), "records": [["a", "b", "v"]]},
        {**_abv(), "records": {"a": 1}},
        {**_abv(), "records": [{f"n{i}": i for i in range(51)}]},
        _abv((None, 1, 1), index="a"),
        _abv(index=[]),
        _abv(index=["a", "c", "d", "e"]),
        _abv(index=["a", None]),
        _abv(column=["b"]),
        _abv(column=""),
        _abv(value=None),
        _abv(agg="SUM"),
        _abv(agg="median"),
        _abv(agg=None),
        _abv(fill="0"),
        _abv(fill=False),
        _abv(fill=0.0),
        _abv(totals=1),
        _abv(totals=None),
    ),
)
