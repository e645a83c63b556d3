"""Number words: whole numbers as digits, English words and Roman numerals."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Choice, Text, required

_SUMMARY = """\
Reads a whole number in one notation and writes it in another. Each notation writes a number in
exactly one way:

- `integer`: `0`, or digits (ASCII) of which the first is not `0`; a `-` stands before them if the
  number is negative.
- `words`: English words, in lower case. 0 is `zero`. For any other number, cut its digits from the
  right into groups of three. Write each group that is not 0, from the left, and after it the name
  of its place: `thousand` for the second group from the right, `million` for the third, `billion`
  for the fourth, `trillion` for the fifth, nothing for the first. A group is the word of its
  hundreds digit and `hundred`, if that digit is not 0, then the rest below 100, if that is not 0.
  From 1 to 19 the rest is one word, `one` to `nineteen`. From 20 it is `twenty`, `thirty`, `forty`,
  `fifty`, `sixty`, `seventy`, `eighty` or `ninety`, and if the last digit is not 0, `-` and its
  word: `forty-two`.
  One space stands between words and between `minus`, the first word of a negative number, and the
  rest. There is no `and`.
- `roman`: only for 1 to 3999. The Roman digits of the thousands, hundreds, tens and ones, in this
  order, without those that are 0:
  - thousands 1 to 3: `M` `MM` `MMM`
  - hundreds 1 to 9: `C` `CC` `CCC` `CD` `D` `DC` `DCC` `DCCC` `CM`
  - tens 1 to 9: `X` `XX` `XXX` `XL` `L` `LX` `LXX` `LXXX` `XC`
  - ones 1 to 9: `I` `II` `III` `IV` `V` `VI` `VII` `VIII` `IX`

`value` is read in the notation `from`. For `words` and `roman`, the ASCII letters of `value` may be
of either case."""

_RESULT = """\
An object with these members:

- `result`: the number in the notation `to`, a string. Words are in lower case, Roman numerals in
  upper case.
- `number`: the number as a JSON integer."""

_RULES = """\
- Reading is strict. For instance these are `bad_value`: `-0`, `007`, `+5`, ` 5`, `fourty`,
  `one hundred and five`, `eleven hundred`, `one million million`, `minus zero`, two spaces in a
  row, `IIII`, `IM`, `MMMM`, and the empty string.
- `from` and `to` may be equal. Then `result` differs from `value` at most in case."""

_LARGEST = 10**15 - 1
_LARGEST_ROMAN = 3_999

_UNITS = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    "nineteen",
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_PLACES = ("thousand", "million", "billion", "trillion")
_BELOW_100 = {word: number for number, word in enumerate(_UNITS, start=1)} | {
    word: number
    for tens, name in enumerate(_TENS, start=2)
    for number, word in enumerate([name, *(f"{name}-{unit}" for unit in _UNITS[:9])], 10 * tens)
}
_SMALL = {number: word for word, number in _BELOW_100.items()}
_ROMAN = {
    **{"M": 1000, "CM": 900, "D": 500, "CD": 400, "C": 100, "XC": 90, "L": 50, "XL": 40},
    **{"X": 10, "IX": 9, "V": 5, "IV": 4, "I": 1},
}


def _evaluate(fields: Mapping[str, Any]) -> Json:
    number = _READ[fields["from"]](fields["value"])
    if abs(number) > _LARGEST or (fields["to"] == "roman" and not 1 <= number <= _LARGEST_ROMAN):
        raise DomainError("out_of_range")
    return {"result": _WRITE[fields["to"]](number), "number": number}


def _read_integer(text: str) -> int:
    if not re.fullmatch("0|-?[1-9][0-9]{0,29}", text):
        raise DomainError("bad_value")
    return int(text)


def _read_words(text: str) -> int:
    """What the words would add up to; right if that number is written so."""
    lowered = _lower(text)
    total = group = 0
    for word in lowered.removeprefix("minus ").split(" "):
        if word == "hundred":
            group *= 100
        elif word in _PLACES:
            total += group * 1000 ** (_PLACES.index(word) + 1)
            group = 0
        else:
            group += _BELOW_100.get(word, 0)
    number = total + group
    return _confirmed(-number if lowered.startswith("minus ") else number, lowered, _words)


def _read_roman(text: str) -> int:
    """What the letters would add up to; right if that number is written so."""
    upper = _lower(text).upper()
    values = [_ROMAN.get(letter, 0) for letter in upper]
    number = sum(-left if left < right else left for left, right in pairwise([*values, 0]))
    if not 1 <= number <= _LARGEST_ROMAN:
        raise DomainError("bad_value")
    return _confirmed(number, upper, _roman)


def _lower(text: str) -> str:
    if not text.isascii():
        raise DomainError("bad_value")
    return text.lower()


def _confirmed(number: int, text: str, write: Callable[[int], str]) -> int:
    if abs(number) > _LARGEST or write(number) != text:
        raise DomainError("bad_value")
    return number


def _words(number: int) -> str:
    if number == 0:
        return "zero"
    words: list[str] = []
    for place, name in reversed(list(enumerate(["", *_PLACES]))):
        group = abs(number) // 1000**place % 1000
        if group >= 100:
            words += [_SMALL[group // 100], "hundred"]
        if group % 100:
            words.append(_SMALL[group % 100])
        if group and name:
            words.append(name)
    return " ".join(words if number > 0 else ["minus", *words])


def _roman(number: int) -> str:
    text = ""
    for digits, value in _ROMAN.items():
        text += digits * (number // value)
        number %= value
    return text


_READ = {"integer": _read_integer, "words": _read_words, "roman": _read_roman}
_WRITE: dict[str, Callable[[int], str]] = {"integer": str, "words": _words, "roman": _roman}


def _generate(rng: random.Random) -> dict[str, Json]:
    source, target = rng.choice(_NOTATIONS), rng.choice(_NOTATIONS)
    fault = rng.random()
    number = _draw_number(rng, "roman" in (source, target) and fault >= 0.12)
    if fault < 0.12:
        source = "integer" if abs(number) > _LARGEST else rng.choice(["integer", "words"])
        target = target if abs(number) > _LARGEST else "roman"
    text = _WRITE[source](number)
    if source != "integer" and rng.random() < 0.4:
        text = rng.choice([text.upper(), text.lower(), text.title(), text.swapcase()])
    if fault > 0.88:
        source, text = rng.choice([(source, _spoiled(rng, text)), rng.choice(_BAD)])
    return {"value": text, "from": source, "to": target}


def _draw_number(rng: random.Random, roman: bool) -> int:
    """A number with zeros and small groups; one that Roman numerals have, if that is wanted."""
    if roman:
        return rng.choice([rng.randint(1, 60), rng.randint(61, 3_999), *_ROMAN_EDGES])
    number = 0
    for _ in range(rng.randint(1, 5)):
        number = 1_000 * number + rng.choice([0, 0, rng.randint(1, 19), rng.randint(20, 999), 100])
    edges = [0, _LARGEST, _LARGEST + 1, int("1" + "0" * rng.randint(1, 29)), 4_000]
    return rng.choice([1, 1, -1]) * rng.choice([number, number, number, number, rng.choice(edges)])


def _spoiled(rng: random.Random, text: str) -> str:
    at = rng.randint(0, len(text))
    doubled = text[:at] + text[at - 1 : at] + text[at:]
    spaced = rng.choice([f" {text}", f"{text}\n", text.replace(" ", "  "), text.replace("-", " ")])
    return rng.choice([doubled, spaced, f"{text} and one", f"-{text}", text[:at] + text[at + 1 :]])


_NOTATIONS = ("integer", "words", "roman")

_ROMAN_EDGES = (4, 9, 40, 49, 90, 99, 400, 444, 900, 999, 1_000, 1_994, 3_888, 3_999)

_BAD = (
    *(("integer", text) for text in ("-0", "007", "+5", "1.0", "1e3", "1_000", "٣", "𝟙", "1" * 31)),
    *(("words", text) for text in ("one hundred and five", "fourty", "eleven hundred", "a")),
    *(
        ("words", text)
        for text in ("minus zero", "twenty one", "forty-ten", "ſix", "zero thousand")
    ),
    *(("words", text) for text in ("one million million", "one thousand one billion", "hundred")),
    *(("roman", text) for text in ("IIII", "IM", "Ⅳ", "MMMM", "VX", "IXI", "XCX", "LL", "ıV", "")),
)


def _gives(source: str, text: str, target: str, result: str, number: int) -> Case:
    return Case({"value": text, "from": source, "to": target}, {"result": result, "number": number})


def _fails(source: str, text: str, error: str, target: str = "integer") -> Case:
    return Case({"value": text, "from": source, "to": target}, error=error)


_LONGEST = (
    "minus seven hundred seventy-seven trillion three hundred seventy-three billion "
    "eight hundred seventy-eight million three hundred thirty-seven thousand "
    "seven hundred seventy-seven"
)

_BOUNDARIES = (
    # Words of small numbers and of groups.
    _gives("integer", "0", "words", "zero", 0),
    _gives("integer", "-1", "words", "minus one", -1),
    _gives("integer", "13", "words", "thirteen", 13),
    _gives("integer", "20", "words", "twenty", 20),
    _gives("integer", "48", "words", "forty-eight", 48),
    _gives("integer", "100", "words", "one hundred", 100),
    _gives("integer", "-415", "words", "minus four hundred fifteen", -415),
    _gives("integer", "1000", "words", "one thousand", 1_000),
    _gives("integer", "10001", "words", "ten thousand one", 10_001),
    _gives("integer", "1100", "words", "one thousand one hundred", 1_100),
    _gives("integer", "300000000", "words", "three hundred million", 300_000_000),
    _gives("integer", "1000000000", "words", "one billion", 1_000_000_000),
    _gives("integer", "90000000000012", "words", "ninety trillion twelve", 90_000_000_000_012),
    _gives("integer", "-777373878337777", "words", _LONGEST, -777_373_878_337_777),
    # Reading words.
    _gives("words", _LONGEST, "integer", "-777373878337777", -777_373_878_337_777),
    _gives("words", "ZERO", "integer", "0", 0),
    _gives("words", "Minus Forty-TWO", "words", "minus forty-two", -42),
    _gives("words", "twelve thousand eighteen", "integer", "12018", 12_018),
    _gives("words", "nineteen thousand", "integer", "19000", 19_000),
    *(
        _fails("words", text, "bad_value")
        for text in (
            *("", " ", "minus", "minus ", "minus zero", "minus minus one", "zero one", "one zero"),
            *(
                "one hundred and five",
                "fourty",
                "eleven hundred",
                "a hundred",
                "hundred",
                "thousand",
            ),
            *("one  thousand", " one", "one ", "one\tthousand", "one\n", "one\u00a0thousand"),
            *("forty two", "forty-zero", "forty-ten", "forty-", "-two", "fortytwo", "forty–two"),
            *(
                "one-hundred",
                "twenty hundred",
                "one two",
                "ten one",
                "twenty-one-two",
                "two twenty",
            ),
            *(
                "nineteen hundred",
                "one hundred hundred",
                "one hundred zero",
                "zero hundred",
                "zero thousand",
            ),
            *("one thousand thousand", "one million million", "one thousand one million"),
            *("one thousand two thousand", "one thousand trillion", "one thousand million"),
            *("one hundred thousand hundred", "one quadrillion", "5", "V", "ſix", "one thouſand"),
            *("ﬁve", "minus-one", "-one", "negative one", "one, two"),
        )
    ),
    # Roman numerals.
    _gives("integer", "1", "roman", "I", 1),
    _gives("integer", "3999", "roman", "MMMCMXCIX", 3_999),
    _gives("integer", "2444", "roman", "MMCDXLIV", 2_444),
    _gives("integer", "1666", "roman", "MDCLXVI", 1_666),
    _gives("integer", "3888", "roman", "MMMDCCCLXXXVIII", 3_888),
    _gives("integer", "500", "roman", "D", 500),
    _gives("roman", "mcmxciv", "words", "one thousand nine hundred ninety-four", 1_994),
    _gives("roman", "mMxLiX", "roman", "MMXLIX", 2_049),
    _gives("roman", "CDXCIX", "integer", "499", 499),
    _gives("words", "Three Thousand Nine Hundred NINETY-nine", "roman", "MMMCMXCIX", 3_999),
    *(
        _fails("roman", text, "bad_value")
        for text in (
            *("", " ", "N", "0", "4", "-IV", "minus IV", "IV ", " IV", "I V", "IV\n", "IVI", "IXI"),
            *(
                "IIII",
                "XXXX",
                "CCCC",
                "MMMM",
                "MMMMM",
                "VV",
                "LL",
                "DD",
                "VX",
                "LC",
                "DM",
                "IL",
                "IC",
            ),
            *(
                "IM",
                "IIX",
                "IIV",
                "XXC",
                "XM",
                "VIV",
                "VIX",
                "XCX",
                "XCL",
                "LXL",
                "CMC",
                "CMD",
                "DCD",
            ),
            *("XIC", "IVIV", "IXIX", "Ⅳ", "ⅳ", "ıV", "ΜX", "Ｘ"),
        )
    ),
    # Integers.
    _gives("integer", "-10", "integer", "-10", -10),
    _gives("integer", "0", "integer", "0", 0),
    *(
        _fails("integer", text, "bad_value")
        for text in (
            *("", "-", "-0", "00", "007", "-01", "+5", " 5", "5 ", "5\n", "5.0", "5e3", "1_000"),
            *("1,000", "0x1", "--5", "− 5", "−5", "٣", "５", "𝟙", "²", "five", "V"),
            *("1" * 31, "-" + "9" * 31, "1" * 300, "0" * 31),
        )
    ),
    # The range, and which of two errors comes first.
    _gives("integer", "999999999999999", "integer", "999999999999999", 999_999_999_999_999),
    _gives("integer", "-999999999999999", "integer", "-999999999999999", -999_999_999_999_999),
    _fails("integer", "1000000000000000", "out_of_range"),
    _fails("integer", "-1000000000000000", "out_of_range", "words"),
    _fails("integer", "9" * 30, "out_of_range", "words"),
    _fails("integer", "-" + "9" * 30, "out_of_range"),
    _fails("integer", "0", "out_of_range", "roman"),
    _fails("integer", "4000", "out_of_range", "roman"),
    _fails("integer", "-1", "out_of_range", "roman"),
    _fails("integer", "1" * 30, "out_of_range", "roman"),
    _fails("integer", "1" * 31, "bad_value", "roman"),
    _fails("words", "zero", "out_of_range", "roman"),
    _fails("words", "minus twelve", "out_of_range", "roman"),
    _fails("words", "four thousand", "out_of_range", "roman"),
    _fails("words", "four thousand zero", "bad_value", "roman"),
)

FAMILY = Family(
    number=43,
    slug="number-words",
    title="Numbers in words and Roman numerals",
    category="parsing",
    difficulty=Difficulty.STRAIGHTFORWARD,
    summary=_SUMMARY,
    fields=(
        required("value", Text(0, 300), "The number as text."),
        required("from", Choice(*_NOTATIONS), "The notation of `value`."),
        required("to", Choice(*_NOTATIONS), "The notation of the result."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode(
            "bad_value",
            "`value` is not written exactly as the notation `from` writes some number, apart from "
            "the case of letters; or `from` is `integer` and `value` has over 30 digits.",
        ),
        ErrorCode(
            "out_of_range",
            "The number is below -999999999999999 or above 999999999999999; or `to` is `roman` "
            "and the number is not from 1 to 3999.",
        ),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        {"value": "-1000315040", "from": "integer", "to": "words"},
        {
            "result": "minus one billion three hundred fifteen thousand forty",
            "number": -1_000_315_040,
        },
    ),
    boundaries=_BOUNDARIES,
    examples=(
        _gives(
            "words",
            "Minus Twelve Million Six Hundred Thousand Thirty-One",
            "integer",
            "-12600031",
            -12_600_031,
        ),
        _fails("words", "five thousand", "out_of_range", "roman"),
    ),
    malformed=(
        {"value": 5, "from": "integer", "to": "words"},
        {"value": 5.0, "from": "integer", "to": "words"},
        {"value": True, "from": "integer", "to": "words"},
        {"value": None, "from": "integer", "to": "words"},
        {"value": ["one", "two"], "from": "words", "to": "integer"},
        {"value": "1" * 301, "from": "integer", "to": "words"},
        {"value": "😀" * 301, "from": "words", "to": "integer"},
        {"value": "1", "from": "Integer", "to": "words"},
        {"value": "1", "from": "int", "to": "words"},
        {"value": "1", "from": "", "to": "words"},
        {"value": "1", "from": None, "to": "words"},
        {"value": "1", "from": "integer", "to": "ROMAN"},
        {"value": "1", "from": "integer", "to": "word"},
        {"value": "x", "from": "integer", "to": ["words"]},
        {"value": "x", "from": "integer", "to": 1},
    ),
)
