# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Converts an exact value from one compound unit to another."""

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

_LIMIT = 10**60
_CHUNK = 4000

# `[0-9]` and not `\d`, which also takes the digits of other scripts.
_FRACTION = re.compile(r"-?(?:0|[1-9][0-9]{0,17})(?:/[1-9][0-9]{0,17})?")
_NAME = re.compile(r"[^ \t\r\n*/^0-9][^ \t\r\n*/^]{0,15}")
_FACTOR = re.compile(rf"(?P<one>1)|(?P<name>{_NAME.pattern})(?:\^(?P<exponent>-?[0-9]))?")

# An expression: the names in it, each with its exponent. A name can occur several times.
_Expression = list[tuple[str, int]]


class _UnitError(Exception):
    """The value cannot be converted; the message is the code of the error."""


class _Product(NamedTuple):
    """A number times powers of base units; no exponent is 0."""

    factor: Fraction
    dimension: dict[str, int]


class _Definition(NamedTuple):
    """What a unit is: `scale` times an expression, or a base unit if that is `None`."""

    scale: Fraction
    of: _Expression | None


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Convert a value.

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
        return {"result": _convert(fields)}
    except _UnitError as unit_error:
        return {"error": {"code": str(unit_error)}}


def _convert(fields: dict[str, Any]) -> dict[str, Any]:
    """Check all units, then convert the value and make the result.

    Args:
        fields: Valid fields.

    Returns:
        The result of the contract.

    Raises:
        _UnitError: The value cannot be converted.
    """
    units: list[dict[str, Any]] = fields["units"]
    if len({unit["name"] for unit in units}) < len(units):
        raise _UnitError("duplicate_unit")
    # One kind of error at a time, each over all expressions.
    definitions = {unit["name"]: _definition(unit) for unit in units}
    source, target = _parse(fields["from"]), _parse(fields["to"])
    expressions = [unit.of for unit in definitions.values() if unit.of is not None]
    for expression in (*expressions, source, target):
        if any(name not in definitions for name, _ in expression):
            raise _UnitError("unknown_unit")
    products = _products(definitions)
    given, wanted = _expand(source, products), _expand(target, products)
    if given.dimension != wanted.dimension:
        raise _UnitError("dimension_mismatch")
    value = Fraction(fields["value"]) * given.factor / wanted.factor
    return {
        "value": _fraction_text(value),
        "rounded": _rounded(value, fields.get("places", 4)),
        "dimension": given.dimension,
    }


def _definition(unit: dict[str, Any]) -> _Definition:
    """Read the definition of a unit.

    Args:
        unit: A valid object of `units`.

    Returns:
        The definition.

    Raises:
        _UnitError: `of` is no expression.
    """
    of = _parse(unit["of"]) if "of" in unit else None
    return _Definition(Fraction(unit.get("scale", "1")), of)


def _parse(text: str) -> _Expression:
    """Read an expression.

    Args:
        text: What should be one.

    Returns:
        The expression; a factor that the contract divides by has its exponent negated.

    Raises:
        _UnitError: It is no expression.
    """
    expression: _Expression = []
    # No name has a `*` or a `/`, so these can only stand between two factors. What was split off
    # alternates: a factor, a sign, a factor.
    pieces = re.split(r"([*/])", text)
    for sign, piece in zip(["*", *pieces[1::2]], pieces[::2], strict=True):
        match = _FACTOR.fullmatch(piece)
        if match is None:
            raise _UnitError("bad_expression")
        if match["one"] is None:
            exponent = int(match["exponent"] or 1)
            expression.append((match["name"], -exponent if sign == "/" else exponent))
    return expression


def _products(definitions: dict[str, _Definition]) -> dict[str, _Product]:
    """Expand all units.

    Args:
        definitions: The definition of each unit. No expression in them has an unknown name.

    Returns:
        What each unit is in base units.

    Raises:
        _UnitError: A unit is defined by itself, or its factor is too large.
    """
    order = _order(definitions)
    products: dict[str, _Product] = {}
    for name in order:
        scale, of = definitions[name]
        if of is None:
            products[name] = _Product(Fraction(1), {name: 1})
            continue
        factor, dimension = _expand(of, products)
        factor *= scale
        # This stops here, or the factors of long chains of units would grow beyond all bounds.
        if factor.numerator > _LIMIT or factor.denominator > _LIMIT:
            raise _UnitError("scale_overflow")
        products[name] = _Product(factor, dimension)
    return products


def _order(definitions: dict[str, _Definition]) -> list[str]:
    """Put the units in an order in which each comes after those that define it.

    Args:
        definitions: The definition of each unit. No expression in them has an unknown name.

    Returns:
        The names of all units.

    Raises:
        _UnitError: There is no such order.
    """
    # Exponents do not matter here: a unit that uses itself with the exponent 0 is cyclic too.
    waiting = {name: {used for used, _ in unit.of or []} for name, unit in definitions.items()}
    order: list[str] = []
    while waiting:
        ready = [name for name, used in waiting.items() if used.isdisjoint(waiting)]
        if not ready:
            raise _UnitError("cyclic_unit")
        order += ready
        for name in ready:
            del waiting[name]
    return order


def _expand(expression: _Expression, products: dict[str, _Product]) -> _Product:
    """Replace the units of an expression, all of which are expanded already."""
    factor = Fraction(1)
    dimension: dict[str, int] = {}
    for name, exponent in expression:
        unit = products[name]
        factor *= unit.factor**exponent
        for base, power in unit.dimension.items():
            dimension[base] = dimension.get(base, 0) + power * exponent
    return _Product(factor, {base: power for base, power in dimension.items() if power != 0})


# ------------------------------------------------------------------------------------- the writing


def _rounded(value: Fraction, places: int) -> str:
    """Write a number with a fixed number of decimals."""
    # `round` takes the even one of two integers that are equally near.
    units = round(value * 10**places)
    digits = _digits(abs(units)).zfill(places + 1)
    point = len(digits) - places
    text = digits if places == 0 else f"{digits[:point]}.{digits[point:]}"
    return f"-{text}" if units < 0 else text


def _fraction_text(value: Fraction) -> str:
    """Write a fraction; one is always in lowest terms."""
    sign = "-" if value < 0 else ""
    text = sign + _digits(abs(value.numerator))
    return text if value.denominator == 1 else f"{text}/{_digits(value.denominator)}"


def _digits(number: int) -> str:
    """Write an integer that is not negative.

    That is done in pieces, because Python refuses to write integers of more than 4300 digits.
    """
    pieces: list[str] = []
    while number >= 10**_CHUNK:
        number, piece = divmod(number, 10**_CHUNK)
        pieces.append(str(piece).zfill(_CHUNK))
    return str(number) + "".join(reversed(pieces))


# -------------------------------------------------------------------------------------- the fields


def _is_fraction(value: Any) -> bool:
    """Tell whether a value is a string that is a fraction."""
    return isinstance(value, str) and _FRACTION.fullmatch(value) is not None


def _is_scale(value: Any) -> bool:
    """Tell whether a value is a fraction greater than 0."""
    return _is_fraction(value) and Fraction(value) > 0


def _is_name(value: Any) -> bool:
    """Tell whether a value is a string that has the form of a name."""
    return isinstance(value, str) and _NAME.fullmatch(value) is not None


def _is_expression_text(value: Any) -> bool:
    """Tell whether a value is a string of 1 to 100 code points."""
    return isinstance(value, str) and 1 <= len(value) <= 100


def _is_unit(value: Any) -> bool:
    """Tell whether a value is a definition that the contract allows."""
    return (
        isinstance(value, dict)
        and _is_name(value.get("name"))
        and ("of" not in value or _is_expression_text(value["of"]))
        and ("scale" not in value or _is_scale(value["scale"]))
    )


def _are_units(value: Any) -> bool:
    """Tell whether a value is an array of 1 to 60 definitions."""
    return isinstance(value, list) and 1 <= len(value) <= 60 and all(map(_is_unit, value))


def _are_places(value: Any) -> bool:
    """Tell whether a value is an integer from 0 to 10; a boolean is none."""
    return type(value) is int and 0 <= value <= 10


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "units": _are_units,
    "value": _is_fraction,
    "from": _is_expression_text,
    "to": _is_expression_text,
    "places": _are_places,
}
_REQUIRED = ("units", "value", "from", "to")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
