# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Evaluates an arithmetic expression exactly; every value is a fraction."""

import math
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any, NamedTuple

_MAX_DEPTH = 20
_MAX_DIGITS = 18
_MAX_NAME = 32
_MAX_EXPONENT = 64
_LIMIT = 10**100

# `[0-9]` and not `\d`, which also takes the digits of other scripts.
_FRACTION = re.compile(r"-?(?:0|[1-9][0-9]{0,17})(?:/[1-9][0-9]{0,17})?")
_VARIABLE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,31}")
# The runs have no limits here: too long a run is an error, and must not become two tokens. Of the
# signs the long ones come first, so that each token is as long as possible.
_TOKEN = re.compile(
    r"(?P<space>[ \t\r\n]+)"
    r"|(?P<number>[0-9]+(?:\.[0-9]+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<sign>//|==|!=|<=|>=|&&|\|\||[-+*/%^!<>?:(),])"
)


class _ExpressionError(Exception):
    """The expression has no value; the message is the code of the error."""


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Evaluate an expression.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    variables = {name: Fraction(text) for name, text in fields.get("vars", {}).items()}
    try:
        return {"result": _evaluate(fields["expr"], variables)}
    except _ExpressionError as expression_error:
        return {"error": {"code": str(expression_error)}}


def _evaluate(text: str, variables: dict[str, Fraction]) -> dict[str, Any]:
    """Check a whole expression, then compute it and make the result.

    Args:
        text: The expression.
        variables: The value of each variable that there is.

    Returns:
        The result of the contract.

    Raises:
        _ExpressionError: The expression has no value.
    """
    if _depth(text) > _MAX_DEPTH:
        raise _ExpressionError("too_deep")
    parser = _Parser(_tokens(text))
    tree = parser.parse()
    # One kind of error at a time, each over the whole expression: an unknown function at its end
    # comes before a wrong number of arguments at its start.
    if any(name not in _FUNCTIONS for name, _ in parser.calls):
        raise _ExpressionError("unknown_function")
    if any(not _FUNCTIONS[name].takes(count) for name, count in parser.calls):
        raise _ExpressionError("bad_arity")
    if not parser.names <= variables.keys():
        raise _ExpressionError("unknown_variable")
    value = _value(tree, variables)
    return {
        "value": str(value),
        "integer": value.denominator == 1,
        "names": sorted(parser.names),
    }


def _depth(text: str) -> int:
    """Give the greatest surplus of opening over closing brackets, wherever they stand."""
    steps = ((character == "(") - (character == ")") for character in text)
    return max(accumulate(steps, initial=0))


# ------------------------------------------------------------------------------------- the tokens


class _Token(NamedTuple):
    """A piece of the expression: a `number`, a `name`, a `sign`, or its `end`."""

    kind: str
    text: str


def _tokens(text: str) -> list[_Token]:
    """Cut an expression into tokens.

    Args:
        text: The expression.

    Returns:
        Its tokens, the last of which is the end.

    Raises:
        _ExpressionError: Something is no token.
    """
    tokens: list[_Token] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None or _is_too_long(match):
            raise _ExpressionError("syntax_error")
        if match["space"] is None:
            tokens.append(_Token(str(match.lastgroup), match[0]))
        position = match.end()
    return [*tokens, _Token("end", "")]


def _is_too_long(match: re.Match[str]) -> bool:
    """Tell whether a name or one of the two runs of digits of a number is too long."""
    if match["name"] is not None:
        return len(match["name"]) > _MAX_NAME
    return match["number"] is not None and any(
        len(run) > _MAX_DIGITS for run in match["number"].split(".")
    )


# --------------------------------------------------------------------------------------- the tree


@dataclass(frozen=True)
class _Number:
    """A number in the expression."""

    value: Fraction


@dataclass(frozen=True)
class _Variable:
    """The value of a variable."""

    name: str


@dataclass(frozen=True)
class _Call:
    """A function of its arguments."""

    name: str
    arguments: "list[_Node]"


@dataclass(frozen=True)
class _Prefix:
    """A sign before an operand."""

    sign: str
    operand: "_Node"


@dataclass(frozen=True)
class _Infix:
    """A sign between two operands."""

    sign: str
    left: "_Node"
    right: "_Node"


@dataclass(frozen=True)
class _Choice:
    """One of two operands, as the condition says."""

    condition: "_Node"
    then: "_Node"
    otherwise: "_Node"


_Node = _Number | _Variable | _Call | _Prefix | _Infix | _Choice


class _Parser:
    """Reads tokens by the grammar of the contract, one method for each of its rules.

    The recursion stays far from the limit of Python: an expression has at most 200 characters, and
    its brackets are known not to be too deep.

    Attributes:
        calls: The name and the number of arguments of each call that was read.
        names: The names of the variables that were read.
    """

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._position = 0
        self.calls: list[tuple[str, int]] = []
        self.names: set[str] = set()

    def parse(self) -> _Node:
        """Read all tokens.

        Returns:
            The tree of the expression.

        Raises:
            _ExpressionError: The tokens are not an expression.
        """
        tree = self._expr()
        if self._next.kind != "end":
            raise _ExpressionError("syntax_error")
        return tree

    @property
    def _next(self) -> _Token:
        return self._tokens[self._position]

    def _take(self, *signs: str) -> str | None:
        """Go past the next token and give it if it is one of some signs."""
        text = self._next.text
        if text not in signs:
            return None
        self._position += 1
        return text

    def _expect(self, sign: str) -> None:
        if self._take(sign) is None:
            raise _ExpressionError("syntax_error")

    def _expr(self) -> _Node:
        condition = self._or()
        if not self._take("?"):
            return condition
        then = self._expr()
        self._expect(":")
        return _Choice(condition, then, self._expr())

    def _or(self) -> _Node:
        return self._chain(self._and, "||")

    def _and(self) -> _Node:
        return self._chain(self._cmp, "&&")

    def _cmp(self) -> _Node:
        left = self._sum()
        sign = self._take(*_COMPARISONS)
        return _Infix(sign, left, self._sum()) if sign else left

    def _sum(self) -> _Node:
        return self._chain(self._prod, "+", "-")

    def _prod(self) -> _Node:
        return self._chain(self._unary, "*", "/", "//", "%")

    def _chain(self, operand: Callable[[], _Node], *signs: str) -> _Node:
        """Read operands with signs between them, which are carried out from left to right."""
        tree = operand()
        while sign := self._take(*signs):
            tree = _Infix(sign, tree, operand())
        return tree

    def _unary(self) -> _Node:
        sign = self._take("-", "+", "!")
        return _Prefix(sign, self._unary()) if sign else self._power()

    def _power(self) -> _Node:
        base = self._atom()
        return _Infix("^", base, self._unary()) if self._take("^") else base

    def _atom(self) -> _Node:
        if self._take("("):
            tree = self._expr()
            self._expect(")")
            return tree
        kind, text = self._next
        if kind not in ("number", "name"):
            raise _ExpressionError("syntax_error")
        self._position += 1
        if kind == "number":
            return _Number(Fraction(text))
        if self._take("("):
            return self._call(text)
        self.names.add(text)
        return _Variable(text)

    def _call(self, name: str) -> _Node:
        """Read the arguments of a function, after the opening bracket."""
        arguments = [self._expr()]
        while self._take(","):
            arguments.append(self._expr())
        self._expect(")")
        self.calls.append((name, len(arguments)))
        return _Call(name, arguments)


# ------------------------------------------------------------------------------------- the values


def _value(node: _Node, variables: dict[str, Fraction]) -> Fraction:
    """Compute the value of a tree.

    Args:
        node: A tree whose functions and variables are all known.
        variables: The value of each variable.

    Returns:
        The value.

    Raises:
        _ExpressionError: Something that is evaluated has no value.
    """
    match node:
        case _Number(value):
            return value
        case _Variable(name):
            return variables[name]
        case _Call(name, arguments):
            values = [_value(argument, variables) for argument in arguments]
            return _FUNCTIONS[name].compute(values)
        case _Prefix(sign, operand):
            return _prefixed(sign, _value(operand, variables))
        case _Infix("&&", left, right):
            return _truth(bool(_value(left, variables)) and bool(_value(right, variables)))
        case _Infix("||", left, right):
            return _truth(bool(_value(left, variables)) or bool(_value(right, variables)))
        case _Infix(sign, left, right):
            return _combined(sign, _value(left, variables), _value(right, variables))
        case _Choice(condition, then, otherwise):
            return _value(then if _value(condition, variables) else otherwise, variables)


def _truth(truth: bool) -> Fraction:
    """Give the value that stands for true or false."""
    return Fraction(1 if truth else 0)


def _prefixed(sign: str, operand: Fraction) -> Fraction:
    """Carry out a sign before an operand."""
    match sign:
        case "-":
            return -operand
        case "!":
            return _truth(operand == 0)
    return operand


def _combined(sign: str, left: Fraction, right: Fraction) -> Fraction:
    """Carry out a sign between two operands that are both evaluated.

    Args:
        sign: Any sign between two operands except `&&` and `||`.
        left: The left operand.
        right: The right operand.

    Returns:
        The value.

    Raises:
        _ExpressionError: It does not exist or is too large.
    """
    if sign in _COMPARISONS:
        return _truth(_COMPARISONS[sign](left, right))
    value = _ARITHMETIC[sign](left, right)
    if abs(value.numerator) > _LIMIT or value.denominator > _LIMIT:
        raise _ExpressionError("too_large")
    return value


def _divide(left: Fraction, right: Fraction) -> Fraction:
    """Give the exact quotient."""
    if right == 0:
        raise _ExpressionError("division_by_zero")
    return left / right


def _divide_floor(left: Fraction, right: Fraction) -> Fraction:
    """Give the floor of the quotient."""
    return Fraction(math.floor(_divide(left, right)))


def _modulo(left: Fraction, right: Fraction) -> Fraction:
    """Give what the floor of the quotient leaves; it has the sign of the divisor."""
    return left - right * _divide_floor(left, right)


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    """Give a power with an integer exponent."""
    # This comes first: an exponent that is bad and negative is bad even for the base 0.
    if exponent.denominator != 1 or abs(exponent) > _MAX_EXPONENT:
        raise _ExpressionError("bad_exponent")
    if base == 0 and exponent < 0:
        raise _ExpressionError("division_by_zero")
    return base**exponent.numerator


def _round(value: Fraction) -> Fraction:
    """Give the nearest integer, halves away from 0."""
    size = math.floor(abs(value) + Fraction(1, 2))
    return Fraction(-size if value < 0 else size)


def _sign(value: Fraction) -> Fraction:
    """Give -1, 0 or 1."""
    return Fraction((value > 0) - (value < 0))


def _gcd(values: list[Fraction]) -> Fraction:
    """Give the greatest common divisor of integers."""
    if any(value.denominator != 1 for value in values):
        raise _ExpressionError("bad_argument")
    return Fraction(math.gcd(*(value.numerator for value in values)))


class _Function(NamedTuple):
    """A function of the language; without `most` it takes any number of arguments from `least`."""

    least: int
    most: int | None
    compute: Callable[[list[Fraction]], Fraction]

    def takes(self, count: int) -> bool:
        """Tell whether it can have so many arguments."""
        return self.least <= count and (self.most is None or count <= self.most)


def _of_one(compute: Callable[[Fraction], Fraction]) -> _Function:
    """Make a function of just one argument."""
    return _Function(1, 1, lambda values: compute(values[0]))


_COMPARISONS: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_ARITHMETIC: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _divide,
    "//": _divide_floor,
    "%": _modulo,
    "^": _power,
}
_FUNCTIONS: dict[str, _Function] = {
    "abs": _of_one(abs),
    "floor": _of_one(lambda value: Fraction(math.floor(value))),
    "ceil": _of_one(lambda value: Fraction(math.ceil(value))),
    "round": _of_one(_round),
    "sign": _of_one(_sign),
    "min": _Function(1, None, min),
    "max": _Function(1, None, max),
    "gcd": _Function(2, 2, _gcd),
}


# ------------------------------------------------------------------------------------- the fields


def _is_expression(value: Any) -> bool:
    """Tell whether a value is a string of at most 200 code points."""
    return isinstance(value, str) and len(value) <= 200


def _are_variables(value: Any) -> bool:
    """Tell whether a value is an object that the contract allows as variables."""
    return (
        isinstance(value, dict)
        and len(value) <= 50
        and all(
            _VARIABLE_NAME.fullmatch(name) and isinstance(text, str) and _FRACTION.fullmatch(text)
            for name, text in value.items()
        )
    )


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "expr": _is_expression,
    "vars": _are_variables,
}
_REQUIRED = ("expr",)


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
