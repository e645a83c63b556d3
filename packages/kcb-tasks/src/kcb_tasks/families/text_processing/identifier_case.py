"""Identifier case: names split into words and spelled in another style."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Boolean, Choice, Pattern, optional, required

_SUMMARY = """\
Splits each name into words and spells the words in another style. Letters are the ASCII letters,
digits the ASCII digits. Separators are `_`, `-`, `.` and the space.

Splitting a name:

1. Cut out all separators. The pieces between them that are not empty remain.
2. Cut each piece in front of an upper-case letter if the character before it in the piece is
   - a lower-case letter or a digit, or
   - an upper-case letter, and the character after it in the piece is a lower-case letter.
3. Change all letters to lower case. The parts are the words of the name.

To capitalize a word: if it is one of the `acronyms`, change all its letters to upper case. If not,
change its first character to upper case if that is a letter, and leave the rest.

The styles:

- `snake`: the words joined by `_`.
- `kebab`: the words joined by `-`.
- `constant`: the words joined by `_`, all letters in upper case.
- `pascal`: the capitalized words, joined without anything between.
- `camel`: as `pascal`, but the first word is not capitalized: it stays in lower case.
- `title`: the capitalized words joined by one space."""

_RESULT = """\
An object with these members:

- `results`: an array of objects `{"name": n, "words": [...], "converted": c}`, one for each element
  of `names`, in the same order: the name as given, its words, and its new spelling.
- `collisions`: an array of objects `{"converted": c, "names": [...]}`, one for each spelling `c`
  that two or more different names have got, in ascending order of `c` by code point. Its `names`
  are the different names with this spelling, each once, in the order of their first occurrence."""

_RULES = """\
- There is no cut in front of a digit or a lower-case letter: `md5sum` is one word, `v2Beta` two.
- The same name twice is not a collision."""

_SEPARATORS = re.compile(r"[_. -]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def _evaluate(fields: Mapping[str, Any]) -> Json:
    names, style = fields["names"], fields["style"]
    words = {name: _words(name) for name in names}
    if not all(words.values()):
        raise DomainError("no_words")
    converted = {name: _spelled(words[name], style, fields["acronyms"]) for name in names}
    strict = fields["strict"] and style not in ("title", "kebab")
    if strict and any(spelling[0].isdigit() for spelling in converted.values()):
        raise DomainError("leading_digit")
    results = [{"name": n, "words": words[n], "converted": converted[n]} for n in names]
    return {"results": results, "collisions": _collisions(converted)}


def _words(name: str) -> list[str]:
    pieces = [piece for piece in _SEPARATORS.split(name) if piece]
    return [word.lower() for piece in pieces for word in _HUMP.split(piece)]


def _spelled(words: Sequence[str], style: str, acronyms: Sequence[str]) -> str:
    if style == "snake":
        return "_".join(words)
    if style == "kebab":
        return "-".join(words)
    if style == "constant":
        return "_".join(words).upper()
    capitalized = [word.upper() if word in acronyms else word.capitalize() for word in words]
    if style == "title":
        return " ".join(capitalized)
    if style == "camel":
        capitalized[0] = words[0]
    return "".join(capitalized)


def _collisions(converted: Mapping[str, str]) -> Json:
    """The spellings of several names; the mapping has each name once, in order of occurrence."""
    names: dict[str, list[str]] = {}
    for name, spelling in converted.items():
        names.setdefault(spelling, []).append(name)
    return [{"converted": c, "names": names[c]} for c in sorted(names) if len(names[c]) > 1]


def _generate(rng: random.Random) -> dict[str, Json]:
    words = rng.sample(_WORDS, rng.randint(1, 4))
    names = [_draw_name(rng, words) for _ in range(rng.choice([0, 1, 3, 6, 9]))]
    drawn: dict[str, Json] = {
        "names": names,
        "style": rng.choice(["snake", "kebab", "constant", "pascal", "pascal", "camel", "title"]),
    }
    if names and rng.random() < 0.13:
        names.insert(rng.randint(0, len(names)), rng.choice(["_", "-- ", ". .", " "]))
    if rng.random() < 0.6:
        drawn["acronyms"] = rng.sample(_ACRONYMS, rng.randint(0, 4))
    if rng.random() < 0.5:
        drawn["strict"] = rng.random() < 0.8
        if rng.random() < 0.4:
            names.append("4" + _draw_name(rng, words))
    return drawn


def _draw_name(rng: random.Random, words: Sequence[str]) -> str:
    """Some of the words in one of the styles, or in no style at all."""
    chosen = [rng.choice(words) for _ in range(rng.choice([1, 2, 2, 2, 3]))]
    gap = rng.choice(["_", "-", ".", " ", "", "", "__", "_-"])
    change = rng.choice(_CASES)
    name = gap.join(change(word) for word in chosen)
    return rng.choice(["", "", "", "_", "-"]) + name + rng.choice(["", "", "", "_", ". "])


_CASES: tuple[Callable[[str], str], ...] = (
    str.lower,
    str.upper,
    str.capitalize,
    str.capitalize,
    str,
)
_WORDS = ("http", "id", "user", "a", "x", "v2", "md5sum", "io", "os", "name", "8bit", "b2B", "0")
_ACRONYMS = ("http", "id", "user", "v2", "md5sum", "io", "os", "8bit", "b2b", "zz")


def _renamed(
    results: Sequence[tuple[str, str, str]], collisions: Mapping[str, list[Json]] | None = None
) -> Json:
    """A result in short: each name, its words with spaces between, and its new spelling."""
    listed = [{"name": n, "words": words.split(), "converted": c} for n, words, c in results]
    found = [{"converted": c, "names": names} for c, names in (collisions or {}).items()]
    return {"results": listed, "collisions": found}


def _one(name: str, style: str, words: str, converted: str, *acronyms: str) -> Case:
    """A case of one name."""
    fields: dict[str, Json] = {"names": [name], "style": style}
    if acronyms:
        fields["acronyms"] = list(acronyms)
    return Case(fields, _renamed([(name, words, converted)]))


_BOUNDARIES = (
    # Splitting.
    Case(
        {"names": ["iOS", "ABc", "md5sum", "8bit"], "style": "pascal"},
        _renamed(
            [
                ("iOS", "i os", "IOs"),
                ("ABc", "a bc", "ABc"),
                ("md5sum", "md5sum", "Md5sum"),
                ("8bit", "8bit", "8bit"),
            ]
        ),
    ),
    _one("HTTP2Server", "snake", "http2 server", "http2_server"),
    _one("HTTP2server", "snake", "http2server", "http2server"),
    _one("ABC_Def-GHi.jK L", "kebab", "abc def g hi j k l", "abc-def-g-hi-j-k-l"),
    _one("A_b", "snake", "a b", "a_b"),
    _one("aB1C2d", "snake", "a b1 c2d", "a_b1_c2d"),
    _one("ABC1d", "snake", "abc1d", "abc1d"),
    _one("__--a. ._B__", "constant", "a b", "A_B"),
    _one("XMLHttpRequestX", "title", "xml http request x", "Xml Http Request X"),
    # Styles and acronyms.
    _one("api_id_8bit", "pascal", "api id 8bit", "APIId8BIT", "api", "8bit"),
    _one("api_id api", "camel", "api id api", "apiIDAPI", "api", "id"),
    _one("api_id 2b", "title", "api id 2b", "API Id 2b", "api", "id2b"),
    _one("api_id", "kebab", "api id", "api-id", "api"),
    _one("8bitColor", "constant", "8bit color", "8BIT_COLOR", "color"),
    _one("X", "camel", "x", "x"),
    # Collisions: different names only, in the order of the spelling, then of occurrence.
    Case(
        {"names": ["a b", "a b"], "style": "constant"},
        _renamed([("a b", "a b", "A_B"), ("a b", "a b", "A_B")]),
    ),
    Case(
        {"names": ["b-a", "AB", "b_a", "Ab", "b-a", "ab", "c"], "style": "title"},
        _renamed(
            [
                ("b-a", "b a", "B A"),
                ("AB", "ab", "Ab"),
                ("b_a", "b a", "B A"),
                ("Ab", "ab", "Ab"),
                ("b-a", "b a", "B A"),
                ("ab", "ab", "Ab"),
                ("c", "c", "C"),
            ],
            {"Ab": ["AB", "Ab", "ab"], "B A": ["b-a", "b_a"]},
        ),
    ),
    Case(
        {"names": ["b_c", "aB", "a_b", "bC", "B"], "style": "camel", "acronyms": ["bb"]},
        _renamed(
            [
                ("b_c", "b c", "bC"),
                ("aB", "a b", "aB"),
                ("a_b", "a b", "aB"),
                ("bC", "b c", "bC"),
                ("B", "b", "b"),
            ],
            {"aB": ["aB", "a_b"], "bC": ["b_c", "bC"]},
        ),
    ),
    Case(
        {"names": ["ab_c", "a_bc"], "style": "pascal", "acronyms": ["ab", "bc"]},
        _renamed([("ab_c", "ab c", "ABC"), ("a_bc", "a bc", "ABC")], {"ABC": ["ab_c", "a_bc"]}),
    ),
    Case({"names": [], "style": "snake", "strict": True}, _renamed([])),
    # Errors: strictness counts for four styles, and looks at every name.
    Case({"names": ["8bit", "__"], "style": "snake", "strict": True}, error="no_words"),
    Case({"names": ["a", "-. _"], "style": "title"}, error="no_words"),
    Case({"names": ["8bit"], "style": "snake", "strict": True}, error="leading_digit"),
    Case({"names": ["a", "_-0"], "style": "constant", "strict": True}, error="leading_digit"),
    Case({"names": ["a", "8Bit"], "style": "camel", "strict": True}, error="leading_digit"),
    Case(
        {"names": ["8bit"], "style": "pascal", "strict": True, "acronyms": ["8bit"]},
        error="leading_digit",
    ),
    Case(
        {"names": ["8bit"], "style": "kebab", "strict": True},
        _renamed([("8bit", "8bit", "8bit")]),
    ),
    Case(
        {"names": ["8bit"], "style": "title", "strict": True},
        _renamed([("8bit", "8bit", "8bit")]),
    ),
    Case(
        {"names": ["b8_8"], "style": "snake", "strict": True},
        _renamed([("b8_8", "b8 8", "b8_8")]),
    ),
    Case({"names": ["naïve"], "style": "snake"}, error="invalid_field"),
)

_NAME = Pattern(
    r"[A-Za-z0-9_. -]{1,64}",
    "a string of 1 to 64 characters: ASCII letters, ASCII digits, `_`, `-`, `.` and spaces",
    ("userName", "a", "_", " ", ".-", "A" * 64, "0"),
    ("naïve", "a" * 65, "a\tb", "a/b", "a\u00a0b", "ａ", "a,b", "a\u2010b", "n\u0303", "٣"),
)

_ACRONYM = Pattern(
    r"[a-z0-9]{2,10}",
    "a string of 2 to 10 characters: `a` to `z` and `0` to `9`",
    ("id", "42", "a" * 10),
    ("a", "a" * 11, "ID", "i-d", "é1", "Id"),
)

FAMILY = Family(
    number=5,
    slug="identifier-case",
    title="Identifier case conversion",
    category="text-processing",
    difficulty=Difficulty.STRAIGHTFORWARD,
    summary=_SUMMARY,
    fields=(
        required("names", Array(_NAME, 0, 100), "The names to convert."),
        required("style", Choice("snake", "kebab", "constant", "pascal", "camel", "title")),
        optional("acronyms", Array(_ACRONYM, 0, 50), [], "Words that are capitalized as a whole."),
        optional("strict", Boolean(), False, "Whether a leading digit is an error."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("no_words", "A name has no letter and no digit."),
        ErrorCode(
            "leading_digit",
            '`strict` is true, `style` is neither `"title"` nor `"kebab"`, and a new spelling '
            "begins with a digit.",
        ),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        {
            "names": ["HTTPServerID", "user_name", "userName", "v2Beta-final"],
            "style": "camel",
            "acronyms": ["id", "http"],
        },
        {
            "results": [
                {
                    "name": "HTTPServerID",
                    "words": ["http", "server", "id"],
                    "converted": "httpServerID",
                },
                {"name": "user_name", "words": ["user", "name"], "converted": "userName"},
                {"name": "userName", "words": ["user", "name"], "converted": "userName"},
                {
                    "name": "v2Beta-final",
                    "words": ["v2", "beta", "final"],
                    "converted": "v2BetaFinal",
                },
            ],
            "collisions": [{"converted": "userName", "names": ["user_name", "userName"]}],
        },
    ),
    boundaries=_BOUNDARIES,
    examples=(
        Case(
            {
                "names": ["parseURLList", ".x86Asm v1b", "parse--url_list", "x86asm"],
                "style": "pascal",
                "acronyms": ["url", "v1b"],
            },
            _renamed(
                [
                    ("parseURLList", "parse url list", "ParseURLList"),
                    (".x86Asm v1b", "x86 asm v1b", "X86AsmV1B"),
                    ("parse--url_list", "parse url list", "ParseURLList"),
                    ("x86asm", "x86asm", "X86asm"),
                ],
                {"ParseURLList": ["parseURLList", "parse--url_list"]},
            ),
        ),
        Case({"names": ["a1", "_1a"], "style": "camel", "strict": True}, error="leading_digit"),
    ),
    malformed=(
        {"names": ["a", ""], "style": "snake"},
        {"names": ["a\n"], "style": "snake"},
        {"names": ["a\tb"], "style": "snake"},
        {"names": ["a\u00a0b"], "style": "snake"},
        {"names": ["a$"], "style": "snake"},
        {"names": ["a" * 65], "style": "snake"},
        {"names": ["a", None], "style": "snake"},
        {"names": ["__", 5], "style": "snake"},
        {"names": "userName", "style": "snake"},
        {"names": ["a"] * 101, "style": "snake"},
        {"names": ["a"], "style": "Snake"},
        {"names": ["a"], "style": "upper"},
        {"names": ["a"], "style": None},
        {"names": ["a"], "style": "snake", "acronyms": ["ID"]},
        {"names": ["a"], "style": "snake", "acronyms": ["a"]},
        {"names": ["a"], "style": "snake", "acronyms": ["a" * 11]},
        {"names": ["a"], "style": "snake", "acronyms": "id"},
        {"names": ["a"], "style": "snake", "acronyms": ["id", "i_d"]},
        {"names": ["a"], "style": "snake", "strict": "true"},
        {"names": ["a"], "style": "snake", "strict": 1},
    ),
)
