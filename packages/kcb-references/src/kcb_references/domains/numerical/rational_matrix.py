# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Exact linear algebra on a matrix of fractions."""

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

_Vector = list[Fraction]
_Matrix = list[_Vector]

# `[0-9]` and not `\d`, which also takes the digits of other scripts.
_FRACTION = re.compile(r"-?(?:0|[1-9][0-9]{0,17})(?:/[1-9][0-9]{0,17})?")
_OPS = ("rref", "det", "inverse", "solve")


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Compute what `op` says about a matrix.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields) or _shape_error(fields)
    if error is not None:
        return {"error": error}
    matrix = [_numbers(row) for row in fields["matrix"]]
    match fields["op"]:
        case "rref":
            return {"result": _rref(matrix)}
        case "det":
            return {"result": {"det": str(_determinant(matrix))}}
        case "solve":
            return {"result": _solve(matrix, _numbers(fields["rhs"]))}
    inverse = _inverse(matrix)
    if inverse is None:
        return {"error": {"code": "singular"}}
    return {"result": {"rows": _texts(inverse)}}


def _shape_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of operands that do not fit together, or `None` if they do."""
    op, matrix = fields["op"], fields["matrix"]
    height, width = len(matrix), len(matrix[0])
    if any(len(row) != width for row in matrix):
        return {"code": "ragged_matrix"}
    if op == "solve" and "rhs" not in fields:
        return {"code": "missing_operand"}
    if op in ("det", "inverse") and height != width:
        return {"code": "not_square"}
    if op == "solve" and len(fields["rhs"]) != height:
        return {"code": "rhs_mismatch"}
    return None


def _rref(matrix: _Matrix) -> dict[str, Any]:
    """Make the result of `rref`."""
    rows, pivots = _reduce(matrix)
    return {"rows": _texts(rows), "pivots": pivots, "rank": len(pivots)}


def _solve(matrix: _Matrix, rhs: _Vector) -> dict[str, Any]:
    """Make the result of `solve`."""
    width = len(matrix[0])
    augmented = [[*row, number] for row, number in zip(matrix, rhs, strict=True)]
    rows, pivots = _reduce(augmented)
    if width in pivots:
        # A pivot in the last column is a row that says 0 = 1.
        return {"kind": "none", "solution": None, "basis": []}
    # Otherwise the other columns are the reduced form of the matrix itself. With all free elements
    # 0, each row gives the element at its pivot; rows of zeros lie below the last pivot.
    solution = [Fraction(0)] * width
    for row, pivot in zip(rows, pivots, strict=False):
        solution[pivot] = row[width]
    basis = [_null_vector(rows, pivots, free, width) for free in range(width) if free not in pivots]
    return {
        "kind": "infinite" if basis else "unique",
        "solution": _text(solution),
        "basis": _texts(basis),
    }


def _null_vector(rows: _Matrix, pivots: list[int], free: int, width: int) -> _Vector:
    """Give the vector that a reduced matrix maps to 0 and that is 1 in just one free column."""
    vector = [Fraction(0)] * width
    vector[free] = Fraction(1)
    for row, pivot in zip(rows, pivots, strict=False):
        vector[pivot] = -row[free]
    return vector


def _inverse(matrix: _Matrix) -> _Matrix | None:
    """Invert a square matrix, or give `None` if it is singular."""
    size = len(matrix)
    augmented = [
        [*row, *(Fraction(int(column == index)) for column in range(size))]
        for index, row in enumerate(matrix)
    ]
    rows, pivots = _reduce(augmented)
    # The unit matrix on the right gives every row a pivot; on the left only a regular matrix does.
    if pivots != list(range(size)):
        return None
    return [row[size:] for row in rows]


def _determinant(matrix: _Matrix) -> Fraction:
    """Give the determinant of a square matrix by elimination."""
    rows = list(matrix)
    determinant = Fraction(1)
    while rows:
        index = next((index for index, row in enumerate(rows) if row[0]), None)
        if index is None:
            return Fraction(0)
        pivot_row = rows.pop(index)
        # To take out a row at an odd position is an odd number of swaps with a neighbour.
        determinant *= -pivot_row[0] if index % 2 else pivot_row[0]
        rows = [_minus(row, row[0] / pivot_row[0], pivot_row)[1:] for row in rows]
    return determinant


def _reduce(matrix: _Matrix) -> tuple[_Matrix, list[int]]:
    """Bring a matrix to its reduced row echelon form.

    Args:
        matrix: A matrix whose rows have one length. It is only read.

    Returns:
        The reduced matrix, and the columns with a pivot in ascending order.
    """
    rows = list(matrix)
    pivots: list[int] = []
    for column in range(len(rows[0])):
        top = len(pivots)
        found = next((index for index in range(top, len(rows)) if rows[index][column]), None)
        if found is None:
            continue
        rows[top], rows[found] = rows[found], rows[top]
        pivot = rows[top][column]
        pivot_row = [number / pivot for number in rows[top]]
        rows = [
            pivot_row if index == top else _minus(row, row[column], pivot_row)
            for index, row in enumerate(rows)
        ]
        pivots.append(column)
    return rows, pivots


def _minus(row: _Vector, factor: Fraction, other: _Vector) -> _Vector:
    """Subtract a multiple of one row from another."""
    return [number - factor * taken for number, taken in zip(row, other, strict=True)]


def _numbers(texts: list[str]) -> _Vector:
    """Read an array of valid fractions."""
    return [Fraction(text) for text in texts]


def _text(vector: _Vector) -> list[str]:
    """Write a vector; a `Fraction` is always in lowest terms, and `str` leaves out a `/1`."""
    return [str(number) for number in vector]


def _texts(matrix: _Matrix) -> list[list[str]]:
    """Write the rows of a matrix."""
    return [_text(row) for row in matrix]


def _is_vector(value: Any) -> bool:
    """Tell whether a value is an array of 1 to 6 fractions."""
    return (
        isinstance(value, list)
        and 1 <= len(value) <= 6
        and all(isinstance(text, str) and _FRACTION.fullmatch(text) for text in value)
    )


def _is_matrix(value: Any) -> bool:
    """Tell whether a value is an array of 1 to 6 rows; they may still differ in length."""
    return isinstance(value, list) and 1 <= len(value) <= 6 and all(map(_is_vector, value))


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "op": lambda value: value in _OPS,
    "matrix": _is_matrix,
    "rhs": _is_vector,
}
_REQUIRED = ("op", "matrix")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
