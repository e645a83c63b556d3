# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Computes exactly with polynomials in one variable."""

import math
import re
from collections.abc import Callable
from fractions import Fraction
from itertools import zip_longest
from typing import Any

# The coefficient of each exponent, from 0 on; the last one is not 0, so zero is the empty list.
_Polynomial = list[Fraction]

_MAX_EXPONENT = 30
_CHUNK = 4000
_WITH_B = ("add", "sub", "mul", "divmod", "gcd")
_OPS = (*_WITH_B, "derive", "eval")

# `[0-9]` and not `\d`, which also takes the digits of other scripts.
_FRACTION = re.compile(r"-?(?:0|[1-9][0-9]{0,17})(?:/[1-9][0-9]{0,17})?")
_TERM = re.compile(
    r" *(?P<sign>[+-]?) *"
    r"(?:(?P<numerator>[0-9]{1,9})(?: */ *(?P<denominator>[0-9]{1,9}))?"
    r"(?: *(?:\* *)?(?P<scaled>x)(?: *\^ *(?P<scaled_exponent>[0-9]{1,9}))?)?"
    r"|(?P<bare>x)(?: *\^ *(?P<bare_exponent>[0-9]{1,9}))?) *"
)


class _PolynomialError(Exception):
    """The operation has no result; the message is the code of the error."""


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Compute what `op` says about one or two polynomials.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    try:
        return {"result": _compute(fields)}
    except _PolynomialError as polynomial_error:
        return {"error": {"code": str(polynomial_error)}}


def _compute(fields: dict[str, Any]) -> dict[str, Any]:
    """Carry out the operation.

    Args:
        fields: Valid fields.

    Returns:
        The result of the contract.

    Raises:
        _PolynomialError: The operation has no result.
    """
    op: str = fields["op"]
    if (op in _WITH_B and "b" not in fields) or (op == "eval" and "at" not in fields):
        raise _PolynomialError("missing_operand")
    a = _parse(fields["a"])
    if op == "eval":
        return {"value": _fraction_text(_evaluate(a, Fraction(fields["at"])))}
    if op == "derive":
        return _report(_derive(a))
    b = _parse(fields["b"])
    if op != "divmod":
        return _report(_BINARY[op](a, b))
    if not b:
        raise _PolynomialError("division_by_zero")
    quotient, remainder = _divide(a, b)
    return {
        "quotient": _text(quotient),
        "remainder": _text(remainder),
        "degree": len(remainder) - 1,
    }


def _report(polynomial: _Polynomial) -> dict[str, Any]:
    """Make the result of an operation that gives one polynomial."""
    return {"result": _text(polynomial), "degree": len(polynomial) - 1}


# ------------------------------------------------------------------------------------- the reading


def _parse(text: str) -> _Polynomial:
    """Read a polynomial.

    Args:
        text: What should be one.

    Returns:
        The polynomial.

    Raises:
        _PolynomialError: It is none.
    """
    coefficients = [Fraction(0)] * (_MAX_EXPONENT + 1)
    position = 0
    # The text is not empty of terms: without one the first match fails. What a match leaves over
    # that is no sign, such as the `/3` of `1/2/3`, fails as the next term.
    while position < len(text) or position == 0:
        match = _TERM.match(text, position)
        if match is None or (position > 0 and not match["sign"]):
            raise _PolynomialError("bad_polynomial")
        exponent = _exponent(match)
        denominator = int(match["denominator"] or 1)
        if exponent > _MAX_EXPONENT or denominator == 0:
            raise _PolynomialError("bad_polynomial")
        coefficient = Fraction(int(match["numerator"] or 1), denominator)
        coefficients[exponent] += -coefficient if match["sign"] == "-" else coefficient
        position = match.end()
    return _trimmed(coefficients)


def _exponent(match: re.Match[str]) -> int:
    """Give the exponent of a term."""
    if match["scaled"] is None and match["bare"] is None:
        return 0
    return int(match["scaled_exponent"] or match["bare_exponent"] or 1)


# ---------------------------------------------------------------------------------- the arithmetic


def _trimmed(coefficients: list[Fraction]) -> _Polynomial:
    """Make a polynomial of coefficients, the highest of which may be 0."""
    length = len(coefficients)
    while length and not coefficients[length - 1]:
        length -= 1
    return coefficients[:length]


def _add(a: _Polynomial, b: _Polynomial) -> _Polynomial:
    """Add two polynomials."""
    return _trimmed([x + y for x, y in zip_longest(a, b, fillvalue=Fraction(0))])


def _subtract(a: _Polynomial, b: _Polynomial) -> _Polynomial:
    """Subtract the second polynomial from the first."""
    return _trimmed([x - y for x, y in zip_longest(a, b, fillvalue=Fraction(0))])


def _multiply(a: _Polynomial, b: _Polynomial) -> _Polynomial:
    """Multiply two polynomials."""
    product = [Fraction(0)] * (len(a) + len(b))
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            if x and y:
                product[i + j] += x * y
    return _trimmed(product)


def _divide(a: _Polynomial, b: _Polynomial) -> tuple[_Polynomial, _Polynomial]:
    """Divide a polynomial by another that is not zero.

    Args:
        a: The dividend.
        b: The divisor.

    Returns:
        The quotient and the remainder.
    """
    rest = list(a)
    quotient = [Fraction(0)] * max(0, len(a) - len(b) + 1)
    for shift in reversed(range(len(quotient))):
        factor = rest[shift + len(b) - 1] / b[-1]
        quotient[shift] = factor
        if factor:
            for index, number in enumerate(b):
                rest[shift + index] -= factor * number
    return _trimmed(quotient), _trimmed(rest)


def _gcd(a: _Polynomial, b: _Polynomial) -> _Polynomial:
    """Give the greatest common divisor with the highest coefficient 1, or zero."""
    # Integers without a common factor grow much less in this algorithm than fractions.
    left, right = _primitive(_integers(a)), _primitive(_integers(b))
    while right:
        left, right = right, _primitive(_pseudo_remainder(left, right))
    return [Fraction(number, left[-1]) for number in left]


def _integers(polynomial: _Polynomial) -> list[int]:
    """Multiply a polynomial by a number that makes all its coefficients integers."""
    common = math.lcm(*(number.denominator for number in polynomial))
    return [number.numerator * (common // number.denominator) for number in polynomial]


def _primitive(numbers: list[int]) -> list[int]:
    """Leave out the highest coefficients that are 0, and a common factor of the others."""
    factor = math.gcd(*numbers)
    if factor == 0:
        return []
    length = max(index for index, number in enumerate(numbers) if number) + 1
    return [number // factor for number in numbers[:length]]


def _pseudo_remainder(a: list[int], b: list[int]) -> list[int]:
    """Give the remainder of a multiple of `a`, chosen so that it has integers only."""
    rest = list(a)
    while len(rest) >= len(b):
        top = rest.pop()
        if top == 0:
            continue
        common = math.gcd(top, b[-1])
        own, factor = b[-1] // common, top // common
        shift = len(rest) - len(b) + 1
        rest = [number * own for number in rest]
        for index, number in enumerate(b[:-1]):
            rest[shift + index] -= factor * number
    return rest


def _derive(a: _Polynomial) -> _Polynomial:
    """Give the derivative."""
    return [exponent * number for exponent, number in enumerate(a)][1:]


def _evaluate(a: _Polynomial, at: Fraction) -> Fraction:
    """Give the value at a number."""
    value = Fraction(0)
    for number in reversed(a):
        value = value * at + number
    return value


_BINARY: dict[str, Callable[[_Polynomial, _Polynomial], _Polynomial]] = {
    "add": _add,
    "sub": _subtract,
    "mul": _multiply,
    "gcd": _gcd,
}


# ------------------------------------------------------------------------------------- the writing


def _text(polynomial: _Polynomial) -> str:
    """Write a polynomial."""
    parts: list[str] = []
    for exponent, number in reversed(list(enumerate(polynomial))):
        if not number:
            continue
        if parts:
            parts.append(" - " if number < 0 else " + ")
        elif number < 0:
            parts.append("-")
        parts.append(_term_text(abs(number), exponent))
    return "".join(parts) or "0"


def _term_text(size: Fraction, exponent: int) -> str:
    """Write a term without its sign."""
    if exponent == 0:
        return _fraction_text(size)
    power = "x" if exponent == 1 else f"x^{exponent}"
    return power if size == 1 else f"{_fraction_text(size)}*{power}"


def _fraction_text(number: Fraction) -> str:
    """Write a fraction; one is always in lowest terms."""
    sign = "-" if number < 0 else ""
    text = sign + _digits(abs(number.numerator))
    return text if number.denominator == 1 else f"{text}/{_digits(number.denominator)}"


def _digits(number: int) -> str:
    """Write an integer that is not negative.

    That is done in pieces, because Python refuses to write integers of more than 4300 digits, and
    a quotient can have more.
    """
    pieces: list[str] = []
    while number >= 10**_CHUNK:
        number, piece = divmod(number, 10**_CHUNK)
        pieces.append(str(piece).zfill(_CHUNK))
    return str(number) + "".join(reversed(pieces))


# -------------------------------------------------------------------------------------- the fields


def _is_text(value: Any) -> bool:
    """Tell whether a value is a string of at most 500 code points."""
    return isinstance(value, str) and len(value) <= 500


def _is_fraction(value: Any) -> bool:
    """Tell whether a value is a string that is a fraction."""
    return isinstance(value, str) and _FRACTION.fullmatch(value) is not None


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "op": lambda value: value in _OPS,
    "a": _is_text,
    "b": _is_text,
    "at": _is_fraction,
}
_REQUIRED = ("op", "a")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
