"""Check digits: Luhn, EAN-13, ISBN-10 and IBAN numbers, validated and completed."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Mapping
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Choice, Text, required

_SUMMARY = """\
Works on numbers with check characters; `scheme` says of which kind. If `op` is `validate`, `value`
is a whole number, which is tested. If `op` is `complete`, `value` is a number without its check
characters, which are added.

First clean `value`: remove every space (U+0020) and every hyphen `-` (U+002D), and replace each
letter `a` to `z` by its upper-case letter. All other characters stay. Below, a digit is `0` to `9`
and a letter is `A` to `Z`, nothing else.

- `luhn`: a whole number has 2 to 30 digits; the last is the check. Go through the other digits from
  right to left and double the first, the third, the fifth and so on; subtract 9 from a doubled
  digit above 9. s is the sum of all these other digits, the doubled ones as they are now. The check
  is the digit for which s + check is a multiple of 10.
- `ean13`: a whole number has 13 digits; the last is the check. Multiply the other digits, from left
  to right, by 1, 3, 1, 3 and so on. s is the sum of the products. The check is the digit for which
  s + check is a multiple of 10.
- `isbn10`: a whole number has 9 digits and then the check. Multiply the 9 digits, from left to
  right, by 10, 9, 8, 7, 6, 5, 4, 3, 2. s is the sum of the products. The check is the number from 0
  to 10 for which s + check is a multiple of 11. The number 10 is written `X`.
- `iban`: a whole number is a country (2 letters), the check (2 digits) and a rest of letters and
  digits. How many characters these are together depends on the country: AT 20, BE 16, CH 21, DE 22,
  ES 24, FR 27, GB 22, IT 27, NL 18, NO 15. Without its check, a number is the country and the rest.
  Write the rest, the country and `00` one after the other, and replace each letter by a number, `A`
  by 10, `B` by 11 and so on to `Z` by 35. N is what you get, read as one decimal number. The check
  is 98 - (N mod 97), written with two digits (with a `0` in front if it is below 10)."""

_RESULT = """\
An object with these members:

- `valid`: `true` if `op` is `complete`, or if the cleaned `value` is equal to `full`, else `false`.
- `check`: the correct check, a string.
- `full`: the whole number with the correct check, a string.
- `formatted`: for `iban`, `full` cut from the left into groups of 4 characters (the last may be
  shorter), joined by one space. Otherwise the same as `full`."""

_RULES = """\
- A wrong check is no error: `valid` is `false` then.
- An IBAN with another check than the computed one is not valid, even if it passes the usual test
  modulo 97 (`00` where `97` is correct).
- Full-width digits, non-ASCII letters, tabs and other dashes give `bad_characters`."""

_LENGTHS = {
    **{"AT": 20, "BE": 16, "CH": 21, "DE": 22, "ES": 24},
    **{"FR": 27, "GB": 22, "IT": 27, "NL": 18, "NO": 15},
}

_PATTERNS = {
    ("validate", "luhn"): "[0-9]*",
    ("validate", "ean13"): "[0-9]*",
    ("validate", "isbn10"): "[0-9]*[0-9X]?",
    ("validate", "iban"): "[A-Z]{2}[0-9]{2}[A-Z0-9]*",
    ("complete", "luhn"): "[0-9]*",
    ("complete", "ean13"): "[0-9]*",
    ("complete", "isbn10"): "[0-9]*",
    ("complete", "iban"): "[A-Z]{2}[A-Z0-9]*",
}

_CLEAN = str.maketrans(string.ascii_lowercase, string.ascii_uppercase, " -")


def _evaluate(fields: Mapping[str, Any]) -> Json:
    op, scheme = fields["op"], fields["scheme"]
    number = fields["value"].translate(_CLEAN)
    if not re.fullmatch(_PATTERNS[op, scheme], number):
        raise DomainError("bad_characters")
    if scheme == "iban" and number[:2] not in _LENGTHS:
        raise DomainError("unknown_country")
    if op == "complete":
        number = _with_check(scheme, number, "00" if scheme == "iban" else "0")
    if not _has_length(scheme, number):
        raise DomainError("bad_length")
    payload = number[:2] + number[4:] if scheme == "iban" else number[:-1]
    check = _check(scheme, payload)
    full = _with_check(scheme, payload, check)
    return {
        "valid": op == "complete" or number == full,
        "check": check,
        "full": full,
        "formatted": _grouped(full) if scheme == "iban" else full,
    }


def _with_check(scheme: str, payload: str, check: str) -> str:
    """The whole number: an IBAN has its check behind the country, the others at their end."""
    place = 2 if scheme == "iban" else len(payload)
    return payload[:place] + check + payload[place:]


def _has_length(scheme: str, number: str) -> bool:
    if scheme == "luhn":
        return 2 <= len(number) <= 30
    return len(number) == {"ean13": 13, "isbn10": 10}.get(scheme, _LENGTHS.get(number[:2]))


def _check(scheme: str, payload: str) -> str:
    if scheme == "iban":
        digits = "".join(str(int(char, 36)) for char in f"{payload[2:]}{payload[:2]}00")
        return f"{98 - int(digits) % 97:02}"
    digits_of = [int(char) for char in payload]
    if scheme == "luhn":
        doubled = [sum(divmod(2 * digit, 10)) for digit in digits_of[::-2]]
        return str(-(sum(doubled) + sum(digits_of[-2::-2])) % 10)
    if scheme == "ean13":
        return str(-(sum(digits_of[::2]) + 3 * sum(digits_of[1::2])) % 10)
    total = sum(weight * digit for weight, digit in zip(range(10, 1, -1), digits_of, strict=True))
    return "0123456789X"[-total % 11]


def _grouped(text: str) -> str:
    return " ".join(text[at : at + 4] for at in range(0, len(text), 4))


def _generate(rng: random.Random) -> dict[str, Json]:
    op = rng.choice(["validate", "validate", "complete"])
    scheme = rng.choice(["luhn", "ean13", "isbn10", "iban"])
    payload = _draw_payload(rng, scheme)
    number = payload
    if op == "validate":
        number = _with_check(scheme, payload, _check(scheme, payload))
        if rng.random() < 0.4:
            place = rng.randrange(2 if scheme == "iban" else 0, len(number))
            number = number[:place] + rng.choice("0123456789") + number[place + 1 :]
    if rng.random() < 0.25:
        number = _draw_fault(rng, scheme, number)
    separator = rng.choice(["", "", " ", "-", " - "])
    size = rng.choice([1, 3, 4])
    groups = [number[at : at + size] for at in range(0, len(number), size)]
    value = separator.join(groups)[:80]
    return {"op": op, "scheme": scheme, "value": _lower(value) if rng.random() < 0.5 else value}


def _draw_payload(rng: random.Random, scheme: str) -> str:
    digits = rng.choice(["0123456789", "0123456789", "09", "0005"])
    if scheme == "iban":
        country, length = rng.choice(sorted(_LENGTHS.items()))
        chars = rng.choice([digits, digits, digits + "ABXZ"])
        return country + "".join(rng.choice(chars) for _ in range(length - 4))
    length = {"ean13": 12, "isbn10": 9}.get(scheme, rng.choice([1, 2, 3, 7, 10, 15, 29]))
    return "".join(rng.choice(digits) for _ in range(length))


def _draw_fault(rng: random.Random, scheme: str, number: str) -> str:
    """A number with a strange character, another length, or an unknown country."""
    faults = [number[:-1], number[: rng.randrange(len(number))], number + "00", number * 3]
    place = rng.randint(0, len(number))
    strange = rng.choice(["x", "X", ".", "é", "\u0661", "３", "\u2011", "\t", "ß", "ſ", "😀", "²"])
    faults += [number[:place] + strange + number[place:]] * 2
    if scheme == "iban":
        faults += [rng.choice(["US", "ZZ", "LI", "NN", "ON"]) + number[2:]] * 4
    return rng.choice(faults)


def _lower(text: str) -> str:
    """The text with its ASCII letters in lower case."""
    return "".join(char.lower() if char in string.ascii_uppercase else char for char in text)


def _case(op: str, scheme: str, value: str, full: str, check: str, valid: bool = True) -> Case:
    """A case without groups: all schemes but ``iban``."""
    result = {"valid": valid, "check": check, "full": full, "formatted": full}
    return Case({"op": op, "scheme": scheme, "value": value}, result)


def _iban(op: str, value: str, formatted: str, valid: bool = True) -> Case:
    full = formatted.replace(" ", "")
    result = {"valid": valid, "check": full[2:4], "full": full, "formatted": formatted}
    return Case({"op": op, "scheme": "iban", "value": value}, result)


def _refused(error: str, op: str, scheme: str, *values: str) -> tuple[Case, ...]:
    fields: list[dict[str, Json]] = [{"op": op, "scheme": scheme, "value": v} for v in values]
    return tuple(Case(given, error=error) for given in fields)


_NINES = "9" * 29

_BOUNDARIES = (
    # Luhn: the digit beside the check is doubled, 10 to 18 become 1 to 9.
    _case("validate", "luhn", "4992-7398 716", "49927398716", "6"),
    _case("validate", "luhn", "19", "18", "8", valid=False),
    _case("validate", "luhn", "18", "18", "8"),
    _case("validate", "luhn", "00", "00", "0"),
    _case("validate", "luhn", "4539 1488 0343 6467", "4539148803436467", "7"),
    _case("validate", "luhn", "4539 1488 0343 6476", "4539148803436475", "5", valid=False),
    _case("complete", "luhn", "0", "00", "0"),
    _case("complete", "luhn", "5", "59", "9"),
    _case("complete", "luhn", "-7 -", "75", "5"),
    _case("complete", "luhn", "09", "091", "1"),
    _case("complete", "luhn", "90", "901", "1"),
    _case("complete", "luhn", "7992739871", "79927398713", "3"),
    _case("complete", "luhn", _NINES, _NINES + "9", "9"),
    _case("validate", "luhn", _NINES + "9", _NINES + "9", "9"),
    *_refused("bad_length", "complete", "luhn", "", " - ", _NINES + "9"),
    *_refused("bad_length", "validate", "luhn", " ", "5", _NINES + "99"),
    # EAN-13.
    _case("validate", "ean13", "4006381333930", "4006381333931", "1", valid=False),
    _case("validate", "ean13", "978-3-16-148410-0", "9783161484100", "0"),
    _case("validate", "ean13", "0000000000000", "0000000000000", "0"),
    _case("complete", "ean13", "590 123 412 345", "5901234123457", "7"),
    _case("complete", "ean13", "123456789012", "1234567890128", "8"),
    *_refused("bad_length", "validate", "ean13", "", "590123412345", "59012341234570"),
    *_refused("bad_length", "complete", "ean13", "5901234123457", "59012341234"),
    *_refused("bad_characters", "validate", "ean13", "590123412345X", "59012341234\u0665\u0667"),
    # ISBN-10: the check may be X, but nothing else, and only where it is given.
    _case("validate", "isbn10", "0-306-40615-2", "0306406152", "2"),
    _case("validate", "isbn10", "0-8044-2957-X", "080442957X", "X"),
    _case("validate", "isbn10", "080442957x", "080442957X", "X"),
    _case("validate", "isbn10", "1234567890", "123456789X", "X", valid=False),
    _case("validate", "isbn10", "030640615X", "0306406152", "2", valid=False),
    _case("complete", "isbn10", "123456789", "123456789X", "X"),
    _case("complete", "isbn10", "000000000", "0000000000", "0"),
    _case("complete", "isbn10", "000000005", "0000000051", "1"),
    *_refused("bad_length", "validate", "isbn10", "", "X", "080442957", "08044295X", "0804429570X"),
    *_refused("bad_length", "complete", "isbn10", "12345678", "1234567890"),
    *_refused("bad_characters", "validate", "isbn10", "12X4", "080442957XX", "X080442957"),
    *_refused("bad_characters", "complete", "isbn10", "12345678X", "X", "12345678²"),
    # IBAN: one of each country.
    _iban("validate", "AT611904300234573201", "AT61 1904 3002 3457 3201"),
    _iban("validate", "be68 5390 0754 7034", "BE68 5390 0754 7034"),
    _iban("validate", "CH93-0076-2011-6238-5295-7", "CH93 0076 2011 6238 5295 7"),
    _iban("validate", "D E893 70400440532013000", "DE89 3704 0044 0532 0130 00"),
    _iban("complete", "ES21000418450200051332", "ES91 2100 0418 4502 0005 1332"),
    _iban("complete", "fr20041010050500013m02606", "FR14 2004 1010 0505 0001 3M02 606"),
    _iban("complete", "GB west 1234 5698 7654 32", "GB82 WEST 1234 5698 7654 32"),
    _iban("complete", "IT X054 2811 1010 0000 0123 456", "IT60 X054 2811 1010 0000 0123 456"),
    _iban("complete", "NL-ABNA-0417-1643-00", "NL91 ABNA 0417 1643 00"),
    _iban("validate", "NO9386011117947", "NO93 8601 1117 947"),
    # Checks at both ends of 02 to 98, and others that are congruent to them.
    _iban("complete", "NO00000000004", "NO02 0000 0000 004"),
    _iban("complete", "NO00000000040", "NO97 0000 0000 040"),
    _iban("complete", "NO00000000022", "NO98 0000 0000 022"),
    _iban("validate", "NO0200000000004", "NO02 0000 0000 004"),
    _iban("validate", "NO9900000000004", "NO02 0000 0000 004", valid=False),
    _iban("validate", "NO0000000000040", "NO97 0000 0000 040", valid=False),
    _iban("validate", "NO0100000000022", "NO98 0000 0000 022", valid=False),
    _iban("validate", "GB28WEST12345698765432", "GB82 WEST 1234 5698 7654 32", valid=False),
    # Errors of an IBAN: characters, then the country, then the length.
    *_refused("bad_characters", "validate", "iban", "", "D", "12", "DE8", "DEAB1", "XXX0", "D1E2"),
    *_refused("bad_characters", "validate", "iban", "XX00é", "DE8937040044053201300\u0660"),
    *_refused("bad_characters", "validate", "iban", "ıt60X0542811101000000123456", "DE89\t37"),
    *_refused("bad_characters", "complete", "iban", "", "d", "D1", "-", "1DE", "DE\u20111", "Eſ1"),
    *_refused("unknown_country", "validate", "iban", "XX00", "US89370400440532013000"),
    *_refused("unknown_country", "complete", "iban", "zz", "ED370400440532013000"),
    *_refused(
        "bad_length", "validate", "iban", "DE89", "DE8937040044053201300", "no93860111179470"
    ),
    *_refused("bad_length", "complete", "iban", "de", "DE89370400440532013000"),
    # Only ASCII digits count, and only spaces and hyphens are removed.
    *_refused(
        "bad_characters", "validate", "luhn", "\uff11\uff12", "1a", "1\u00a08", "1\n8", "1_8"
    ),
    *_refused(
        "bad_characters", "complete", "luhn", "\u0661", "1.", "+1", "\u22127", "𝟙", "1\u0301"
    ),
)

FAMILY = Family(
    number=53,
    slug="check-digits",
    title="Check digits: Luhn, EAN-13, ISBN-10, IBAN",
    category="encoding",
    difficulty=Difficulty.STRAIGHTFORWARD,
    summary=_SUMMARY,
    fields=(
        required("op", Choice("validate", "complete"), "What is done."),
        required("scheme", Choice("luhn", "ean13", "isbn10", "iban"), "The kind of number."),
        required("value", Text(0, 80), "The number, with or without its check characters."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode(
            "bad_characters",
            'The cleaned `value` has not the following form, in which "any" is any number of '
            "them or none. `luhn`, `ean13`, and `isbn10` with `complete`: any digits. `isbn10` "
            "with `validate`: any digits, then optionally `X`. `iban` with `validate`: 2 letters, "
            "2 digits, any letters and digits. `iban` with `complete`: 2 letters, any letters and "
            "digits.",
        ),
        ErrorCode("unknown_country", "`scheme` is `iban` and the country is not listed above."),
        ErrorCode(
            "bad_length",
            "The whole number has a wrong length. For `complete`, that is the length after the "
            "check (1 character, or 2 for `iban`) is added.",
        ),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=_iban("complete", "de 1234-5678 0000 0000 12", "DE11 1234 5678 0000 0000 12"),
    boundaries=_BOUNDARIES,
    examples=(
        _iban("validate", "nl19 abna-0417-1643-00", "NL91 ABNA 0417 1643 00", valid=False),
        Case(
            {"op": "complete", "scheme": "isbn10", "value": "0-8044-295x"}, error="bad_characters"
        ),
    ),
    malformed=(
        {"op": "Validate", "scheme": "luhn", "value": "18"},
        {"op": "check", "scheme": "luhn", "value": "18"},
        {"op": True, "scheme": "luhn", "value": "18"},
        {"op": "validate", "scheme": "LUHN", "value": "18"},
        {"op": "validate", "scheme": "ean-13", "value": "4006381333931"},
        {"op": "validate", "scheme": "isbn13", "value": "9783161484100"},
        {"op": "validate", "scheme": None, "value": "18"},
        {"op": "validate", "scheme": ["luhn"], "value": "18"},
        {"op": "validate", "scheme": "luhn", "value": 18},
        {"op": "validate", "scheme": "ean13", "value": 4006381333931},
        {"op": "validate", "scheme": "luhn", "value": 18.0},
        {"op": "validate", "scheme": "luhn", "value": None},
        {"op": "validate", "scheme": "luhn", "value": ["1", "8"]},
        {"op": "validate", "scheme": "luhn", "value": "1" + " " * 79 + "8"},
        {"op": "complete", "scheme": "luhn", "value": True},
        {"op": "complete", "scheme": "isbn-10", "value": "é"},
        {"op": "complete", "value": "1"},
        {"scheme": "luhn", "value": 1},
    ),
)
