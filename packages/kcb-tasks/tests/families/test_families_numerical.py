"""The families about exact arithmetic: conformance, invariants, and wrong variants."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

import pytest
from wrong_families import Mistake, mistakes

from kcb_core.codec import Json
from kcb_core.family import Family, answer, generated_inputs
from kcb_core.testing.conformance import FamilyConformance
from kcb_tasks.families.numerical import (
    polynomial_toolkit,
    quantile_histogram,
    repeating_expansion,
    unit_conversion,
)

pytestmark = pytest.mark.families


class TestPolynomialToolkit(FamilyConformance):
    """What every family keeps."""

    family = polynomial_toolkit.FAMILY


class TestQuantileHistogram(FamilyConformance):
    """What every family keeps."""

    family = quantile_histogram.FAMILY


class TestUnitConversion(FamilyConformance):
    """What every family keeps."""

    family = unit_conversion.FAMILY


class TestRepeatingExpansion(FamilyConformance):
    """What every family keeps."""

    family = repeating_expansion.FAMILY


def _results(family: Family, count: int = 100) -> Iterator[tuple[dict[str, Json], Json]]:
    """Random inputs with a result, and the result."""
    found = 0
    for fields in generated_inputs(family, 4_242, 4 * count):
        given = answer(family, fields)
        if "result" in given and found < count:
            found += 1
            yield fields, given["result"]
    assert found == count


def _computed(op: str, a: str, b: str = "0", at: str = "0") -> Json:
    """What is computed from two polynomials."""
    fields = {"op": op, "a": a, "b": b, "at": at}
    return answer(polynomial_toolkit.FAMILY, fields)["result"]


def test_polynomials_obey_the_laws_of_arithmetic() -> None:
    """Results can be read again; quotients, divisors and values fit the polynomials."""
    rng = random.Random(17)
    texts = [fields["a"] for fields, _ in _results(polynomial_toolkit.FAMILY)]
    for a in texts:
        b, at = rng.choice(texts), rng.choice(["0", "-2/3", "5"])
        plain = _computed("add", a)
        assert _computed("add", plain["result"]) == plain
        product = _computed("mul", a, b)
        values = [Fraction(_computed("eval", text, at=at)["value"]) for text in (a, b)]
        if product["degree"] <= 30:
            value = _computed("eval", product["result"], at=at)["value"]
            assert value == str(values[0] * values[1])
        if _computed("add", b)["degree"] < 0:
            continue
        parts = _computed("divmod", a, b)
        assert parts["degree"] < max(_computed("add", b)["degree"], 0)
        whole = _computed("mul", parts["quotient"], b)["result"]
        assert _computed("add", whole, parts["remainder"]) == plain
        divisor = _computed("gcd", a, b)["result"]
        assert _computed("divmod", a, divisor)["degree"] == -1
        assert _computed("divmod", b, divisor)["degree"] == -1


def test_quantiles_are_ordered_and_bins_hold_every_value() -> None:
    """Nothing is lost in a histogram, and a greater quantile is not less."""
    family = quantile_histogram.FAMILY
    for fields, result in _results(family):
        values = fields["values"]
        assert Fraction(result["mean"]) * result["count"] == sum(values)
        asked = [f"{n}/{len(values) + 2}" for n in range(len(values) + 3)][:50]
        more = answer(family, {**fields, "quantiles": asked})["result"]
        quantiles = [Fraction(text) for text in more["quantiles"]]
        assert quantiles == sorted(quantiles)
        assert quantiles[0] == min(values)
        most = max(map(values.count, values))
        assert result["modes"] == sorted({v for v in values if values.count(v) == most})
        histogram = result["histogram"]
        if histogram:
            assert sum(histogram["counts"]) + histogram["below"] + histogram["above"] == len(values)


def test_conversions_can_be_undone() -> None:
    """There and back is the same value, and a unit is one of itself."""
    family = unit_conversion.FAMILY
    for fields, result in _results(family):
        back = {**fields, "value": result["value"], "from": fields["to"], "to": fields["from"]}
        if max(map(len, result["value"].removeprefix("-").split("/"))) <= 18:
            assert answer(family, back)["result"]["value"] == str(Fraction(fields["value"]))
        kept = answer(family, {**fields, "to": fields["from"]})["result"]
        assert kept["value"] == str(Fraction(fields["value"]))
        assert kept["dimension"] == result["dimension"]
        places = fields.get("places", 4)
        assert abs(Fraction(result["rounded"]) - Fraction(result["value"])) <= Fraction(
            1, 2 * 10**places
        )
        assert len(result["rounded"].partition(".")[2]) == places


def test_expansions_can_be_read_again() -> None:
    """Reading what was written gives the fraction in lowest terms."""
    family = repeating_expansion.FAMILY
    expanded = 0
    for fields, result in _results(family):
        if fields["op"] == "expand" and len(result["text"]) <= 200:
            expanded += 1
            again = answer(family, {**fields, "op": "parse", "text": result["text"]})
            assert again == {"result": {"value": str(Fraction(fields["value"]))}}
    assert expanded > 20


_WRONG = {
    polynomial_toolkit: [
        ("_MOST = 30", "_MOST = 31"),
        ("_MOST = 30", "_MOST = 29"),
        ("[0-9]{1,9}", "[0-9]+"),
        ("[0-9]{1,9}", r"\d{1,9}"),
        (r"(?: *\*? *(?P<times>x)", r"(?: *\* *(?P<times>x)"),
        (r'r" *(?P<sign>[+-]?) *"', r'r"\s*(?P<sign>[+-]?)\s*"'),
        ('match is None or (at > 0 and not match["sign"])', "match is None"),
        ("len(result) - 1", "max(len(result) - 1, 0)"),
        ("return _monic(a)", "return a"),
        ('"sub": _difference', '"sub": _sum'),
        ("enumerate(a)][1:]", "enumerate(a)]"),
        (
            'str(_value(a, Fraction(fields["at"])))',
            'str(Fraction(float(_value(a, Fraction(fields["at"])))).limit_denominator(10**6))',
        ),
        ('"" if coefficient == 1 else', '"" if False else'),
        ("if exponent == 0:", "if exponent == 0 and coefficient != 1:"),
        ("reversed(list(enumerate(polynomial)))", "enumerate(polynomial)"),
        (" in reversed(list(enumerate(polynomial)))\n        if c", " in []"),
        ('text[3:] or "0"', 'text[3:]'),
        ("if denominator == 0 or exponent", "if exponent"),
        ("-coefficient if match", "coefficient if match"),
        ("sums[exponent] += coefficient", "sums[exponent] = coefficient"),
        (
            '    a = _parsed(fields["a"])',
            '    if op == "divmod" and fields["b"] == "0":\n'
            '        raise DomainError("division_by_zero")\n'
            '    a = _parsed(fields["a"])',
        ),
        (
            '    if op != "derive" and (',
            '    _parsed(fields["a"])\n    if op != "derive" and (',
        ),
        (
            '    if op == "derive":',
            '    _parsed(fields.get("b", "0"))\n    if op == "derive":',
        ),
    ],
    quantile_histogram: [
        ("math.ceil(q * len(values))", "math.floor(q * len(values))"),
        ("math.ceil(q * len(values))", "math.ceil(float(q) * len(values))"),
        ("math.ceil(q * len(values))", "round(q * len(values))"),
        ("max(1, math.ceil", "max(0, math.ceil"),
        ("q * (len(values) - 1)", "q * len(values) - _HALF"),
        ("return here + (position - index)", "return here + _HALF * (position > index)"),
        ("_linear(values, _HALF)", "quantile(values, _HALF)"),
        ("if times == highest]", "if times == highest][:1]"),
        ("if times == highest]", "if times == highest > 1]"),
        ("counts = Counter(values)", 'counts = Counter(fields["values"])'),
        ("start <= value <= edge", "start <= value < edge"),
        ("start <= value <= edge", "start < value <= edge"),
        ("(value - start) // width", "(value - start - 1) // width"),
        ("(value - start) // width", "(value // width - start // width)"),
        ("value > edge for", "value >= edge for"),
        ("0 <= q <= 1", "0 < q <= 1"),
        ("0 <= q <= 1", "0 <= q < 1"),
        ("0 <= q <= 1", "0 <= float(q) <= 1"),
        ("if not values:", 'if not values and "2" not in fields["quantiles"]:'),
        ("Fraction(sum(values), len(values))", "Fraction(sum(values) / len(values))"),
        ("for q in asked]", "for q in sorted(asked)]"),
        ("for q in asked]", "for q in dict.fromkeys(asked)]"),
    ],
    unit_conversion: [
        ('(1 if operator == "*" else -1)', '(-1 if "/" in text[: text.rfind(name)] else 1)'),
        ("for name, _ in powers}", "for name, e in powers if e}"),
        ("other for other, _ in derived.get(name, ())", "o for o, e in derived.get(name, ()) if e"),
        ("_LARGEST = 10**60", "_LARGEST = 10**60 - 1"),
        ("max(factor.numerator, factor.denominator)", "factor.numerator"),
        (
            "** exponent\n",
            "** exponent\n"
            "        if factor.numerator > _LARGEST:\n"
            '            raise DomainError("scale_overflow")\n',
        ),
        ('factor *= Fraction(unit.get("scale", "1"))\n    if', "if"),
        ("round(value * 10**places)", "int(value * 10**places + Fraction(1, 2))"),
        ("round(value * 10**places)", "int(value * 10**places)"),
        ("round(value * 10**places)", "round(float(value) * 10**places)"),
        ('"-" if scaled < 0', '"-" if value < 0'),
        ("{abs(scaled):0{places + 1}}", "{abs(scaled):0{places}}"),
        ("exponents.items() if count}", "exponents.items()}"),
        ("[^ \\t\\r\\n*/^0-9]", r"[^\s*/^\d]"),
        ("{0,15}", "*"),
        ("(-?[0-9])", "(-?[0-9]+)"),
        ("(-?[0-9])", r"(-?\d)"),
        (r"(?:1|(", r"(?:[0-9]|("),
        ("_EXPRESSION.fullmatch(text)", "_EXPRESSION.fullmatch(text.strip())"),
        ("_EXPRESSION.fullmatch(text)", "_EXPRESSION.match(text)"),
        ('unit["name"]: unit for', 'unit["name"].casefold(): unit for'),
        (
            'DomainError("duplicate_unit")',
            'DomainError("bad_expression" if " " in fields["from"] else "duplicate_unit")',
        ),
        (
            'DomainError("unknown_unit")',
            'DomainError("cyclic_unit" if "b" in units else "unknown_unit")',
        ),
        (
            'DomainError("cyclic_unit")',
            'DomainError("scale_overflow" if "d" in units else "cyclic_unit")',
        ),
        ("for name in _order(units, derived):", "for name in units:"),
        ("* top / bottom", "* bottom / top"),
    ],
    repeating_expansion: [
        ("base ** len(cycle) - 1", "base ** len(cycle)"),
        ("len(digits) < most", "len(digits) <= most"),
        ("len(digits) < most", "len(digits) < 1_000"),
        ('raise DomainError("too_long")', "rest = 0"),
        ("if rest and rest not in met:", "if rest:"),
        (
            "divmod(abs(value.numerator), value.denominator)",
            "map(abs, divmod(value.numerator, value.denominator))",
        ),
        ("0-9A-Za-z", "0-9a-z"),
        ("0-9A-Za-z", r"\w"),
        ("([0-9A-Za-z]*)(?:", "([0-9A-Za-z]+)(?:"),
        ("(?=[0-9A-Za-z(])", ""),
        ('r"(-?)(', 'r"([+-]?)('),
        (">= base", "> base"),
        ("for digit in whole + prefix + cycle", "for digit in whole + prefix"),
        (
            "    match = _LITERAL",
            "    if any(c.isdecimal() and int(c) >= base for c in text):\n"
            '        raise DomainError("digit_out_of_range")\n'
            "    match = _LITERAL",
        ),
        ("xyz\"", "xyz\".upper()"),
        ("if operand is None:", "if not operand:"),
        ("Fraction(operand), fields", "Fraction(float(Fraction(operand))), fields"),
        ("    return -value if sign", "    return value if sign"),
        ("if value < 0 else", "if value <= -1 else"),
        ("start = met.get(rest, len(digits))", "start = 0 if rest else len(digits)"),
        ("int(cycle, base) * unit /", "int(cycle, base) /"),
    ],
}  # fmt: skip

MISTAKES = mistakes(_WRONG)


@pytest.mark.parametrize("mistake", MISTAKES, ids=str)
def test_mistakes_are_caught(mistake: Mistake) -> None:
    """Golden case, boundaries and 24 drawn inputs tell a plausible mistake from the rules."""
    assert mistake.is_caught()
