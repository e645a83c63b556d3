"""Repeating expansions: fractions as digits of any base, with the repeating block marked."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Choice, Integer, Text, absentable, optional, rational, required

_SUMMARY = """\
Converts between exact fractions and numbers written in the base `base`. The digits 0 to 9 are
written `0` to `9`, the digits 10 to 35 `a` to `z`. A block of digits in round brackets at the end
is repeated for ever: `0.1(6)` is 0.1666... in base 10.

- `op` `expand` writes `value` in the base:
  1. If the value is negative, a `-`.
  2. The integer part of the absolute value, without leading zeros; `0` if it is 0.
  3. If the absolute value is not an integer: a `.`, then the prefix, then the cycle in round
     brackets. The cycle is the shortest block of digits that is repeated for ever, and the prefix
     is what comes before its first occurrence; it is as short as possible and can be empty. If the
     expansion ends, all its digits after the point are the prefix (the last is not 0), the
     cycle is empty and is left out with its brackets.
- `op` `parse` reads `text` as a number in the base and gives the exact fraction. Here D is one
  ASCII letter, upper or lower case, or one ASCII digit. `text` has one of these forms, each with
  or without one `-` before it, and nothing else:
  - one D or more;
  - one D or more, `.`, one D or more;
  - one D or more, `.`, any number of D or none, `(`, one D or more, `)`."""

_RESULT = """\
- `expand`: an object of three strings, `{"text": t, "prefix": p, "cycle": c}`: the whole text, the
  prefix and the cycle. The last two are `""` if they are empty. Letters are in lower case.
- `parse`: an object `{"value": v}`; v is a string: the fraction in lowest terms, `n`, or `n/d` with
  d > 1, the sign in front, zero is `0`."""

_RULES = """\
- Zero is `0`; it never has a sign.
- `parse` accepts leading zeros, `-0`, and blocks that `expand` never writes: in base 10, `0.(9)` is
  1 and `0.5(0)` is 1/2.
- `expand` ignores `text`; `parse` ignores `value` and `max_digits`. But if they are there, they
  must be valid.
- The cycle can be very long (d can have 18 digits), so stop after `max_digits` digits."""

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_LITERAL = re.compile(
    r"(-?)([0-9A-Za-z]+)(?:\.(?=[0-9A-Za-z(])([0-9A-Za-z]*)(?:\(([0-9A-Za-z]+)\))?)?"
)


def _evaluate(fields: Mapping[str, Any]) -> Json:
    operand = fields.get("value" if fields["op"] == "expand" else "text")
    if operand is None:
        raise DomainError("missing_operand")
    if fields["op"] == "expand":
        return _expansion(Fraction(operand), fields["base"], fields["max_digits"])
    return {"value": str(_parsed(operand, fields["base"]))}


def _expansion(value: Fraction, base: int, most: int) -> dict[str, Json]:
    whole, rest = divmod(abs(value.numerator), value.denominator)
    digits = ""
    met: dict[int, int] = {}
    while rest and rest not in met and len(digits) < most:
        met[rest] = len(digits)
        digit, rest = divmod(rest * base, value.denominator)
        digits += _DIGITS[digit]
    if rest and rest not in met:
        raise DomainError("too_long")
    start = met.get(rest, len(digits))
    prefix, cycle = digits[:start], digits[start:]
    text = ("-" if value < 0 else "") + _integer(whole, base)
    if digits:
        text += f".{prefix}" + (f"({cycle})" if cycle else "")
    return {"text": text, "prefix": prefix, "cycle": cycle}


def _integer(number: int, base: int) -> str:
    higher, digit = divmod(number, base)
    return (_integer(higher, base) if higher else "") + _DIGITS[digit]


def _parsed(text: str, base: int) -> Fraction:
    match = _LITERAL.fullmatch(text)
    if match is None:
        raise DomainError("bad_literal")
    sign, whole, prefix, cycle = (part or "" for part in match.groups())
    if any(int(digit, 36) >= base for digit in whole + prefix + cycle):
        raise DomainError("digit_out_of_range")
    unit = Fraction(1, base ** len(prefix))
    value = int(whole + prefix, base) * unit
    if cycle:
        value += int(cycle, base) * unit / (base ** len(cycle) - 1)
    return -value if sign else value


def _generate(rng: random.Random) -> dict[str, Json]:
    op = rng.choice(["expand", "expand", "parse", "parse", "parse"])
    base = rng.choice([2, 3, 6, 7, 10, 10, 12, 16, 36, rng.randint(2, 36)])
    drawn: dict[str, Json] = {"op": op}
    if base != 10 or rng.random() < 0.3:
        drawn["base"] = base
    if rng.random() < (0.9 if op == "expand" else 0.1):
        drawn["value"] = _draw_value(rng, base)
    if rng.random() < (0.9 if op == "parse" else 0.1):
        drawn["text"] = _draw_text(rng, base)
    if rng.random() < 0.3:
        drawn["max_digits"] = rng.choice([0, 1, 3, 6, 20, 60, 2_000])
    return drawn


def _draw_value(rng: random.Random, base: int) -> str:
    sign = rng.choice(["", "", "-"])
    if rng.random() < 0.15:
        return sign + rng.choice(["0", "0/7", "1", "35", "14/7", "255", "123456789012345678"])
    plain = rng.choice([1, 2, 4, base, base**2, base + 1, 10, 12, 24, 60])
    odd = rng.choice([1, 1, 3, 7, 9, 11, 13, 17, 37, 97, base + 1, base - 1])
    numerator = rng.choice([1, 1, 2, 5, 22, 100, rng.randint(1, 9_999)])
    if rng.random() < 0.07:
        odd, plain = rng.choice([1_019, 10**9 + 7, 10**17 + 3]), 1
    return f"{sign}{numerator}/{plain * odd}"


def _draw_text(rng: random.Random, base: int) -> str:
    if rng.random() < 0.15:
        return rng.choice(_NO_LITERALS)
    parts = [
        "".join(rng.choice(_DIGITS[:base]) for _ in range(rng.choice([1, 1, 2, 3, 5])))
        for _ in range(3)
    ]
    if base < 36 and rng.random() < 0.15:
        parts[rng.randrange(2)] += _DIGITS[rng.randint(base, min(35, base + 2))]
    parts[2] = rng.choice([parts[2], parts[2], "0", _DIGITS[base - 1], parts[2] * 2])
    whole, prefix, cycle = parts
    form = rng.choice(["{0}", "{0}.{1}", "{0}.{1}({2})", "{0}.({2})", "00{0}.{1}({2})"])
    text = rng.choice(["", "", "-"]) + form.format(whole, prefix, cycle)
    return text.upper() if rng.random() < 0.3 else text


_NO_LITERALS = (
    *("", "-", ".5", "5.", "-.1", "1.()", "1.(1", "1.1)", "1(1)", "1.(1)1", "1.(1)(1)", "1..1"),
    *("+1", "--1", "1 ", " 1", "1\n", "1,1", "1_0", "1.1.1", "1/2", "١", "１", "é", "😀", "1.(.1)"),
    *("\u22121", "1-", "()", "1.-1", "1.(-1)"),
)


def _expanded(value: str, text: str, prefix: str = "", cycle: str = "", /, **more: Json) -> Case:
    result = {"text": text, "prefix": prefix, "cycle": cycle}
    return Case({"op": "expand", "value": value, **more}, result)


def _read(text: str, value: str, base: int | None = None, /, **more: Json) -> Case:
    fields = more if base is None else {"base": base, **more}
    return Case({"op": "parse", "text": text, **fields}, {"value": value})


_97TH = (
    "010309278350515463917525773195876288659793814432"
    "989690721649484536082474226804123711340206185567"
)

_LONG = f"{10**1000 // (983 * 2**18):01000}"
"""The first 1,000 digits after the point, 18 of the prefix and 982 of the cycle."""

_BOUNDARIES = (
    # Expansions that end, that repeat at once, and that do so later.
    _expanded("1/2", "0.5", "5"),
    _expanded("1/3", "0.(3)", "", "3"),
    _expanded("1/6", "0.1(6)", "1", "6"),
    _expanded("-22/7", "-3.(142857)", "", "142857"),
    _expanded("1/97", f"0.({_97TH})", "", _97TH),
    _expanded("1/8", "0.125", "125"),
    _expanded("1/28", "0.03(571428)", "03", "571428"),
    _expanded("50/100", "0.5", "5"),
    _expanded("1/99", "0.(01)", "", "01"),
    _expanded("1/999999999999999999", "0.(000000000000000001)", "", "0" * 17 + "1"),
    # Integers, zero, signs.
    _expanded("0", "0"),
    _expanded("-0", "0"),
    _expanded("-0/5", "0", base=2),
    _expanded("-3", "-3"),
    _expanded("-1/2", "-0.5", "5"),
    _expanded("14/7", "2", max_digits=0),
    _expanded("999999999999999999", "999999999999999999"),
    # Other bases.
    _expanded("1/6", "0.0(01)", "0", "01", base=2),
    _expanded("1/10", "0.0(0011)", "0", "0011", base=2),
    _expanded("1/2", "0.(1)", "", "1", base=3),
    _expanded("1/12", "0.1", "1", base=12),
    _expanded("1/10", "0.1(2497)", "1", "2497", base=12),
    _expanded("255", "ff", base=16),
    _expanded("-71/2", "-z.i", "i", base=36),
    _expanded("35", "z", base=36, max_digits=0),
    _expanded("1/35", "0.(1)", "", "1", base=36),
    _expanded("35/36", "0.z", "z", base=36, text="??"),
    # How many digits there may be: prefix and cycle together.
    _expanded("1/7", "0.(142857)", "", "142857", max_digits=6),
    _expanded("1/6", "0.1(6)", "1", "6", max_digits=2),
    _expanded("1/8", "0.125", "125", max_digits=3),
    _expanded("1/3", "0.(3)", "", "3", max_digits=1),
    _expanded("-1/1125899906842624", "-0." + "0" * 49 + "1", "0" * 49 + "1", base=2, max_digits=50),
    Case({"op": "expand", "value": "1/7", "max_digits": 5}, error="too_long"),
    Case({"op": "expand", "value": "1/6", "max_digits": 1}, error="too_long"),
    Case({"op": "expand", "value": "1/8", "max_digits": 2}, error="too_long"),
    Case({"op": "expand", "value": "1/2", "max_digits": 0}, error="too_long"),
    Case(
        {"op": "expand", "value": "1/1125899906842624", "base": 2, "max_digits": 49},
        error="too_long",
    ),
    Case({"op": "expand", "value": "1/1019"}, error="too_long"),
    Case({"op": "expand", "value": "1/999999999999999997", "max_digits": 17}, error="too_long"),
    # Parsing: every form, both cases of letters, zeros anywhere.
    _read("1.2(01)", "41/24", 3),
    _read("-00Z.i", "-71/2", 36),
    _read("0.(9)", "1"),
    _read("0.0(9)", "1/10"),
    _read("0.5(0)", "1/2"),
    _read("0.1(6)", "1/6"),
    _read("-12.(3)", "-37/3"),
    _read("0.12(1212)", "4/33"),
    _read("-0", "0"),
    _read("-0.0(0)", "0"),
    _read("007", "7"),
    _read("fF.8", "511/2", 16, max_digits=0),
    _read("0.(1)", "1", 2, value="1/3"),
    _read("Y", "34", 35),
    _read("z" * 200, str(36**200 - 1), 36),
    _read("0." + "0" * 197 + "1", "1/1" + "0" * 198),
    # A missing operand, then what is no literal, then a digit that the base does not have.
    Case({"op": "parse", "value": "1"}, error="missing_operand"),
    Case({"op": "expand", "text": "1.()", "max_digits": 0}, error="missing_operand"),
    Case({"op": "parse", "text": "9.()", "base": 2}, error="bad_literal"),
    Case({"op": "parse", "text": "2.", "base": 2}, error="bad_literal"),
    Case({"op": "parse", "text": "12", "base": 2}, error="digit_out_of_range"),
    Case({"op": "parse", "text": "0.1(12)", "base": 2}, error="digit_out_of_range"),
    Case({"op": "parse", "text": "0.2(1)", "base": 2}, error="digit_out_of_range"),
    Case({"op": "parse", "text": "A"}, error="digit_out_of_range"),
    Case({"op": "parse", "text": "1.5e3"}, error="digit_out_of_range"),
    Case({"op": "parse", "text": "z", "base": 35}, error="digit_out_of_range"),
    *(
        Case({"op": "parse", "text": text}, error="bad_literal")
        for text in (
            *("", "-", ".5", "5.", "-.1", "1.(1", "1.1)", "1(1)", "1.(1)1", "1.(1)(1)", "1..1"),
            *(
                "+1",
                "--1",
                "1 ",
                "1\n",
                "1,1",
                "1_0",
                "1.1.1",
                "1/2",
                "１",
                "é",
                "\u22121",
                "1.(-1)",
            ),
        )
    ),
    # The prefix uses up digits of the cycle; the default allows 1,000. 983 has a period of 982.
    _expanded("5/14", "0.3(571428)", "3", "571428", max_digits=7),
    Case({"op": "expand", "value": "5/14", "max_digits": 6}, error="too_long"),
    _expanded(f"1/{983 * 2**18}", f"0.{_LONG[:18]}({_LONG[18:]})", _LONG[:18], _LONG[18:]),
    Case({"op": "expand", "value": f"1/{983 * 2**19}"}, error="too_long"),
)

FAMILY = Family(
    number=20,
    slug="repeating-expansion",
    title="Repeating expansions in any base",
    category="numerical",
    difficulty=Difficulty.STRAIGHTFORWARD,
    summary=_SUMMARY,
    fields=(
        required("op", Choice("expand", "parse"), "What is done."),
        optional("base", Integer(2, 36), 10, "The base of the digits."),
        absentable("value", rational(), "The number to write, which `expand` needs."),
        absentable(
            "text",
            Text(0, 200),
            "The number to read, which `parse` needs. A text in none of the forms is an error of "
            "the contract.",
        ),
        optional(
            "max_digits",
            Integer(0, 2_000),
            1_000,
            "The most digits that prefix and cycle may have together.",
        ),
    ),
    result=_RESULT,
    errors=(
        ErrorCode(
            "missing_operand",
            "`op` is `expand` and there is no `value`, or `parse` and no `text`.",
        ),
        ErrorCode("bad_literal", "`op` is `parse` and `text` has none of the forms."),
        ErrorCode(
            "digit_out_of_range",
            "`op` is `parse` and a digit of `text` is not less than `base`.",
        ),
        ErrorCode(
            "too_long",
            "`op` is `expand`, and prefix and cycle together have more than `max_digits` digits.",
        ),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=_expanded("-25/12", "-2.08(3)", "08", "3"),
    boundaries=_BOUNDARIES,
    examples=(
        _expanded("-47/6", "-7.8(3)", "8", "3", text="not read"),
        Case({"op": "parse", "text": "-0g.(7)", "base": 16}, error="digit_out_of_range"),
    ),
    malformed=(
        {"op": "Expand", "value": "1/3"},
        {"op": "format", "value": "1/3"},
        {"op": None, "value": "1/3"},
        {"op": "expand", "value": 0.5},
        {"op": "expand", "value": 1},
        {"op": "expand", "value": "0.5"},
        {"op": "expand", "value": "1/0"},
        {"op": "expand", "value": "1/-3"},
        {"op": "expand", "value": "+1/3"},
        {"op": "expand", "value": "01/3"},
        {"op": "expand", "value": "1/3 "},
        {"op": "expand", "value": "1000000000000000000"},
        {"op": "expand", "value": None},
        {"op": "parse", "text": None},
        {"op": "parse", "text": 1},
        {"op": "parse", "text": ["1"]},
        {"op": "parse", "text": "1" * 201},
        {"op": "parse", "text": "1", "value": "x"},
        {"op": "expand", "value": "1/3", "text": 3},
        {"op": "expand", "value": "1/3", "base": 1},
        {"op": "expand", "value": "1/3", "base": 37},
        {"op": "expand", "value": "1/3", "base": True},
        {"op": "expand", "value": "1/3", "base": 10.0},
        {"op": "expand", "value": "1/3", "base": "10"},
        {"op": "expand", "value": "1/3", "base": None},
        {"op": "expand", "value": "1/3", "max_digits": -1},
        {"op": "expand", "value": "1/3", "max_digits": 2_001},
        {"op": "expand", "value": "1/3", "max_digits": 10.0},
        {"op": "parse", "text": "1", "max_digits": True},
        {"base": 10, "value": "1/3"},
    ),
)
