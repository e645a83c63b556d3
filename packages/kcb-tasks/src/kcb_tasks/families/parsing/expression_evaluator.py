"""Expression evaluator: a small language of exact arithmetic, parsed, checked and evaluated."""

from __future__ import annotations

import math
import operator
import random
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Mapped, Pattern, Text, optional, rational, required

_SUMMARY = """\
Evaluates an arithmetic expression exactly. Every value is a fraction; there is no other type.

**Tokens.** `expr` is cut into tokens from left to right, each as long as possible:

- a number: ASCII digits, and after them optionally a `.` and more ASCII digits. Each of the two
  runs of digits has 1 to 18 digits. A longer run is a syntax error, not two tokens.
- a name: an ASCII letter or `_`, then ASCII letters, digits and `_`, 1 to 32 characters in all. A
  longer run is a syntax error, not two tokens.
- one of `//` `==` `!=` `<=` `>=` `&&` `||` `+` `-` `*` `/` `%` `^` `!` `<` `>` `?` `:` `(` `)` `,`.

Space, tab, CR and LF separate tokens and are otherwise ignored. Any other character is a syntax
error.

**Grammar.** `[ x ]` is x or nothing, `{ x }` is x any number of times or not at all, `|` separates
alternatives, round brackets group, and what stands in quotes is a token.

```text
expr  = or [ "?" expr ":" expr ]
or    = and { "||" and }
and   = cmp { "&&" cmp }
cmp   = sum [ ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) sum ]
sum   = prod { ( "+" | "-" ) prod }
prod  = unary { ( "*" | "/" | "//" | "%" ) unary }
unary = ( "-" | "+" | "!" ) unary | power
power = atom [ "^" unary ]
atom  = NUMBER | NAME | NAME "(" expr { "," expr } ")" | "(" expr ")"
```

Operators of one `{ }` are carried out from left to right: `8 - 3 - 2` is 3. By this grammar `-2^2`
is -4, `2^3^2` is 2^9, `2^-1` is 1/2, and `1 < 2 < 3` and `min()` are syntax errors. A name is the
name of a function if the next token is `(`. Every other name is a variable, even `abs`. A variable
and a function may have the same name.

**Meaning.** A value counts as true if it is not 0. Comparisons, `!`, `&&` and `||` give 1 for true
and 0 for false, and no other value.

- `+`, `-`, `*` are as usual. `a / b` is the exact quotient. `a // b` is the floor of the quotient,
  the greatest integer that is not above it. `a % b` is `a - b * (a // b)`.
- `a ^ b` is a to the power b, where b is an integer. `0^0` is 1, and `a ^ -n` is `1 / (a ^ n)`.
- `a && b`: if a is false, the value is 0 and b is not evaluated.
  `a || b`: if a is true, the value is 1 and b is not evaluated.
  `c ? a : b`: c is evaluated, then only a if c is true, else only b.
- Functions of one argument: `abs`; `floor`, the greatest integer that is not above the argument;
  `ceil`, the smallest integer that is not below it; `round`, the nearest integer, halves away from
  0; `sign`, which is -1, 0 or 1.
- Functions of one or more arguments: `min` and `max`.
- Function of two arguments: `gcd`, the greatest common divisor of two integers. It is never
  negative, and `gcd(0, 0)` is 0."""

_RESULT = """\
An object with these members:

- `value`: the value of the expression, a string: the fraction in lowest terms, written `n`, or
  `n/d` with d > 1. The sign is in front; zero is `0`.
- `integer`: `true` if the value is an integer, else `false`.
- `names`: an array of the different names of the variables in the expression, evaluated or not, in
  ascending order by code point. Names of functions are not among them."""

_PRECEDENCE = """\
The first five concern the whole expression, including what is not evaluated. They are tested in
this order: the first that applies is the answer. Only if none of them applies, the expression is
evaluated. For each operator and function, first its operands are evaluated from left to right, then
it is carried out itself. The first error that is met is the answer. If both `bad_exponent` and
`division_by_zero` apply to one `^`, the answer is `bad_exponent`."""

_RULES = """\
- `-7 // 2` is -4, `-7 % 2` is 1, `7 % -2` is -1. `round(5/2)` is 3, `round(-5/2)` is -3.
- `vars` may hold variables that do not occur in the expression.
- What is not evaluated never gives one of the last four errors.
- For `too_large` only the result of an operator counts, not what is computed on the way to it. So
  `10^50 * 10^50 % (1/3)` is 0."""

_TOKEN = re.compile(r"[0-9]+(?:\.[0-9]+)?|[A-Za-z_][A-Za-z0-9_]*|//|[=!<>]=|&&|\|\||[^ \t\r\n]")
_NUMBER = re.compile(r"[0-9]{1,18}(?:\.[0-9]{1,18})?")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,31}")
_MOST_OPEN = 20
_LARGEST_EXPONENT = 64
_LARGEST = 10**100

_Node = Callable[[], Fraction]
"""A part of an expression that has been parsed: calling it evaluates it."""
_Binary = Callable[[Fraction, Fraction], Fraction]


def _evaluate(fields: Mapping[str, Any]) -> Json:
    if _open_brackets(fields["expr"]) > _MOST_OPEN:
        raise DomainError("too_deep")
    parser = _Parser(_TOKEN.findall(fields["expr"]), fields["vars"])
    expression = parser.whole()
    if any(name not in _FUNCTIONS for name, _ in parser.calls):
        raise DomainError("unknown_function")
    if any(_ARITIES.get(name, count) != count for name, count in parser.calls):
        raise DomainError("bad_arity")
    if not parser.names <= fields["vars"].keys():
        raise DomainError("unknown_variable")
    value = expression()
    return {
        "value": str(value),
        "integer": value.denominator == 1,
        "names": sorted(parser.names),
    }


def _open_brackets(text: str) -> int:
    """The most brackets that are open at any point, if the text is read from the left."""
    return max(accumulate(((c == "(") - (c == ")") for c in text), initial=0))


class _Parser:
    """A method for each rule of the grammar, and a note of every variable and call.

    Any token that no rule asks for, an illegal character among them, is a syntax error.
    """

    def __init__(self, tokens: list[str], variables: Mapping[str, str]) -> None:
        self.tokens = [*tokens, ""]
        self.at = 0
        self.variables = variables
        self.names: set[str] = set()
        self.calls: list[tuple[str, int]] = []

    def take(self, *wanted: str) -> str:
        """The next token, passed over, if it is one of these; else nothing."""
        token = self.tokens[self.at]
        if token not in wanted:
            return ""
        self.at += 1
        return token

    def expect(self, wanted: str) -> None:
        if not self.take(wanted):
            raise DomainError("syntax_error")

    def whole(self) -> _Node:
        node = self.expr()
        if self.tokens[self.at]:
            raise DomainError("syntax_error")
        return node

    def expr(self) -> _Node:
        condition = self.or_()
        if not self.take("?"):
            return condition
        yes = self.expr()
        self.expect(":")
        no = self.expr()
        return lambda: yes() if condition() else no()

    def or_(self) -> _Node:
        node = self.and_()
        while self.take("||"):
            node = _either(node, self.and_())
        return node

    def and_(self) -> _Node:
        node = self.cmp()
        while self.take("&&"):
            node = _both(node, self.cmp())
        return node

    def cmp(self) -> _Node:
        node = self.sum()
        sign = self.take(*_COMPARISONS)
        return _apply(_COMPARISONS[sign], node, self.sum()) if sign else node

    def sum(self) -> _Node:
        node = self.prod()
        while sign := self.take("+", "-"):
            node = _apply(_ARITHMETIC[sign], node, self.prod())
        return node

    def prod(self) -> _Node:
        node = self.unary()
        while sign := self.take("*", "/", "//", "%"):
            node = _apply(_ARITHMETIC[sign], node, self.unary())
        return node

    def unary(self) -> _Node:
        sign = self.take(*_UNARY)
        return _apply(_UNARY[sign], self.unary()) if sign else self.power()

    def power(self) -> _Node:
        base = self.atom()
        return _apply(_ARITHMETIC["^"], base, self.unary()) if self.take("^") else base

    def atom(self) -> _Node:
        if self.take("("):
            node = self.expr()
            self.expect(")")
            return node
        token = self.tokens[self.at]
        self.at += 1
        if _NUMBER.fullmatch(token):
            return lambda: Fraction(token)
        if not _NAME.fullmatch(token):
            raise DomainError("syntax_error")
        if self.take("("):
            return self.call(token)
        self.names.add(token)
        return lambda: Fraction(self.variables[token])

    def call(self, name: str) -> _Node:
        arguments = [self.expr()]
        while self.take(","):
            arguments.append(self.expr())
        self.expect(")")
        self.calls.append((name, len(arguments)))
        return lambda: _apply(_FUNCTIONS[name], *arguments)()


def _apply(operation: Callable[..., Fraction | int], *operands: _Node) -> _Node:
    return lambda: Fraction(operation(*[operand() for operand in operands]))


def _either(left: _Node, right: _Node) -> _Node:
    return lambda: Fraction(bool(left() or right()))


def _both(left: _Node, right: _Node) -> _Node:
    return lambda: Fraction(bool(left() and right()))


def _limited(operation: Callable[[Fraction, Fraction], Fraction | int]) -> _Binary:
    """A binary operation with an error of the contract for what it cannot do."""

    def limited(left: Fraction, right: Fraction) -> Fraction:
        try:
            result = Fraction(operation(left, right))
        except ZeroDivisionError:
            raise DomainError("division_by_zero") from None
        if max(abs(result.numerator), result.denominator) > _LARGEST:
            raise DomainError("too_large")
        return result

    return limited


def _raised(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1 or abs(exponent) > _LARGEST_EXPONENT:
        raise DomainError("bad_exponent")
    return base ** int(exponent)


def _sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)


def _round(value: Fraction) -> int:
    return _sign(value) * math.floor(abs(value) + Fraction(1, 2))


def _gcd(left: Fraction, right: Fraction) -> int:
    if left.denominator != 1 or right.denominator != 1:
        raise DomainError("bad_argument")
    return math.gcd(int(left), int(right))


_COMPARISONS: dict[str, Callable[..., bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

_ARITHMETIC = {
    "+": _limited(operator.add),
    "-": _limited(operator.sub),
    "*": _limited(operator.mul),
    "/": _limited(operator.truediv),
    "//": _limited(operator.floordiv),
    "%": _limited(operator.mod),
    "^": _limited(_raised),
}

_UNARY: dict[str, Callable[[Fraction], Fraction | bool]] = {
    "-": operator.neg,
    "+": operator.pos,
    "!": operator.not_,
}

_FUNCTIONS: dict[str, Callable[..., Fraction | int]] = {
    "abs": abs,
    "floor": math.floor,
    "ceil": math.ceil,
    "round": _round,
    "sign": _sign,
    "gcd": _gcd,
    "min": lambda *values: min(values),
    "max": lambda *values: max(values),
}

_ARITIES = {"abs": 1, "floor": 1, "ceil": 1, "round": 1, "sign": 1, "gcd": 2}


def _generate(rng: random.Random) -> dict[str, Json]:
    names = rng.sample(_NAMES, rng.randint(0, 2))
    faults = rng.choice(_FAULTS) if rng.random() < 0.4 else ()
    drawn: dict[str, Json] = {"expr": _draw_text(rng, names, faults)}
    if names or rng.random() < 0.5:
        drawn["vars"] = {name: rng.choice(_VALUES) for name in [*names, "unused"]}
    return drawn


def _draw_text(rng: random.Random, names: list[str], faults: Sequence[str]) -> str:
    text = _draw_expr(rng, names, rng.randint(1, 3))
    if rng.random() < 0.3:
        text = rng.choice(_COMPARED).format(text, _draw_expr(rng, names, 1))
    if faults:
        text = rng.choice(_PLACES).format(rng.choice(faults), text)
    spaced = "".join(rng.choice(_GAPS) if c == " " else c for c in text)
    return spaced if len(spaced) <= 200 else _draw_text(rng, names, faults)


def _draw_expr(rng: random.Random, names: list[str], depth: int) -> str:
    if depth == 0:
        return rng.choice([*names, *names, *_NUMBERS])
    parts = [_draw_expr(rng, names, depth - 1) for _ in range(3)]
    return rng.choice(_FORMS).format(*parts)


_NAMES = ("x", "X", "_", "a1", "abs", "min", "long_name_of_exactly_thirty_two_", "y")

_VALUES = ("0", "-0", "1", "-1", "2", "3", "-7", "1/2", "-5/2", "4/6", "6/2", "999999999999999999")

_GAPS = (" ", " ", " ", "", "", "  ", "\t", "\n", "\r\n")

_NUMBERS = ("0", "1", "2", "2", "3", "7", "12", "0.5", "2.50", "007", "0.333333333333333333")

_FORMS = (
    *("{0} + {1}", "{0} - {1}", "{0} - {1} + {2}", "{0} * {1}", "{0}*{1} - {2}", "{0} / {1}"),
    *("{0} // {1}", "{0} % {1}", "{0} / {1} * {2}", "{0} // {1} % {2}", "{0} - ({1} - {2})"),
    *("-{0}", "+{0}", "!{0}", "--{0}", "-{0}^2", "({0})^2", "({0})^-1", "{0}^0", "2^{0}", "2^3^2"),
    *("({0} == {1})", "({0} != {1})", "({0} < {1})", "({0} <= {1})", "({0} > {1})", "({0} >= {1})"),
    *("{0} && {1}", "{0} || {1}", "{0} || {1} && {2}", "{0} ? {1} : {2}", "({0} ? {1} : {2})"),
    *("abs({0})", "floor({0})", "ceil({0})", "round({0})", "round({0} / 2)", "sign ({0})"),
    *("min({0}, {1})", "max({0}, {1}, {2})", "min({0})", "gcd(floor({0}), ceil({1}))"),
    *("0 && {0} / 0", "1 || 2^{0}^65", "1 ? {0} : 1 / 0", "0 ? gcd({0}, 1/2) : {1}"),
)

_COMPARED = ("{0} < {1}", "{0} == {1}", "{1} >= {0}", "{0} != {1} && {1} > 1")

_PLACES = ("{0}", "{0} + {1}", "1 - {0}", "2 && {0}", "0 ? {1} : {0}", "max({0}, {1})")

# For each error of the contract, in its order, what gives it.
_FAULTS = (
    ("(" * 21, "(" * 21 + "1" + ")" * 21, "é" + "(" * 22),
    (
        "1 < 2 < 3",
        "2x",
        "min()",
        "(1",
        "1)",
        "1.",
        ".5",
        "1 = 1",
        "1 & 2",
        "１",
        "2 ** 3",
        "𝟙",
        "1\u00a0",
    ),
    ("foo(1)", "sqrt(4)", "Abs(1)", "x(2)"),
    ("abs(1, 2)", "gcd(4)", "gcd(1, 2, 3)", "round(1, 0)"),
    ("zz", "max", "Zz + x"),
    ("1 / 0", "7 // (1 - 1)", "1 % 0.0", "0^-1", "1 / 0 + 2^65"),
    ("2^(1/2)", "2^65", "0^-65", "1^-65", "2^0.5 / 0"),
    ("gcd(1/2, 3)", "gcd(1, 0.5)"),
    ("10^60 * 10^60", "1000^34", "1 / 10^51 / 10^50", "10^64*10^36 + 1"),
)


def _gives(expr: str, value: str, names: Sequence[str] = (), **variables: str) -> Case:
    result = {"value": value, "integer": "/" not in value, "names": list(names)}
    return Case(_input(expr, variables), result)


def _fails(expr: str, error: str, **variables: str) -> Case:
    return Case(_input(expr, variables), error=error)


def _input(expr: str, variables: dict[str, str]) -> dict[str, Json]:
    return {"expr": expr, "vars": variables} if variables else {"expr": expr}


_BOUNDARIES = (
    # Binding and order of the operators.
    _gives("2^3^2 - 2^-1*4 + round(-2.5) - -7 % 2", "506"),
    _gives("8 - 3 - 2", "3"),
    _gives("64 / 4 / 2 * 3", "24"),
    _gives("7 // 2 * 2 % 5", "1"),
    _gives("1/2 % 1/3", "1/6"),
    _gives("-2^2", "-4"),
    _gives("(-2)^2", "4"),
    _gives("2^3^2", "512"),
    _gives("2^-2^2", "1/16"),
    _gives("2^!3", "1"),
    _gives("!0^0", "0"),
    _gives("-!0", "-1"),
    _gives("!-1", "0"),
    _gives("+-+3 - --2", "-5"),
    _gives("!1 < 2", "1"),
    _gives("1 || 0 && 0", "1"),
    _gives("(0 == 1) < 2", "1"),
    _gives("1 + 1 == 2 && 3 >= 2 + 1", "1"),
    _gives("2 == 1 + 1", "1"),
    _gives("0 ? 1 : 0 ? 2 : 3", "3"),
    _gives("1 ? 0 ? 4 : 5 : 6", "5"),
    _gives("1 ? 2 : 3 + 10", "2"),
    _gives("0 || 1 ? 7 : 8", "7"),
    # Floor, remainder, rounding, powers.
    _gives("-7 // 2", "-4"),
    _gives("7 // -2", "-4"),
    _gives("-7 % 2", "1"),
    _gives("7 % -2", "-1"),
    _gives("-7.5 % 2", "1/2"),
    _gives("round(2.5)*1000 + round(-0.5)*100 + round(1/3)*10 + round(-7/4)", "2898"),
    _gives("floor(-1/2)*100 + ceil(-1/2)*10 + sign(-3/7)", "-101"),
    _gives("ceil(-1/2)", "0"),
    _gives("ceil(-3) + ceil(1/2) + floor(3) + sign(0) + sign(1/9)", "2"),
    _gives("sign(1/9)*10 + sign(0)", "10"),
    _gives("abs(-3/7)", "3/7"),
    _gives("0^0 + 0^1 + 1^64 + (-1)^-64", "3"),
    _gives("2^-64", "1/18446744073709551616"),
    _gives("-(1/2)^-3", "-8"),
    # Functions, truth, values that are not evaluated.
    _gives("min(3, 1/2, -4)", "-4"),
    _gives("max(1/3, 0.3)", "1/3"),
    _gives("min(5) + max (1, 2)", "7"),
    _gives("max(7)", "7"),
    _gives("gcd(0, 0)", "0"),
    _gives("gcd(-12, 18) * 100 + gcd(0, -5) * 10 + gcd(4/2, 6)", "652"),
    _gives("(2 && 3) * 100 + (0 || 5) * 10 + !5", "110"),
    _gives("1/2 ? 3 : 4", "3"),
    _gives("0 && 1/0", "0"),
    _gives("1 || gcd(1/2, 1)", "1"),
    _gives("1 ? 2 : 2^65", "2"),
    _gives("0 ? 10^64*10^64 : 3", "3"),
    _gives("a ? b : 1/0", "0", ("a", "b"), a="-1", b="0"),
    # Tokens.
    _gives(" \t\r\n1\n+\t2 ", "3"),
    _gives("007 + 0.50", "15/2"),
    _gives("000000000000000001", "1"),
    _gives("999999999999999999.5 * 2", "1999999999999999999"),
    _gives("0.000000000000000001", "1/1000000000000000000"),
    _gives("1<=2", "1"),
    _gives("1<-2", "0"),
    _gives("3!=4", "1"),
    _gives("!1==0", "1"),
    _gives("7//2", "3"),
    *(
        _fails(text, "syntax_error")
        for text in (
            *("", " ", "()", "min()", "abs(1,)", "abs 1", "1,2", "(1,2)", "2(3)", "(2)(3)"),
            *("(1", "1)", "foo(1) )", ")" + "(" * 21, "1 < 2 < 3", "0 == 1 < 2", "1 < =2"),
            *("1 = 1", "1 & 1", "1 | 1", "2 ** 3", "7///2", "7/ /2", "1 ? 2", "1 : 2", "1 +"),
            *("*1", "2x", "2 x", "1e3", "0x1", "1_000", "1.", ".5", "1.2.3", "1. 2"),
            *("0000000000000000001", "0.0000000000000000001", "1 || " + "x" * 33, "x'"),
            *("é", "１", "𝟙", "1 − 1", "1\u00a0+ 2", "1\f+ 2", "1\u2028+ 2"),
        )
    ),
    # Variables and their names.
    _gives("x", "3/2", ("x",), x="6/4"),
    _gives("x", "2", ("x",), x="4/2"),
    _gives("x", "0", ("x",), x="-0", y="1"),
    _gives("-x^2", "-1/4", ("x",), x="-1/2"),
    _gives("b + B + _a + a1 + b", "11", ("B", "_a", "a1", "b"), b="1", B="2", _a="3", a1="4"),
    _gives("abs(abs) + abs", "0", ("abs",), abs="-3"),
    _gives("x" * 32, "5", ("x" * 32,), **{"x" * 32: "5"}),
    # Errors of the whole expression, evaluated or not, and their order.
    _gives("(" * 20 + "1" + ")" * 20, "1"),
    _gives("(1)+" * 21 + "1", "22"),
    _fails("(" * 21 + "1" + ")" * 21, "too_deep"),
    _fails("(" * 21, "too_deep"),
    _fails("é foo(" + "(" * 20, "too_deep"),
    _fails("1 + foo(1) + é", "syntax_error"),
    _fails("0 && foo(1, y)", "unknown_function"),
    _fails("y + abs(1, 2) + foo(1)", "unknown_function"),
    _fails("x(1)", "unknown_function", x="1"),
    _fails("ABS(1)", "unknown_function"),
    _fails("abs(1, y)", "bad_arity"),
    _fails("y + gcd(1)", "bad_arity"),
    _fails("1 || round(1, 2)", "bad_arity"),
    _fails("gcd(1, 2, 3)", "bad_arity"),
    _fails("1 || abs", "unknown_variable"),
    _fails("1/0 + X", "unknown_variable", x="1"),
    # Errors of the evaluation, and which is met first.
    _fails("1 % (1/2 - 0.5) + 2^(1/2)", "division_by_zero"),
    _fails("0 / 0", "division_by_zero"),
    _fails("1 // 0", "division_by_zero"),
    _fails("0^-1", "division_by_zero"),
    _fails("0^-64", "division_by_zero"),
    _fails("1 && 1/0", "division_by_zero"),
    _fails("1/0 && 0", "division_by_zero"),
    _fails("gcd(1/2, 1/0)", "division_by_zero"),
    _fails("(1/0)^(1/2)", "division_by_zero"),
    _fails("0^-65", "bad_exponent"),
    _fails("0^(-1/2)", "bad_exponent"),
    _fails("1^65", "bad_exponent"),
    _fails("1^-65", "bad_exponent"),
    _fails("2^(1/2) + 1/0", "bad_exponent"),
    _fails("(2^65) / 0", "bad_exponent"),
    _fails("1 / (2^65)", "bad_exponent"),
    _fails("gcd(1/2, 1)", "bad_argument"),
    _fails("gcd(1, 1/2) ^ (1/2)", "bad_argument"),
    # Results that are too large: only of operators, and only their own results.
    _gives("10^50*10^50*1.0", "1" + "0" * 100),
    _gives("-(10^50*10^50)", "-1" + "0" * 100),
    _gives("1 / 10^50 / 10^50", "1/1" + "0" * 100),
    _gives("10^50*10^50 % (1/3)", "0"),
    _fails("10^50*10^50*10", "too_large"),
    _fails("10^50*10^50 + 1", "too_large"),
    _fails("-(10^50*10^50) - 1", "too_large"),
    _fails("1 / 10^50 / 10^51", "too_large"),
    _fails("10^50*10^50 // (1/3)", "too_large"),
    _fails("1000^34", "too_large"),
    _fails("(10^50*10^51) + 1/0", "too_large"),
    _fails("10^50*10^51 < 0", "too_large"),
)

FAMILY = Family(
    number=41,
    slug="expression-evaluator",
    title="Exact expression evaluator",
    category="parsing",
    difficulty=Difficulty.DEMANDING,
    summary=_SUMMARY,
    fields=(
        required("expr", Text(0, 200), "The expression."),
        optional(
            "vars",
            Mapped(
                Pattern(
                    r"[A-Za-z_][A-Za-z0-9_]{0,31}",
                    "an ASCII letter or `_`, then 0 to 31 ASCII letters, digits or `_`",
                    ("x", "_", "a" * 32, "Z9_"),
                    ("1x", "a-b", "x y", "é", "a" * 33, "x'"),
                ),
                rational(),
                50,
            ),
            {},
            "The values of the variables.",
        ),
    ),
    result=_RESULT,
    errors=(
        ErrorCode(
            "too_deep",
            "Reading the characters of `expr` from the left, the number of `(` minus the number of "
            "`)` is above 20 at some point, whatever else is wrong with `expr`.",
        ),
        ErrorCode(
            "syntax_error",
            "`expr` cannot be cut into tokens, or the tokens are not an `expr` of the grammar.",
        ),
        ErrorCode("unknown_function", "A name before `(` is none of the eight functions."),
        ErrorCode("bad_arity", "A function has a number of arguments that it does not take."),
        ErrorCode("unknown_variable", "A variable of the expression is not in `vars`."),
        ErrorCode("division_by_zero", "`/`, `//` or `%` by 0, or 0 to the power of less than 0."),
        ErrorCode("bad_exponent", "In `a ^ b`, b is not an integer, or it is not from -64 to 64."),
        ErrorCode("bad_argument", "An argument of `gcd` is not an integer."),
        ErrorCode(
            "too_large",
            "The result of a binary `+`, `-`, `*`, `/`, `//`, `%` or `^` has, in lowest terms, a "
            "numerator above 10^100 or below -10^100, or a denominator above 10^100.",
        ),
    ),
    precedence=_PRECEDENCE,
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        {
            "expr": "-2^2 + 7 // -2 * x % 3 < 0 && !(x == 5/2) || gcd(12, 18) == 6"
            " ? max(1/3, x - 2) : 1/0",
            "vars": {"x": "5/2"},
        },
        {"value": "1/2", "integer": False, "names": ["x"]},
    ),
    boundaries=_BOUNDARIES,
    examples=(
        _gives(
            "limit > 2 && !stop ? round(-x / 2) - 2^-1 : 1 / 0",
            "-7/2",
            ("limit", "stop", "x"),
            limit="5/2",
            stop="-0",
            x="10/2",
        ),
        _fails("2 + 3 * (1 / (0.5 - 1/2)) ^ 65", "division_by_zero"),
    ),
    malformed=(
        {"expr": None},
        {"expr": 1},
        {"expr": ["1"]},
        {"expr": "1" + " " * 200},
        {"expr": "𝟙" * 201},
        {"expr": "1", "vars": None},
        {"expr": "1", "vars": []},
        {"expr": "1", "vars": "x"},
        {"expr": "x", "vars": {"x": 1}},
        {"expr": "x", "vars": {"x": 0.5}},
        {"expr": "x", "vars": {"x": True}},
        {"expr": "x", "vars": {"x": None}},
        {"expr": "x", "vars": {"x": ["1"]}},
        {"expr": "x", "vars": {"x": ""}},
        {"expr": "x", "vars": {"x": "01"}},
        {"expr": "x", "vars": {"x": "1/0"}},
        {"expr": "x", "vars": {"x": "1/-2"}},
        {"expr": "x", "vars": {"x": "+1"}},
        {"expr": "x", "vars": {"x": "1.5"}},
        {"expr": "x", "vars": {"x": "1e3"}},
        {"expr": "x", "vars": {"x": "2*3"}},
        {"expr": "x", "vars": {"x": "1000000000000000000"}},
        {"expr": "1 +", "vars": {"": "1"}},
        {"expr": "1", "vars": {"1x": "1"}},
        {"expr": "1", "vars": {"a-b": "1"}},
        {"expr": "1", "vars": {"x ": "1"}},
        {"expr": "1", "vars": {"é": "1"}},
        {"expr": "1", "vars": {"x" * 33: "1"}},
        {"expr": "1", "vars": {f"x{n}": "1" for n in range(51)}},
    ),
)
