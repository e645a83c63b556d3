"""Unit conversion: units defined by one another, expanded to base units with exact factors."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from typing import Any, NamedTuple

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import (
    Array,
    Checked,
    Integer,
    Pattern,
    Record,
    Text,
    absentable,
    optional,
    rational,
    required,
)

_SUMMARY = """\
Converts an exact value from one compound unit to another.

**Units.** Each object of `units` defines the unit `name`. Without `of` it is a base unit, and its
`scale` is ignored. With `of` it is a derived unit: one of it is `scale` times the expression `of`.
Units may be defined in any order, also after they are used in an `of`.

**Expressions.** `of`, `from` and `to` are expressions: one factor or more, with `*` or `/` between
two of them, without blanks. A factor is either `1` alone or a name. A name has the form that is
allowed for `name`, whether it is defined or not. `^` and an exponent may follow it: one ASCII
digit, with or without a `-` before it (`m^2`, `m^-2`). A name without `^` has the exponent 1. `*`
and `/` are carried out from left to right, so `/` divides by the next factor only: `m/s*s` is m,
and `m/s/s` is `m*s^-2`. A unit with the exponent 0 counts as 1.

**Expansion.** In an expression, every derived unit is replaced by its `scale` times its `of`, until
only base units are left. This gives a number, called the factor of the expression, times powers of
base units. The dimension of the expression is the exponent of each base unit in this product;
base units whose exponents add up to 0 do not belong to it.

The result is `value` * (factor of `from`) / (factor of `to`), computed exactly."""

_RESULT = """\
An object with these members:

- `value`: the result as a string: a fraction in lowest terms, `n`, or `n/d` with d > 1, the sign in
  front, zero is `0`.
- `rounded`: the result rounded to `places` decimals, as a string. It is rounded to the nearest such
  number; if two are equally near, to the one whose last digit is even. It has exactly `places`
  digits after the point, and at least one before it; with `places` 0 there is no point. A
  negative number has `-` in front, but a number that is rounded to zero has no `-`.
- `dimension`: an object: the name of each base unit in the dimension of `from`, with its exponent,
  an integer that is not 0. It is `{}` if there is none."""

_RULES = """\
- Names are compared exactly: `M` and `m` are different units. `m-1` and `(m)` are names, `2m` is
  none.
- All units are checked for errors, whether `from` and `to` use them or not.
- Objects of `units` may have other members. They are ignored.
- There are no requests for which a number of the result has more than 4000 digits."""

_LARGEST = 10**60
_NAME = r"[^ \t\r\n*/^0-9][^ \t\r\n*/^]{0,15}"
_FACTOR = re.compile(rf"([*/])(?:1|({_NAME})(?:\^(-?[0-9]))?)")
_EXPRESSION = re.compile(rf"(?:{_FACTOR.pattern})+")

_Powers = list[tuple[str, int]]
"""The names in an expression with their exponents, negative after ``/``."""


class _Measure(NamedTuple):
    """What an expression expands to."""

    factor: Fraction
    dimension: dict[str, int]


def _evaluate(fields: Mapping[str, Any]) -> Json:
    units = {unit["name"]: unit for unit in fields["units"]}
    if len(units) < len(fields["units"]):
        raise DomainError("duplicate_unit")
    derived = {name: _parsed(unit["of"]) for name, unit in units.items() if "of" in unit}
    source, target = _parsed(fields["from"]), _parsed(fields["to"])
    named = {name for powers in (*derived.values(), source, target) for name, _ in powers}
    if not named <= units.keys():
        raise DomainError("unknown_unit")
    known: dict[str, _Measure] = {}
    for name in _order(units, derived):
        known[name] = _measure(name, units[name], derived, known)
    (top, dimension), (bottom, other) = _expanded(source, known), _expanded(target, known)
    if dimension != other:
        raise DomainError("dimension_mismatch")
    value = Fraction(fields["value"]) * top / bottom
    return {
        "value": str(value),
        "rounded": _decimal(value, fields["places"]),
        "dimension": dimension,
    }


def _parsed(expression: str) -> _Powers:
    text = f"*{expression}"
    if _EXPRESSION.fullmatch(text) is None:
        raise DomainError("bad_expression")
    return [
        (name, int(exponent or 1) * (1 if operator == "*" else -1))
        for operator, name, exponent in _FACTOR.findall(text)
        if name
    ]


def _order(units: Iterable[str], derived: Mapping[str, _Powers]) -> list[str]:
    """All units, each after those that its definition names."""
    needs = {name: [other for other, _ in derived.get(name, ())] for name in units}
    try:
        return list(TopologicalSorter(needs).static_order())
    except CycleError:
        raise DomainError("cyclic_unit") from None


def _measure(
    name: str,
    unit: Mapping[str, str],
    derived: Mapping[str, _Powers],
    known: Mapping[str, _Measure],
) -> _Measure:
    """What a unit expands to, once all that its definition names is known."""
    if name not in derived:
        return _Measure(Fraction(1), {name: 1})
    factor, dimension = _expanded(derived[name], known)
    factor *= Fraction(unit.get("scale", "1"))
    if max(factor.numerator, factor.denominator) > _LARGEST:
        raise DomainError("scale_overflow")
    return _Measure(factor, dimension)


def _expanded(powers: _Powers, known: Mapping[str, _Measure]) -> _Measure:
    factor, exponents = Fraction(1), Counter[str]()
    for name, exponent in powers:
        factor *= known[name].factor ** exponent
        for base, count in known[name].dimension.items():
            exponents[base] += count * exponent
    return _Measure(factor, {base: count for base, count in exponents.items() if count})


def _decimal(value: Fraction, places: int) -> str:
    scaled = round(value * 10**places)  # halves to even
    digits = f"{abs(scaled):0{places + 1}}"
    whole, decimals = digits[: len(digits) - places], digits[len(digits) - places :]
    sign = "-" if scaled < 0 else ""
    return f"{sign}{whole}.{decimals}" if places else f"{sign}{whole}"


def _generate(rng: random.Random) -> dict[str, Json]:
    units = _draw_units(rng)
    names = {unit["name"] for unit in units}
    groups = [[name for name in group if name in names] for group in _ALIKE]
    groups = [group for group in groups if group]
    powers: list[tuple[list[str], int]] = [(rng.choice(groups), rng.choice([1, 1, 2, -1, -2, 0]))]
    while len(powers) < 8 and rng.random() < 0.6:
        powers.append((rng.choice(groups), rng.choice([1, 1, -1, -1, 3])))
    source = _draw_expression(rng, powers)
    rng.shuffle(powers)
    target = _draw_expression(rng, powers)
    rng.shuffle(units)
    drawn: dict[str, Json] = {
        "units": [*units],
        "value": rng.choice(["1", "-0", "50", "-7/3", "1/8", "-5/2", "25/2", "999999999999999999"]),
        "from": source,
        "to": target,
    }
    if rng.random() < 0.75:
        drawn["places"] = rng.choice([0, 0, 1, 2, 3, 6, 10])
    return _draw_fault(rng, drawn) if rng.random() < 0.3 else drawn


def _draw_units(rng: random.Random) -> list[dict[str, str]]:
    """All base units, and most of the derived units whose definitions name a unit that is there."""
    units = [{"name": name} for name in _BASES]
    for name, of in _DERIVED:
        names = {unit["name"] for unit in units}
        if names.issuperset(other for other, _ in _parsed(of)) and rng.random() < 0.8:
            units.append({"name": name, "of": of})
    for unit in units:
        if rng.random() < 0.8:
            unit["scale"] = rng.choice(["1000", "60", "1/1000", "127/5000", "2/4", "1/3", "7"])
    return units


def _draw_expression(rng: random.Random, powers: list[tuple[list[str], int]]) -> str:
    """A product of powers; which of some names that are alike it takes is left to chance."""
    text = "1" if rng.random() < 0.2 else ""
    for names, exponent in powers:
        operator = "*" if text else ""
        if exponent < 0 and text and rng.random() < 0.6:
            operator, exponent = "/", -exponent
        power = "" if exponent == 1 and rng.random() < 0.8 else f"^{exponent}"
        text += f"{operator}{rng.choice(names)}{power}"
    return text


def _draw_fault(rng: random.Random, drawn: dict[str, Json]) -> dict[str, Json]:
    """An input with a fault or two."""
    units = list(drawn["units"])
    faults = ["twice", "text", "unknown", "cycle", "large", "dimension"]
    for fault in rng.sample(faults, rng.choice([1, 1, 1, 2])):
        if fault == "twice":
            units.append({"name": rng.choice(units)["name"], "of": rng.choice(["m", "1", "m^"])})
        elif fault == "text":
            drawn[rng.choice(["from", "to"])] = rng.choice(_NO_EXPRESSIONS)
        elif fault == "unknown":
            units.append({"name": "lost", "of": rng.choice(["M", "m/?^0", "m^1*mm2", "1*1/q"])})
        elif fault == "cycle":
            units += rng.choice(_CYCLES)
        elif fault == "large":
            units += [{"name": "B", "of": "1", "scale": "1000000000"}, *rng.choice(_LARGE)]
        else:
            drawn["to"] = f"{drawn['to']}*{rng.choice(['m', 's^2', '𝑘𝑔^-1'])}"
    return {**drawn, "units": units}


# A definition names only units that stand before it. The scales are drawn.
_BASES = ("m", "s", "𝑘𝑔", "·")
_DERIVED = (
    *(("km", "m"), ("µm", "m/1"), ("Ʊ", "km"), ("h", "1*s"), ("jour", "h*·^0"), ("g", "𝑘𝑔")),
    *(("N", "𝑘𝑔*m/s^2"), ("dyn", "g*m*s^-2"), ("l", "m^3"), ("m³", "km*m^2"), ("%", "1")),
    *(("rad", "m/km"), ("e3!", "·/·")),
)
_ALIKE = (
    *(("m", "km", "µm", "Ʊ"), ("s", "h", "jour"), ("𝑘𝑔", "g"), ("·",)),
    *(("N", "dyn"), ("l", "m³"), ("%", "rad", "e3!")),
)
_NO_EXPRESSIONS = (
    *("m s", "m**s", "*m", "m*", "m//s", "m^", "m^10", "m^+1", "m^1.5", "m^²", "1^2", "2", "2*m"),
    *("11", "1m", "m^s", "m\ts", " m", "m\n", "m^--1", "^2", "m" * 17, "m^٣"),
)
_CYCLES = (
    [{"name": "loop", "of": "loop"}],
    [{"name": "x1", "of": "m*x2^0"}, {"name": "x2", "of": "x1"}],
    [{"name": "x1", "of": "x2"}, {"name": "x3", "of": "1/x1"}, {"name": "x2", "of": "x3^2"}],
)
_LARGE = (
    [{"name": "C", "of": "B^7"}],
    [{"name": "C", "of": "1/B^7"}],
    [{"name": "C", "of": "B^3"}, {"name": "D", "of": "m*C^-3"}],
)


def _base(*names: str) -> list[Json]:
    return [{"name": name} for name in names]


def _unit(name: str, of: str, scale: str = "") -> Json:
    unit = {"name": name, "of": of}
    return {**unit, "scale": scale} if scale else unit


def _asked(
    units: list[Json], source: str, target: str, value: str = "1", places: int | None = None
) -> dict[str, Json]:
    fields: dict[str, Json] = {"units": units, "value": value, "from": source, "to": target}
    return fields if places is None else {**fields, "places": places}


def _converted(value: str, rounded: str, **dimension: int) -> Json:
    return {"value": value, "rounded": rounded, "dimension": {**dimension}}


def _rounding(value: str, places: int, rounded: str) -> Case:
    """A conversion of a value that is written as its result is."""
    return Case(_asked(_base("a"), "a", "a", value, places), _converted(value, rounded, a=1))


_SI = _base("m", "s")
_TIMES = [
    *(_unit("day", "h", "24"), _unit("h", "min", "60"), _unit("min", "s", "60")),
    *_base("s"),
]
_POWERS = [*_base("a"), _unit("b", "1", "1000000000000000"), _unit("c", "b^4")]

_BOUNDARIES = (
    # Expressions: from left to right, exponents, 1.
    Case(
        _asked(_base("a"), "a*a^-1", "1", "-1/8", 2),
        _converted("-1/8", "-0.12"),
    ),
    Case(
        _asked([*_base("m"), _unit("µm", "m", "1/1000000")], "m/µm^2*µm", "1", "3"),
        _converted("3000000", "3000000.0000"),
    ),
    Case(_asked(_SI, "m/s*s", "m", "7/3"), _converted("7/3", "2.3333", m=1)),
    Case(_asked(_SI, "m/s/s", "s^-2*m"), _converted("1", "1.0000", m=1, s=-2)),
    Case(_asked(_SI, "1/s", "s^-1"), _converted("1", "1.0000", s=-1)),
    Case(_asked(_SI, "m/m^-1", "1*m^2*1/1"), _converted("1", "1.0000", m=2)),
    Case(_asked(_SI, "m^9*m^9/s^9", "m^9/s^9*m^9"), _converted("1", "1.0000", m=18, s=-9)),
    Case(_asked(_SI, "m*s^0", "m*s^-0"), _converted("1", "1.0000", m=1)),
    Case(_asked(_SI, "1", "m^0/1", "5/4"), _converted("5/4", "1.2500")),
    # Definitions: in any order, over several steps, with powers, without scale.
    Case(_asked(_TIMES, "day", "min", "1/2"), _converted("720", "720.0000", s=1)),
    Case(_asked(_TIMES, "s^2", "h^2", "1", 10), _converted("1/12960000", "0.0000000772", s=2)),
    Case(
        _asked([*_base("m"), _unit("dm", "m", "1/10"), _unit("l", "dm^3")], "l", "m^3"),
        _converted("1/1000", "0.0010", m=3),
    ),
    Case(
        _asked([*_base("a"), _unit("b", "a"), _unit("c", "1/b", "2/4")], "c", "a^-1", "-3"),
        _converted("-3/2", "-1.5000", a=-1),
    ),
    Case(
        _asked([{"name": "a", "scale": "7"}], "a^2", "a^2", "3"),
        _converted("3", "3.0000", a=2),
    ),
    Case(_asked([_unit("dz", "1", "12")], "dz^2", "1", "2"), _converted("288", "288.0000")),
    Case(
        _asked([*_base("a"), _unit("x", "a/a", "5")], "x*a", "a"),
        _converted("5", "5.0000", a=1),
    ),
    Case(
        _asked([{"name": "a", "note": 1.5, "Of": "q"}], "a", "a"),
        _converted("1", "1.0000", a=1),
    ),
    # Names: compared exactly, with nearly all characters.
    Case(
        _asked(_base("(m)", "m-1", "٣m", "a\u00a0b"), "(m)*m-1/٣m", "m-1/٣m*(m)"),
        {"value": "1", "rounded": "1.0000", "dimension": {"(m)": 1, "m-1": 1, "٣m": -1}},
    ),
    Case(
        _asked(_base("😀" * 16), "😀" * 16 + "^2", "😀" * 16 + "^2"),
        {"value": "1", "rounded": "1.0000", "dimension": {"😀" * 16: 2}},
    ),
    Case(_asked(_base("M", "m"), "M", "m"), error="dimension_mismatch"),
    Case(_asked(_base("é", "e\u0301"), "é", "e\u0301"), error="dimension_mismatch"),
    # Rounding: halves to even, no minus zero, exact for any length.
    _rounding("3/8", 2, "0.38"),
    _rounding("5/2", 0, "2"),
    _rounding("7/2", 0, "4"),
    _rounding("-5/2", 0, "-2"),
    _rounding("-1/2", 0, "0"),
    _rounding("-2/3", 0, "-1"),
    _rounding("-1/20000", 4, "0.0000"),
    _rounding("3/20000", 4, "0.0002"),
    _rounding("-3/20000", 4, "-0.0002"),
    _rounding("99/100", 1, "1.0"),
    _rounding("1/4", 1, "0.2"),
    _rounding("999999999999999999", 10, "999999999999999999.0000000000"),
    _rounding("999999999999999999/2", 0, "500000000000000000"),
    _rounding("1/999999999999999999", 10, "0.0000000000"),
    Case(_asked(_base("a"), "a", "a", "-0/3"), _converted("0", "0.0000", a=1)),
    # The limit of factors: of whole units only, in lowest terms, used or not.
    Case(
        _asked(_POWERS, "c", "1", "1", 0),
        _converted("1" + "0" * 60, "1" + "0" * 60),
    ),
    Case(
        _asked(_POWERS, "c*c", "1", "-1", 1),
        _converted("-1" + "0" * 120, "-1" + "0" * 120 + ".0"),
    ),
    Case(
        _asked([*_POWERS, _unit("d", "c*c/b^8", "3"), _unit("e", "1/c")], "d", "1"),
        _converted("3", "3.0000"),
    ),
    Case(_asked([*_POWERS, _unit("d", "c", "2")], "a", "a"), error="scale_overflow"),
    Case(_asked([*_POWERS, _unit("d", "1/c", "1/2")], "a", "a"), error="scale_overflow"),
    Case(
        _asked([*_base("a"), _unit("b", "1", "1000000000"), _unit("c", "b^9")], "a", "a^2"),
        error="scale_overflow",
    ),
    Case(
        _asked([_unit("d", "e/e"), _unit("e", "c^2"), *_POWERS], "a", "a"), error="scale_overflow"
    ),
    # A base unit adds nothing to the factor: here it stands at the limit, and just beyond it.
    Case(
        _asked([*_POWERS, _unit("d", "a*c")], "d", "a", "1", 0),
        _converted("1" + "0" * 60, "1" + "0" * 60, a=1),
    ),
    Case(_asked([*_POWERS, _unit("d", "a/c", "1/2")], "a", "a"), error="scale_overflow"),
    Case(_asked([*_POWERS, _unit("d", "c/a", "2")], "a", "a"), error="scale_overflow"),
    # The other errors; the first of two, wherever it stands.
    Case(_asked(_base("a", "a"), "a b", "a"), error="duplicate_unit"),
    Case(
        _asked([_unit("a", "b**"), *_base("b"), _unit("a", "a")], "?", "b"),
        error="duplicate_unit",
    ),
    Case(_asked(_base("a"), "a^+1", "q"), error="bad_expression"),
    Case(
        _asked([_unit("b", "q"), _unit("c", "c^"), *_base("a")], "a", "a"), error="bad_expression"
    ),
    Case(_asked(_base("a"), "a", "a/"), error="bad_expression"),
    Case(_asked(_base("a"), "a", "q^0"), error="unknown_unit"),
    Case(_asked([*_base("a"), _unit("b", "b*q^0")], "a", "a^2"), error="unknown_unit"),
    Case(_asked(_base("m"), "(m)", "m"), error="unknown_unit"),
    Case(_asked([*_base("a"), _unit("b", "b")], "a", "a^2"), error="cyclic_unit"),
    Case(
        _asked([*_POWERS, _unit("d", "c^2"), _unit("x", "y^0"), _unit("y", "1/x")], "a", "a"),
        error="cyclic_unit",
    ),
    Case(_asked([_unit("x", "a*x^0"), *_base("a")], "a", "a"), error="cyclic_unit"),
    Case(_asked(_base("a"), "a", "a^2"), error="dimension_mismatch"),
    Case(_asked(_SI, "m/s", "m*s"), error="dimension_mismatch"),
    Case(_asked(_SI, "m", "1", "0"), error="dimension_mismatch"),
    *(
        Case(_asked(_base("m"), text, "m"), error="bad_expression")
        for text in (
            *("m m", "m**m", "*m", "m*", "m//m", "m^", "m^10", "m^1.5", "m^²", "1^2", "2", "2*m"),
            *("11", "1m", "m^m", " m", "m\n", "m^--1", "m^-", "^2", "m^٣", "m" * 17, "m^2^2"),
        )
    ),
)

_POSITIVE = Checked(
    rational(),
    lambda text: Fraction(text) > 0,
    "a fraction greater than 0, a string in the form that `value` has",
    ("1", "2/4", "1/999999999999999999", "999999999999999999"),
    ("0", "-1", "-0", "0/5", "-2/3"),
)

FAMILY = Family(
    number=19,
    slug="unit-conversion",
    title="Unit conversion with rational factors",
    category="numerical",
    difficulty=Difficulty.MEDIUM,
    summary=_SUMMARY,
    fields=(
        required(
            "units",
            Array(
                Record(
                    (
                        required(
                            "name",
                            Pattern(
                                _NAME,
                                "a string of 1 to 16 code points, none of them a space, tab, CR, "
                                "LF, `*`, `/` or `^`, the first of them no ASCII digit",
                                ("m", "µm", "😀" * 16, "٣", "a1", "-", "\u00a0"),
                                ("1m", "m s", "m*s", "m/s", "m^2", "m\t", "m\r", "m" * 17),
                            ),
                        ),
                        absentable("of", Text(1, 100)),
                        optional("scale", _POSITIVE, "1"),
                    )
                ),
                1,
                60,
            ),
            "The definitions of the units.",
        ),
        required("value", rational(), "The number of units `from`."),
        required("from", Text(1, 100), "The expression to convert from."),
        required("to", Text(1, 100), "The expression to convert to."),
        optional("places", Integer(0, 10), 4, "The number of decimals of `rounded`."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("duplicate_unit", "Two objects of `units` have the same `name`."),
        ErrorCode("bad_expression", "Some `of`, or `from` or `to`, is no expression."),
        ErrorCode(
            "unknown_unit",
            "An expression has a name that `units` does not define, even if its exponent is 0.",
        ),
        ErrorCode(
            "cyclic_unit",
            "The `of` of a unit names the unit itself, or leads back to it through other units, "
            "even with exponents 0.",
        ),
        ErrorCode(
            "scale_overflow",
            "For some derived unit, the factor of its whole definition (`scale` times `of`), in "
            "lowest terms, has a numerator or a denominator greater than 10^60.",
        ),
        ErrorCode("dimension_mismatch", "`from` and `to` have different dimensions."),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        {
            "units": [
                {"name": "m"},
                {"name": "s"},
                {"name": "km", "of": "m", "scale": "1000"},
                {"name": "h", "of": "s", "scale": "3600"},
            ],
            "value": "50",
            "from": "km/h",
            "to": "m/s",
            "places": 3,
        },
        {"value": "125/9", "rounded": "13.889", "dimension": {"m": 1, "s": -1}},
    ),
    boundaries=_BOUNDARIES,
    examples=(
        Case(
            _asked(
                [
                    *(_unit("J", "N*m"), _unit("N", "kg*m/s^2")),
                    *(
                        _unit("g", "kg", "1/1000"),
                        _unit("cm", "m", "1/100"),
                        *_base("kg", "m", "s"),
                    ),
                ],
                *("J/g", "cm^2*s^-2", "-1/16"),
                places=0,
            ),
            _converted("-625000", "-625000", m=2, s=-2),
        ),
        Case(
            _asked([*_base("a", "b"), _unit("c", "d^0*a"), _unit("d", "c")], "a", "b", places=0),
            error="cyclic_unit",
        ),
    ),
    malformed=(
        _asked([], "1", "1"),
        _asked([{}], "1", "1"),
        _asked([{"of": "1"}], "1", "1"),
        _asked(["m"], "1", "1"),
        _asked([{"name": ""}], "1", "1"),
        _asked([{"name": "1m"}], "1", "1"),
        _asked([{"name": "m s"}], "1", "1"),
        _asked([{"name": "m^2"}], "1", "1"),
        _asked([{"name": "m/s"}], "1", "1"),
        _asked([{"name": "m\n"}], "1", "1"),
        _asked([{"name": "m" * 17}], "1", "1"),
        _asked([{"name": None}], "1", "1"),
        _asked([{"name": "m", "of": ""}], "1", "1"),
        _asked([{"name": "m", "of": None}], "1", "1"),
        _asked([{"name": "m", "of": 1}], "1", "1"),
        _asked([{"name": "m", "scale": "0"}], "1", "1"),
        _asked([{"name": "m", "scale": "-1"}], "1", "1"),
        _asked([{"name": "m", "of": "1", "scale": 1000}], "1", "1"),
        _asked([{"name": "m", "of": "1", "scale": 0.5}], "1", "1"),
        _asked([{"name": "m", "of": "1", "scale": "0.5"}], "1", "1"),
        _asked([{"name": "m", "of": "1", "scale": "1/0"}], "1", "1"),
        _asked([{"name": "m", "of": "1", "scale": None}], "1", "1"),
        _asked(_base("m"), "m", "m", "1.5"),
        _asked(_base("m"), "m", "m", "01"),
        _asked(_base("m"), "", "m"),
        _asked(_base("m"), "m", ""),
        _asked(_base("m"), "m", "m*" * 50 + "m"),
        _asked(_base("m"), "m", "m", places=11),
        _asked(_base("m"), "m", "m", places=-1),
        _asked(_base("m"), "m", "m", places=True),
        {**_asked(_base("m"), "m", "m"), "places": 2.0},
        {**_asked(_base("m"), "m", "m"), "places": None},
        {**_asked(_base("m"), "m", "m"), "value": 1},
        {**_asked(_base("m"), "m", "m"), "value": None},
        {**_asked(_base("m"), "m", "m"), "from": ["m"]},
        {**_asked(_base("m"), "m", "m"), "units": {"m": {}}},
        {"units": _base("m"), "value": "1", "to": "m"},
    ),
)
