"""Polynomials in one variable with rational coefficients: parsed, combined, written again."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import zip_longest
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Choice, Text, absentable, rational, required

_SUMMARY = """\
Computes with polynomials in `x` whose coefficients are fractions. All arithmetic is exact.

**Input form.** A polynomial is a row of tokens: numbers and the characters `+` `-` `*` `/` `^` `x`.
A number is 1 to 9 ASCII digits, leading zeros allowed. Spaces (U+0020) may stand between tokens, at
the start and at the end, but not inside a number. Nothing else is allowed. In this grammar `[ ]`
is what may be left out, `{ }` what may occur any number of times or not at all, and `|` separates
alternatives:

```text
polynomial  = [ sign ] term { sign term }
sign        = "+" | "-"
term        = coefficient | coefficient [ "*" ] power | power
coefficient = NUMBER [ "/" NUMBER ]
power       = "x" [ "^" NUMBER ]
```

`1/2x` is one half times x. A power alone has the coefficient 1. `x` is `x^1`, and `x^0` is 1. Terms
with the same exponent add up. A denominator must not be 0, and an exponent must not be above 30.

**Operations.** `op` says what is computed from the polynomials a and b that `a` and `b` spell. The
degree of a polynomial is the highest exponent whose coefficient is not 0; the zero polynomial
has the degree -1.

- `add`, `sub`, `mul`: a + b, a - b, a * b.
- `divmod`: the quotient q and the remainder r: a = q * b + r, and the degree of r is less than that
  of b.
- `gcd`: the greatest common divisor of a and b, divided by the coefficient of its highest exponent.
  If a and b are both zero, it is zero.
- `derive`: the derivative of a.
- `eval`: the value of a at x = `at`."""

_RESULT = """\
- `divmod`: an object `{"quotient": q, "remainder": r, "degree": n}`; n is the degree of r.
- `eval`: an object `{"value": v}`; v is a string, the value as a fraction.
- All others: an object `{"result": p, "degree": n}`; n is the degree of p.

Fractions are in lowest terms: `n`, or `n/d` with d > 1, the sign in front, zero is `0`. Degrees are
integers. Polynomials are strings in this form:

- The terms are in descending order of their exponents. Terms with the coefficient 0 are left out.
- The first term has `-` directly before it if its coefficient is negative. Each later term has
  ` + ` or ` - ` before it: a space, the sign, a space.
- After the sign, with c the absolute value of the coefficient as a fraction, a term is `c*x^k` for
  an exponent k > 1, `c*x` for 1, and `c` for 0. If c is 1, `c*` is left out: `x^k`, `x`; but the
  constant stays `1`.
- The zero polynomial is `0`.

For instance: `-1/2*x^3 + x - 4`."""

_RULES = """\
- Two signs in a row are an error, and so are `2 3`, `x2`, `x*2`, `2*3`, `X`, `1/2/3`, `x^-1`, a
  text of nothing but spaces, and an exponent above 30 even with the coefficient 0.
- `b` is ignored by `derive` and `eval`, and `at` by all but `eval`: what is ignored need not be a
  polynomial. But if it is there, it must be valid as a field.
- The zero polynomial can be written in many ways: `0`, `x - x`, `0/5x^3`.
- Results can have exponents above 30 and long numbers. There are no requests for which a number of
  the result has more than 4000 digits."""

_TERM = re.compile(
    r" *(?P<sign>[+-]?) *"
    r"(?:(?P<numerator>[0-9]{1,9})(?: */ *(?P<denominator>[0-9]{1,9}))?"
    r"(?: *\*? *(?P<times>x)(?: *\^ *(?P<times_exponent>[0-9]{1,9}))?)?"
    r"|(?P<x>x)(?: *\^ *(?P<exponent>[0-9]{1,9}))?) *"
)
_MOST = 30

_Polynomial = list[Fraction]
"""The coefficients from the constant upwards; the last one is not 0."""


def _evaluate(fields: Mapping[str, Any]) -> Json:
    op = fields["op"]
    if op != "derive" and ("at" if op == "eval" else "b") not in fields:
        raise DomainError("missing_operand")
    a = _parsed(fields["a"])
    if op == "derive":
        return _report([exponent * c for exponent, c in enumerate(a)][1:])
    if op == "eval":
        return {"value": str(_value(a, Fraction(fields["at"])))}
    b = _parsed(fields["b"])
    if op == "divmod":
        if not b:
            raise DomainError("division_by_zero")
        quotient, rest = _divided(a, b)
        return {"quotient": _spelled(quotient), **_report(rest, "remainder")}
    return _report(_OPERATIONS[op](a, b))


def _report(result: _Polynomial, name: str = "result") -> dict[str, Json]:
    return {name: _spelled(result), "degree": len(result) - 1}


def _parsed(text: str) -> _Polynomial:
    sums = [Fraction(0)] * (_MOST + 1)
    at = 0
    while at == 0 or at < len(text):
        match = _TERM.match(text, at)
        if match is None or (at > 0 and not match["sign"]):
            raise DomainError("bad_polynomial")
        coefficient, exponent = _term(match)
        sums[exponent] += coefficient
        at = match.end()
    return _trimmed(sums)


def _term(match: re.Match[str]) -> tuple[Fraction, int]:
    denominator = int(match["denominator"] or 1)
    has_x = match["times"] or match["x"]
    exponent = int(match["times_exponent"] or match["exponent"] or 1) if has_x else 0
    if denominator == 0 or exponent > _MOST:
        raise DomainError("bad_polynomial")
    coefficient = Fraction(int(match["numerator"] or 1), denominator)
    return (-coefficient if match["sign"] == "-" else coefficient), exponent


def _trimmed(coefficients: Sequence[Fraction]) -> _Polynomial:
    size = max((i for i, c in enumerate(coefficients, start=1) if c), default=0)
    return list(coefficients[:size])


def _sum(a: _Polynomial, b: _Polynomial) -> _Polynomial:
    return _trimmed([left + right for left, right in zip_longest(a, b, fillvalue=Fraction(0))])


def _difference(a: _Polynomial, b: _Polynomial) -> _Polynomial:
    return _sum(a, [-c for c in b])


def _product(a: _Polynomial, b: _Polynomial) -> _Polynomial:
    sums = [Fraction(0)] * (len(a) + len(b))
    for i, left in enumerate(a):
        for j, right in enumerate(b):
            sums[i + j] += left * right
    return _trimmed(sums)


def _divided(a: _Polynomial, b: _Polynomial) -> tuple[_Polynomial, _Polynomial]:
    """Quotient and remainder."""
    quotient = [Fraction(0)] * max(0, len(a) - len(b) + 1)
    while len(a) >= len(b):
        shift = len(a) - len(b)
        quotient[shift] = a[-1] / b[-1]
        a = _difference(a, [Fraction(0)] * shift + [quotient[shift] * c for c in b])
    return quotient, a


def _common_divisor(a: _Polynomial, b: _Polynomial) -> _Polynomial:
    while b:
        a, b = b, _monic(_divided(a, b)[1])  # keeps the numbers short
    return _monic(a)


def _monic(a: _Polynomial) -> _Polynomial:
    return [c / a[-1] for c in a]


def _value(a: _Polynomial, x: Fraction) -> Fraction:
    return sum((c * x**exponent for exponent, c in enumerate(a)), Fraction(0))


_OPERATIONS = {"add": _sum, "sub": _difference, "mul": _product, "gcd": _common_divisor}


def _spelled(polynomial: _Polynomial) -> str:
    terms = [
        (" - " if c < 0 else " + ") + _spelled_term(abs(c), exponent)
        for exponent, c in reversed(list(enumerate(polynomial)))
        if c
    ]
    text = "".join(terms)
    sign = "-" if text.startswith(" - ") else ""
    return sign + text[3:] or "0"


def _spelled_term(coefficient: Fraction, exponent: int) -> str:
    if exponent == 0:
        return str(coefficient)
    factor = "" if coefficient == 1 else f"{coefficient}*"
    return f"{factor}x" if exponent == 1 else f"{factor}x^{exponent}"


def _generate(rng: random.Random) -> dict[str, Json]:
    op = rng.choice(["add", "sub", "mul", "divmod", "divmod", "gcd", "gcd", "derive", "eval"])
    a, b = _draw_polynomial(rng), _draw_polynomial(rng)
    if op in ("divmod", "gcd") and rng.random() < 0.6:
        factor = _draw_polynomial(rng)
        a, b = _product(a, factor)[: _MOST + 1], factor if op == "divmod" else _product(b, factor)
    if rng.random() < (0.3 if op == "divmod" else 0.06):
        b = []
    drawn: dict[str, Json] = {"op": op, "a": _draw_text(rng, a)}
    if rng.random() < (0.15 if op in ("derive", "eval") else 0.88):
        drawn["b"] = _draw_text(rng, b)
    if rng.random() < (0.88 if op == "eval" else 0.1):
        drawn["at"] = rng.choice(["0", "-0", "1", "-1", "2", "1/2", "-4/6", "10", "-7/3"])
    if rng.random() < 0.1:
        drawn[rng.choice(["a", "b"])] = rng.choice(_WRONG)
    return drawn


def _draw_polynomial(rng: random.Random) -> _Polynomial:
    degree = rng.choice([0, 1, 1, 2, 2, 3, 4])
    chosen = [
        Fraction(rng.choice([0, 1, 1, -1, 2, -3, 5]), rng.choice([1, 1, 1, 2, 3]))
        for _ in range(degree + 1)
    ]
    return _trimmed(chosen)


def _draw_text(rng: random.Random, polynomial: _Polynomial) -> str:
    """The polynomial with its terms in any order, some split in two, in many spellings."""
    terms = [(c, exponent) for exponent, c in enumerate(polynomial) if c or rng.random() < 0.2]
    if rng.random() < 0.3:
        extra, exponent = Fraction(rng.randint(1, 4)), rng.choice([0, 1, 2, 30])
        terms += [(extra, exponent), (-extra, exponent)]
    rng.shuffle(terms)
    text = "".join(_draw_term(rng, c, exponent) for c, exponent in terms) or rng.choice(_ZEROS)
    return text.removeprefix("+") if rng.random() < 0.7 else text


def _draw_term(rng: random.Random, coefficient: Fraction, exponent: int) -> str:
    gap = rng.choice(["", "", " ", "  "])
    sign = ("-" if coefficient < 0 else "+") + gap
    scale = rng.choice([1, 1, 1, 2, 3])
    numerator, denominator = abs(coefficient.numerator) * scale, coefficient.denominator * scale
    number = (
        f"{numerator}/{denominator}" if denominator > 1 else f"{numerator:0{rng.choice([1, 3])}}"
    )
    if exponent == 0 and rng.random() < 0.8:
        return sign + number + gap
    power = "x" if exponent == 1 and rng.random() < 0.8 else f"x{gap}^{gap}{exponent}"
    if numerator == denominator and rng.random() < 0.7:
        return sign + power + gap
    return sign + number + rng.choice(["", gap, "*", f"{gap}*{gap}"]) + power + gap


_ZEROS = ("0", "x-x", "+0/5x^3", " 000 ", "2x^2 - 4/2*x^2")
_WRONG = (
    *("", " ", "+", "x +", "3 - - x", "+-x", "2 3", "x2", "x*2", "2*3", "2**x", "*x", "2*", "xx"),
    *("1/0", "0/0x", "1/2/3", "1/-2", "x^31", "0x^31", "x^-1", "x^", "x^1/2", "X", "y", "(x)"),
    *("1.5x", "1234567890", "x\t+ 1", "x\u00a0- 1", "\u2212x", "x²", "٣x", "𝑥", "x^2 x", "3 x 2"),
)


def _combined(op: str, a: str, b: str, result: str, degree: int) -> Case:
    return Case({"op": op, "a": a, "b": b}, {"result": result, "degree": degree})


def _division(a: str, b: str, quotient: str, remainder: str, degree: int) -> Case:
    return Case(
        {"op": "divmod", "a": a, "b": b},
        {"quotient": quotient, "remainder": remainder, "degree": degree},
    )


def _derivative(a: str, result: str, degree: int, **more: Json) -> Case:
    return Case({"op": "derive", "a": a, **more}, {"result": result, "degree": degree})


def _at(a: str, at: str, value: str, **more: Json) -> Case:
    return Case({"op": "eval", "a": a, "at": at, **more}, {"value": value})


_BOUNDARIES = (
    # What the grammar allows.
    _combined("add", " 3 / 4  * x ^ 2  - x ", "+ 1", "3/4*x^2 - x + 1", 2),
    _combined("add", "1/2x", "2/4*x", "x", 1),
    _combined("add", "007x^02+0x^30", "000", "7*x^2", 2),
    _combined("add", "x^0 + x^00", "0", "2", 0),
    _combined("add", "+x^000000001", "3 x", "4*x", 1),
    _combined("sub", "x - x^2", "+x - x^2", "0", -1),
    _combined("sub", "0/5x", "x + 2 + 3x + x^1", "-5*x - 2", 1),
    _combined("add", "1 - 2x - 3x^2 + 2x", "x^2", "-2*x^2 + 1", 2),
    # How results are written.
    _combined("add", "-4 + x", "-1/2x^3", "-1/2*x^3 + x - 4", 3),
    _combined("add", "-x", "-1", "-x - 1", 1),
    _combined("sub", "1", "x^2", "-x^2 + 1", 2),
    _combined("sub", "0", "1", "-1", 0),
    _combined("add", "1/2", "1/2", "1", 0),
    _combined("add", "2/6x^30", "4/3", "1/3*x^30 + 4/3", 30),
    # Products.
    _combined("mul", "x + 1", "x - 1", "x^2 - 1", 2),
    _combined("mul", "-x^30", "1/2x^30 - 1", "-1/2*x^60 + x^30", 60),
    _combined("mul", "x^3 - 1/7", "x - x", "0", -1),
    _combined("mul", "999999999x", "999999999", "999999998000000001*x", 1),
    _combined("mul", "1/999999999", "1/999999999 x^2", "1/999999998000000001*x^2", 2),
    # Division with remainder.
    _division("x", "x^2", "0", "x", 1),
    _division("x^2 - 1", "x + 1", "x - 1", "0", -1),
    _division("x^2 + 3", "2", "1/2*x^2 + 3/2", "0", -1),
    _division("2x^3", "3x^2 - 1", "2/3*x", "2/3*x", 1),
    _division("x^4 + 1", "x^2", "x^2", "1", 0),
    _division("x^3 + x", "x^2 + 1", "x", "0", -1),
    _division("0", "-x", "0", "0", -1),
    _division("3", "-2", "-3/2", "0", -1),
    _division("x^30", "x - 1", " + ".join(f"x^{k}" for k in range(29, 1, -1)) + " + x + 1", "1", 0),
    # The greatest common divisor has the leading coefficient 1.
    _combined("gcd", "2x^2 - 2", "x^2+2 x+1", "x + 1", 1),
    _combined("gcd", "x - x", "0", "0", -1),
    _combined("gcd", "0", "-2x", "x", 1),
    _combined("gcd", "1/3 - x", "0", "x - 1/3", 1),
    _combined("gcd", "4", "6", "1", 0),
    _combined("gcd", "x", "x + 1", "1", 0),
    _combined("gcd", "0", "-7/2", "1", 0),
    _combined("gcd", "x^2 - 1", "-2x^2 + 2", "x^2 - 1", 2),
    _combined("gcd", "1/2x^2 - 1/2", "1/3x - 1/3", "x - 1", 1),
    # Derivatives and values; operands that are not needed.
    _derivative("-x^0 - x^4", "-4*x^3", 3, b="??"),
    _derivative("5", "0", -1),
    _derivative("x^30 + 3x", "30*x^29 + 3", 29),
    _derivative("1/3x^3 - x", "x^2 - 1", 2, at="1"),
    _at("x^2 - 3/2", "-1/2", "-5/4"),
    _at("x^2", "2/4", "1/4", b=""),
    _at("7", "-0", "7"),
    _at("x - x^0", "0", "-1"),
    _at("1/3x", "-3", "-1"),
    _at("x^30", "-10", "1" + "0" * 30),
    _at("x^2 - 2x + 1", "1", "0"),
    # A missing operand comes first, then what is no polynomial, then division by zero.
    Case({"op": "add", "a": "?"}, error="missing_operand"),
    Case({"op": "gcd", "a": "x", "at": "1"}, error="missing_operand"),
    Case({"op": "eval", "a": "x^", "b": "x"}, error="missing_operand"),
    Case({"op": "divmod", "a": "3 - - x", "b": "0"}, error="bad_polynomial"),
    Case({"op": "divmod", "a": "x", "b": ""}, error="bad_polynomial"),
    Case({"op": "mul", "a": "0", "b": "x^31"}, error="bad_polynomial"),
    Case({"op": "divmod", "a": "x", "b": "x-x"}, error="division_by_zero"),
    Case({"op": "divmod", "a": "0", "b": "0/3x^2"}, error="division_by_zero"),
    *(
        Case({"op": "derive", "a": text}, error="bad_polynomial")
        for text in (
            *("", "  ", "x +", "x + - 1", "2 3", "x2", "x*2", "2*3", "2**x", "*x", "1/2/3", "1/0"),
            *("0/0x", "1/-2", "x/2", "x^31", "0x^31", "x^-1", "x^", "x^1/2", "X", "x x", "x^2 x"),
            *("(x)", "1.5x", "1234567890", "x^0000000001", "x\t+ 1", "x\n", "x\u00a0- 1"),
            *("\u2212x", "x²", "٣x", "1 0x"),
        )
    ),
    # Divisors with a leading coefficient or a constant term that does not divide.
    _combined("gcd", "-3x^2 + x - 1", "x", "1", 0),
    _combined("gcd", "-x - 3", "5x + 1", "1", 0),
)

FAMILY = Family(
    number=17,
    slug="polynomial-toolkit",
    title="Polynomial arithmetic with parsing",
    category="numerical",
    difficulty=Difficulty.MEDIUM,
    summary=_SUMMARY,
    fields=(
        required(
            "op",
            Choice("add", "sub", "mul", "divmod", "gcd", "derive", "eval"),
            "What is computed.",
        ),
        required("a", Text(0, 500), "The polynomial a."),
        absentable(
            "b",
            Text(0, 500),
            "The polynomial b, which `add`, `sub`, `mul`, `divmod` and `gcd` need.",
        ),
        absentable("at", rational(), "The value of x, which `eval` needs."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("missing_operand", "`op` needs `b` or `at`, and it is not there."),
        ErrorCode(
            "bad_polynomial",
            "`a`, or a `b` that `op` needs, does not have the input form; or a denominator in it "
            "is 0, or an exponent above 30.",
        ),
        ErrorCode("division_by_zero", "`op` is `divmod` and b is the zero polynomial."),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=_division("x^3 - 1/2x + 4", "2*x - 2", "1/2*x^2 + 1/2*x + 1/4", "9/2", 0),
    boundaries=_BOUNDARIES,
    examples=(
        _division(" 2x^3-3/6 x + 07", "2 * x^2 + 4", "x", "-9/2*x + 7", 1),
        Case({"op": "sub", "a": "x^2 + -1", "b": "x"}, error="bad_polynomial"),
    ),
    malformed=(
        {"op": "Add", "a": "x", "b": "x"},
        {"op": "div", "a": "x", "b": "x"},
        {"op": None, "a": "x", "b": "x"},
        {"op": "add", "a": 1, "b": "x"},
        {"op": "add", "a": None, "b": "x"},
        {"op": "add", "a": ["x"], "b": "x"},
        {"op": "add", "a": "?", "b": 0},
        {"op": "add", "a": "x", "b": None},
        {"op": "derive", "a": "x", "b": {"x": 1}},
        {"op": "add", "a": "x", "b": "x" + " " * 500},
        {"op": "derive", "a": "x + " * 125 + "x"},
        {"op": "eval", "a": "x", "at": 1},
        {"op": "eval", "a": "x", "at": 0.5},
        {"op": "eval", "a": "x", "at": True},
        {"op": "eval", "a": "x", "at": None},
        {"op": "eval", "a": "x", "at": "x"},
        {"op": "eval", "a": "x", "at": "+1"},
        {"op": "eval", "a": "x", "at": "01"},
        {"op": "eval", "a": "x", "at": "1/0"},
        {"op": "eval", "a": "x", "at": "0.5"},
        {"op": "eval", "a": "x", "at": "1/-2"},
        {"op": "eval", "a": "x", "at": " 1"},
        {"op": "add", "a": "x", "b": "x", "at": "1/00"},
        {"op": "add", "b": "x"},
    ),
)
