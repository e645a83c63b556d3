"""Rational matrix: row reduction, determinant, inverse and linear systems, all exact."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Choice, absentable, rational, required

_SUMMARY = """\
Exact linear algebra on a matrix of fractions. `matrix` is an array of rows. Rows and columns are
numbered from 0. `op` says what is computed:

- `rref`: the reduced row echelon form of the matrix, which is unique. In it, the first number that
  is not 0 in a row is the pivot of the row. Every pivot is 1, and it is the only number in its
  column that is not 0. The pivot of a lower row is further to the right. Rows of zeros are at the
  bottom.
- `det`: the determinant.
- `inverse`: the inverse matrix.
- `solve`: all vectors x with `matrix` · x = `rhs`. A column of `matrix` is free if it has no pivot
  in the reduced row echelon form of `matrix`; x has one element per column."""

_RESULT = """\
An object whose members depend on `op`. Every number of the matrix or of a vector is a string: the
fraction in lowest terms, written `n`, or `n/d` with d > 1. The sign is in front; zero is `0`.

- `rref`: `{"rows": [...], "pivots": [...], "rank": r}`. `rows` is the reduced matrix as an array of
  rows, with the same numbers of rows and columns as `matrix`. `pivots` is the array of the columns
  that have a pivot, integers in ascending order. `rank` is the number of pivots, an integer.
- `det`: `{"det": d}`.
- `inverse`: `{"rows": [...]}`, the inverse matrix as an array of rows.
- `solve`: `{"kind": k, "solution": s, "basis": [...]}`. There are three kinds:
  - No x exists: `kind` is `"none"`, `solution` is `null`, `basis` is `[]`.
  - Exactly one x exists: `kind` is `"unique"`, `solution` is x as an array, `basis` is `[]`.
  - More than one exists: `kind` is `"infinite"`. `solution` is the x whose elements in all free
    columns are 0. `basis` has one vector v for each free column f, in ascending order of f:
    the one with `matrix` · v = 0 whose element f is 1 and whose elements in all other free columns
    are 0."""

_RULES = """\
- All arithmetic is exact.
- `det`, `inverse` and `rref` ignore `rhs`. But if it is there, it must be valid; its length need
  not fit.
- A matrix of zeros has rank 0 and no pivots. `solve` with a `rhs` of zeros then gives `"infinite"`,
  a solution of zeros, and the unit vectors as basis.
- If the determinant is 0, `det` gives `0`. Only `inverse` has the error `singular`."""

_Vector = list[Fraction]
_Matrix = list[_Vector]


def _evaluate(fields: Mapping[str, Any]) -> Json:
    op, rhs = fields["op"], fields.get("rhs")
    matrix = [_exact(row) for row in fields["matrix"]]
    height, width = len(matrix), len(matrix[0])
    if any(len(row) != width for row in matrix):
        raise DomainError("ragged_matrix")
    if op == "rref":
        return _echelon(matrix)
    if op == "solve":
        if rhs is None:
            raise DomainError("missing_operand")
        if len(rhs) != height:
            raise DomainError("rhs_mismatch")
        return _solutions(matrix, _exact(rhs))
    if height != width:
        raise DomainError("not_square")
    if op == "det":
        return {"det": str(_determinant(matrix))}
    return _inverse(matrix)


def _echelon(matrix: _Matrix) -> Json:
    rows, pivots = _reduce(matrix)
    return {"rows": [_spelled(row) for row in rows], "pivots": pivots, "rank": len(pivots)}


def _inverse(matrix: _Matrix) -> Json:
    size = len(matrix)
    unit = [[Fraction(row == column) for column in range(size)] for row in range(size)]
    rows, pivots = _reduce([left + right for left, right in zip(matrix, unit, strict=True)])
    if pivots != list(range(size)):
        raise DomainError("singular")
    return {"rows": [_spelled(row[size:]) for row in rows]}


def _solutions(matrix: _Matrix, rhs: _Vector) -> Json:
    width = len(matrix[0])
    rows, pivots = _reduce([[*row, right] for row, right in zip(matrix, rhs, strict=True)])
    if width in pivots:
        return {"kind": "none", "solution": None, "basis": []}
    solution = [Fraction(0)] * width
    for row, pivot in zip(rows, pivots, strict=False):
        solution[pivot] = row[width]
    free = [column for column in range(width) if column not in pivots]
    basis = [_null_vector(rows, pivots, column, width) for column in free]
    return {
        "kind": "infinite" if free else "unique",
        "solution": _spelled(solution),
        "basis": [_spelled(vector) for vector in basis],
    }


def _null_vector(rows: _Matrix, pivots: list[int], free: int, width: int) -> _Vector:
    """The vector that a reduced matrix sends to 0, with 1 in this free column only."""
    vector = [Fraction(column == free) for column in range(width)]
    for row, pivot in zip(rows, pivots, strict=False):
        vector[pivot] = -row[free]
    return vector


def _reduce(matrix: _Matrix) -> tuple[_Matrix, list[int]]:
    """The reduced row echelon form and its pivot columns."""
    rows, pivots = list(matrix), list[int]()
    for column in range(len(rows[0])):
        top = len(pivots)
        index = next((i for i in range(top, len(rows)) if rows[i][column]), None)
        if index is None:
            continue
        found = rows.pop(index)
        pivot_row = [value / found[column] for value in found]
        rows = [_minus(row, row[column], pivot_row) for row in rows]
        rows.insert(top, pivot_row)
        pivots.append(column)
    return rows, pivots


def _minus(row: _Vector, factor: Fraction, other: _Vector) -> _Vector:
    return [left - factor * right for left, right in zip(row, other, strict=True)]


def _determinant(matrix: _Matrix) -> Fraction:
    """Laplace's expansion along the first row; 720 products at most."""
    if not matrix:
        return Fraction(1)
    first, *below = matrix
    total = Fraction(0)
    for column, value in enumerate(first):
        minor = [row[:column] + row[column + 1 :] for row in below]
        total += (-1) ** column * value * _determinant(minor)
    return total


def _exact(row: Sequence[str]) -> _Vector:
    return [Fraction(text) for text in row]


def _spelled(row: _Vector) -> list[Json]:
    return [str(value) for value in row]


def _generate(rng: random.Random) -> dict[str, Json]:
    op = rng.choice(["rref", "det", "det", "inverse", "inverse", "solve", "solve", "solve"])
    height, width = rng.randint(1, 4), rng.randint(1, 4)
    if op in ("det", "inverse") and rng.random() < 0.9:
        height = width
    matrix = _draw_matrix(rng, height, width)
    drawn: dict[str, Json] = {"op": op, "matrix": [_spell(rng, row) for row in matrix]}
    if rng.random() < (0.85 if op == "solve" else 0.2):
        drawn["rhs"] = _spell(rng, _draw_rhs(rng, matrix))
    if rng.random() < 0.06:
        rng.choice(drawn["matrix"]).append("1")
    return drawn


def _draw_matrix(rng: random.Random, height: int, width: int) -> _Matrix:
    """Small numbers; often one row is a multiple of another, which lowers the rank."""
    rows = [[_draw_number(rng) for _ in range(width)] for _ in range(height)]
    if rng.random() < 0.35:
        factor = rng.choice([Fraction(0), Fraction(1), Fraction(-1, 2), Fraction(3)])
        rows[rng.randrange(height)] = [factor * value for value in rng.choice(rows)]
    if rng.random() < 0.1:
        rows[0][0] = Fraction(10**16 - rng.randint(1, 9))
    return rows


def _draw_rhs(rng: random.Random, matrix: _Matrix) -> _Vector:
    """Mostly one that fits the matrix, now and then of a wrong length."""
    if rng.random() < 0.15:
        return [_draw_number(rng) for _ in range(rng.randint(1, 6))]
    x = [Fraction(rng.randint(-3, 3)) for _ in range(len(matrix[0]))]
    rhs = [sum((a * b for a, b in zip(row, x, strict=True)), Fraction(0)) for row in matrix]
    if rng.random() < 0.25:
        rhs[-1] += 1
    return rhs


def _draw_number(rng: random.Random) -> Fraction:
    denominator = rng.choice([1, 1, 1, 1, 2, 3, 10])
    return Fraction(rng.choice([0, 0, 1, 1, -1, 2, -2, 3, -5, 7]), denominator)


def _spell(rng: random.Random, row: _Vector) -> list[Json]:
    """The numbers of a row as text, now and then not in lowest terms."""
    texts: list[Json] = []
    for value in row:
        factor = rng.choice([1, 1, 1, 2, 6])
        plain = str(value) if value or rng.random() < 0.8 else rng.choice(["-0", "0/4"])
        unreduced = f"{value.numerator * factor}/{value.denominator * factor}"
        texts.append(unreduced if factor > 1 and abs(value) < 1_000 else plain)
    return texts


_BOUNDARIES = (
    # Reduction: columns without a pivot, swapped rows, zeros, texts that are not in lowest terms.
    Case(
        {"op": "rref", "matrix": [["0", "2", "4"], ["0", "1", "2"]]},
        {"rows": [["0", "1", "2"], ["0", "0", "0"]], "pivots": [1], "rank": 1},
    ),
    Case(
        {"op": "rref", "matrix": [["0", "0", "3"], ["0", "2", "1"]]},
        {"rows": [["0", "1", "0"], ["0", "0", "1"]], "pivots": [1, 2], "rank": 2},
    ),
    Case(
        {"op": "rref", "matrix": [["2"], ["4"], ["0"]]},
        {"rows": [["1"], ["0"], ["0"]], "pivots": [0], "rank": 1},
    ),
    Case(
        {"op": "rref", "matrix": [["1", "2", "3"], ["2", "4", "7"], ["1", "2", "4"]]},
        {"rows": [["1", "2", "0"], ["0", "0", "1"], ["0", "0", "0"]], "pivots": [0, 2], "rank": 2},
    ),
    Case(
        {"op": "rref", "matrix": [["-0", "2/4", "-4/6"]], "rhs": ["1", "2"]},
        {"rows": [["0", "1", "-4/3"]], "pivots": [1], "rank": 1},
    ),
    Case(
        {"op": "rref", "matrix": [["0", "0/7"], ["0", "-0"]]},
        {"rows": [["0", "0"], ["0", "0"]], "pivots": [], "rank": 0},
    ),
    # Determinants: signs, zero, and more digits than a double has.
    Case({"op": "det", "matrix": [["0", "1/2"], ["4/6", "9"]]}, {"det": "-1/3"}),
    Case(
        {"op": "det", "matrix": [["0", "1", "0"], ["0", "0", "1"], ["1", "0", "0"]]}, {"det": "1"}
    ),
    Case({"op": "det", "matrix": [["0", "1"], ["1", "0"]]}, {"det": "-1"}),
    Case({"op": "det", "matrix": [["1", "2"], ["2", "4"]]}, {"det": "0"}),
    Case({"op": "det", "matrix": [["-2/4"]], "rhs": ["1", "2"]}, {"det": "-1/2"}),
    Case(
        {
            "op": "det",
            "matrix": [
                ["999999999999999999", "999999999999999998"],
                ["999999999999999998", "999999999999999997"],
            ],
        },
        {"det": "-1"},
    ),
    Case(
        {"op": "det", "matrix": [["999999999999999999", "0"], ["5", "-999999999999999999"]]},
        {"det": "-999999999999999998000000000000000001"},
    ),
    Case(
        {"op": "det", "matrix": [["1/999999999999999999", "0"], ["0", "1/2"]]},
        {"det": "1/1999999999999999998"},
    ),
    # Inverses.
    Case(
        {"op": "inverse", "matrix": [["2", "1"], ["5", "3"]]}, {"rows": [["3", "-1"], ["-5", "2"]]}
    ),
    Case(
        {"op": "inverse", "matrix": [["0", "2"], ["-1/3", "0"]]},
        {"rows": [["0", "-3"], ["1/2", "0"]]},
    ),
    Case({"op": "inverse", "matrix": [["-2/3"]], "rhs": ["0", "0"]}, {"rows": [["-3/2"]]}),
    # Systems: none, one or many solutions, more rows or more columns.
    Case(
        {"op": "solve", "matrix": [["1", "1"], ["1", "1"]], "rhs": ["1", "2"]},
        {"kind": "none", "solution": None, "basis": []},
    ),
    Case(
        {"op": "solve", "matrix": [["0", "0"]], "rhs": ["1/5"]},
        {"kind": "none", "solution": None, "basis": []},
    ),
    Case(
        {"op": "solve", "matrix": [["0", "0"], ["0", "0"]], "rhs": ["0", "-0"]},
        {"kind": "infinite", "solution": ["0", "0"], "basis": [["1", "0"], ["0", "1"]]},
    ),
    Case(
        {"op": "solve", "matrix": [["1", "0"], ["0", "1"], ["1", "1"]], "rhs": ["1", "2", "3"]},
        {"kind": "unique", "solution": ["1", "2"], "basis": []},
    ),
    Case(
        {"op": "solve", "matrix": [["1", "0"], ["0", "1"], ["1", "1"]], "rhs": ["1", "2", "4"]},
        {"kind": "none", "solution": None, "basis": []},
    ),
    Case(
        {"op": "solve", "matrix": [["0", "4"], ["2", "0"]], "rhs": ["2", "2"]},
        {"kind": "unique", "solution": ["1", "1/2"], "basis": []},
    ),
    Case(
        {
            "op": "solve",
            "matrix": [["1", "2", "0", "-3"], ["0", "0", "1", "1/2"]],
            "rhs": ["5", "1"],
        },
        {
            "kind": "infinite",
            "solution": ["5", "0", "1", "0"],
            "basis": [["-2", "1", "0", "0"], ["3", "0", "-1/2", "1"]],
        },
    ),
    # Errors, and which of two comes first.
    Case({"op": "solve", "matrix": [["1"], ["1", "2"]]}, error="ragged_matrix"),
    Case({"op": "solve", "matrix": [["1", "2"], ["1"]], "rhs": ["1"]}, error="ragged_matrix"),
    Case({"op": "rref", "matrix": [["1", "2"], ["1", "2", "3"]]}, error="ragged_matrix"),
    Case({"op": "det", "matrix": [["1"], ["1", "2"], ["1"]]}, error="ragged_matrix"),
    Case({"op": "solve", "matrix": [["1"]]}, error="missing_operand"),
    Case({"op": "det", "matrix": [["1", "2"]]}, error="not_square"),
    Case({"op": "inverse", "matrix": [["0"], ["0"]], "rhs": ["1"]}, error="not_square"),
    Case({"op": "solve", "matrix": [["1", "2"]], "rhs": ["1", "2"]}, error="rhs_mismatch"),
    Case({"op": "solve", "matrix": [["0"], ["0"]], "rhs": ["1"]}, error="rhs_mismatch"),
    Case({"op": "inverse", "matrix": [["1", "2"], ["2", "4"]]}, error="singular"),
    Case({"op": "inverse", "matrix": [["0/3"]]}, error="singular"),
)

FAMILY = Family(
    number=16,
    slug="rational-matrix",
    title="Exact matrix operations over rationals",
    category="numerical",
    difficulty=Difficulty.MEDIUM,
    summary=_SUMMARY,
    fields=(
        required("op", Choice("rref", "det", "inverse", "solve"), "What is computed."),
        required("matrix", Array(Array(rational(), 1, 6), 1, 6), "The rows of the matrix."),
        absentable("rhs", Array(rational(), 1, 6), "The right side, which `solve` needs."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("ragged_matrix", "Two rows of `matrix` have different lengths."),
        ErrorCode("missing_operand", "`op` is `solve` and there is no `rhs`."),
        ErrorCode("not_square", "`op` is `det` or `inverse`, and `matrix` is not square."),
        ErrorCode(
            "rhs_mismatch",
            "`op` is `solve` and the length of `rhs` is not the number of rows of `matrix`.",
        ),
        ErrorCode("singular", "`op` is `inverse` and the determinant of `matrix` is 0."),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        {"op": "solve", "matrix": [["1", "2", "0"], ["2", "4", "1/2"]], "rhs": ["3", "7"]},
        {"kind": "infinite", "solution": ["3", "0", "2"], "basis": [["-2", "1", "0"]]},
    ),
    boundaries=_BOUNDARIES,
    examples=(
        Case(
            {
                "op": "solve",
                "matrix": [["0", "2/4", "1"], ["3", "0", "-6"], ["0", "1", "2"]],
                "rhs": ["1", "9", "2"],
            },
            {"kind": "infinite", "solution": ["3", "2", "0"], "basis": [["2", "-2", "1"]]},
        ),
        Case({"op": "inverse", "matrix": [["2", "-4"], ["-1/2", "1"]]}, error="singular"),
    ),
    malformed=(
        {"op": "RREF", "matrix": [["1"]]},
        {"op": "transpose", "matrix": [["1"]]},
        {"op": ["det"], "matrix": [["1"]]},
        {"op": "det", "matrix": []},
        {"op": "det", "matrix": [[]]},
        {"op": "det", "matrix": ["1"]},
        {"op": "det", "matrix": "1"},
        {"op": "det", "matrix": [["1"], None]},
        {"op": "det", "matrix": [["1", 2], ["3", "4"]]},
        {"op": "det", "matrix": [["1", 0.5], ["3", "4"]]},
        {"op": "det", "matrix": [["01"]]},
        {"op": "det", "matrix": [["1/0"]]},
        {"op": "det", "matrix": [["1/-2"]]},
        {"op": "det", "matrix": [["1/02"]]},
        {"op": "det", "matrix": [["+1"]]},
        {"op": "det", "matrix": [["1.5"]]},
        {"op": "det", "matrix": [["1e3"]]},
        {"op": "det", "matrix": [["1 / 2"]]},
        {"op": "det", "matrix": [["\u22121"]]},
        {"op": "det", "matrix": [["\u0661"]]},
        {"op": "det", "matrix": [["1000000000000000000"]]},
        {"op": "rref", "matrix": [["1"], ["1", "x"]]},
        {"op": "rref", "matrix": [["1"] * 7]},
        {"op": "rref", "matrix": [["1"]] * 7},
        {"op": "det", "matrix": [["1"]], "rhs": None},
        {"op": "det", "matrix": [["1"]], "rhs": []},
        {"op": "solve", "matrix": [["1"]], "rhs": "1"},
        {"op": "solve", "matrix": [["1"]], "rhs": [["1"]]},
        {"op": "solve", "matrix": [["1"]], "rhs": [True]},
    ),
)
