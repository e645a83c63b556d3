"""LZW codec: texts as codes of a growing dictionary that is bounded, and back."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Choice, Integer, Text, absentable, optional, required

_SUMMARY = """\
Compresses a text to a list of integers, its codes (`op` is `encode`), or turns codes back into the
text (`op` is `decode`). A character is one code point.

The dictionary is a list of strings. The code of a string in it is its index, from 0. At the start
the dictionary holds the characters of `alphabet`, in order. To add a string means:

- If the dictionary has fewer than `max_codes` strings, append the string to it.
- Otherwise, if `when_full` is `reset`, cut the dictionary back to the characters of `alphabet`. The
  string is not appended.
- Otherwise (`freeze`) do nothing.

`encode`: w is a string, empty at the start. For each character c of `text`, in order: if w + c is
in the dictionary, w becomes w + c. Otherwise output the code of w, then add w + c, then w becomes
c. At the end output the code of w if w is not empty.

`decode`: for each code, in order:

1. Unless this is the first code, make up for what `encode` added after the code before. Let p be
   the string of the code before, and n the number of strings in the dictionary. Add p + f, where f
   is the first character of the string of the current code. If the dictionary is not full and the
   current code is n, then f is the first character of p: the code is that of the very string that
   is being added.
2. Look up the current code and output its string."""

_RESULT = """\
- `encode`: an object `{"codes": [...], "entries": n}`, where `codes` is the array of the codes that
  were output.
- `decode`: an object `{"text": t, "entries": n}`, where `text` is all output joined.

`entries` is the number of strings in the dictionary at the end. Nothing is added after the last
code."""

_RULES = """\
- `decode` adds p + f even if the dictionary holds this string already.
- After a reset, the next string that is added gets the code right behind the alphabet. `decode`
  resets in step 1, before it looks up the code in step 2.
- If `max_codes` is the length of `alphabet`, nothing is ever appended.
- An empty text gives no codes, and no codes give an empty text. `entries` is then the length of
  `alphabet`.
- `encode` ignores `codes`, and `decode` ignores `text`. But if they are there, they must be valid.
  `max_codes` limits the dictionary, not the values in `codes`."""


def _evaluate(fields: Mapping[str, Any]) -> Json:
    op, alphabet = fields["op"], fields["alphabet"]
    operand = fields.get("text" if op == "encode" else "codes")
    if operand is None:
        raise DomainError("missing_operand")
    if len(set(alphabet)) < len(alphabet):
        raise DomainError("duplicate_symbol")
    if len(alphabet) > fields["max_codes"]:
        raise DomainError("alphabet_too_large")
    dictionary = _Dictionary(alphabet, fields["max_codes"], fields["when_full"] == "reset")
    if op == "decode":
        text = _decoded(operand, dictionary)
        return {"text": text, "entries": len(dictionary.strings)}
    if not set(operand) <= set(alphabet):
        raise DomainError("unknown_symbol")
    codes = _encoded(operand, dictionary)
    return {"codes": codes, "entries": len(dictionary.strings)}


class _Dictionary:
    """The strings in the order of their codes, and the codes of the strings."""

    def __init__(self, alphabet: str, most: int, resets: bool) -> None:
        self.alphabet = alphabet
        self.most = most
        self.resets = resets
        self.start()

    def start(self) -> None:
        self.strings = list(self.alphabet)
        self.codes = {string: code for code, string in enumerate(self.strings)}

    def add(self, string: str) -> None:
        if len(self.strings) < self.most:
            self.codes[string] = len(self.strings)
            self.strings.append(string)
        elif self.resets:
            self.start()


def _encoded(text: str, dictionary: _Dictionary) -> list[Json]:
    codes: list[Json] = []
    known = ""
    for char in text:
        if known + char in dictionary.codes:
            known += char
            continue
        codes.append(dictionary.codes[known])
        dictionary.add(known + char)
        known = char
    return [*codes, dictionary.codes[known]] if known else codes


def _decoded(codes: Sequence[int], dictionary: _Dictionary) -> str:
    parts: list[str] = []
    for code in codes:
        if parts:
            known = dictionary.strings[code] if code < len(dictionary.strings) else parts[-1]
            dictionary.add(parts[-1] + known[0])
        if code >= len(dictionary.strings):
            raise DomainError("bad_code")
        parts.append(dictionary.strings[code])
    return "".join(parts)


def _generate(rng: random.Random) -> dict[str, Json]:
    alphabet = "".join(rng.sample(_CHARS, rng.choice([1, 2, 2, 3, 3, 5, 12])))
    op = rng.choice(["encode", "decode"])
    drawn: dict[str, Json] = {"op": op, "alphabet": alphabet}
    most, resets = 4_096, rng.random() < 0.6
    if rng.random() < 0.8:
        most = max(2, len(alphabet) + rng.choice([0, 1, 1, 2, 3, 4, 8, 16, 40]))
        drawn["max_codes"] = most
    if resets or rng.random() < 0.3:
        drawn["when_full"] = "reset" if resets else "freeze"
    text = _draw_text(rng, alphabet)
    if op == "encode" or rng.random() < 0.1:
        drawn["text"] = text
    if op == "decode" or rng.random() < 0.1:
        drawn["codes"] = _draw_codes(rng, text, _Dictionary(alphabet, most, resets))
    if rng.random() < 0.14:
        drawn |= _draw_fault(rng, alphabet, text)
    if rng.random() < 0.04:
        del drawn["text" if op == "encode" else "codes"]
    return drawn


def _draw_text(rng: random.Random, alphabet: str) -> str:
    """A text with repetitions, some of them one character only."""
    parts = [rng.choice(alphabet) * rng.choice([1, 2, 3, 7]) for _ in range(rng.randint(1, 4))]
    pieces = [rng.choice([*parts, *alphabet]) for _ in range(rng.choice([0, 1, 3, 8, 15, 30]))]
    return "".join(pieces)


def _draw_codes(rng: random.Random, text: str, dictionary: _Dictionary) -> list[Json]:
    """Mostly codes of a text, now and then one of them changed, or any small numbers."""
    alphabet = len(dictionary.alphabet)
    if rng.random() < 0.15:
        return [min(rng.randrange(alphabet + i + 1), alphabet + i - 1) for i in range(8)]
    codes = _encoded(text, dictionary)
    if codes and rng.random() < 0.25:
        place = rng.randrange(len(codes))
        codes[place] = rng.choice([0, alphabet, alphabet + place, alphabet + place + 1, 65_535])
    return codes


def _draw_fault(rng: random.Random, alphabet: str, text: str) -> dict[str, Json]:
    """Members that make an input wrong, at least for one of both operations."""
    faults: list[dict[str, Json]] = [
        {"alphabet": alphabet + rng.choice(alphabet)},
        {"alphabet": alphabet + "\n\x00", "max_codes": len(alphabet) + 1},
        {"text": text + rng.choice(["\n", "\u00e9e", "\x00"])},
    ]
    return rng.choice(faults)


_CHARS = (
    "a",
    "b",
    "c",
    "A",
    "0",
    " ",
    "e",
    "\u0301",
    "ß",
    "日",
    "\u2028",
    "ｚ",
    "𝒳",
    "😀",
    "👍",
    "\\",
)


def _encode(alphabet: str, text: str, codes: list[Json], entries: int, /, **more: Json) -> Case:
    fields = {"op": "encode", "alphabet": alphabet, "text": text, **more}
    return Case(fields, {"codes": codes, "entries": entries})


def _decode(alphabet: str, codes: list[Json], text: str, entries: int, /, **more: Json) -> Case:
    fields = {"op": "decode", "alphabet": alphabet, "codes": codes, **more}
    return Case(fields, {"text": text, "entries": entries})


def _bad_code(alphabet: str, codes: list[Json], /, **more: Json) -> Case:
    return Case({"op": "decode", "alphabet": alphabet, "codes": codes, **more}, error="bad_code")


_ALPHABET = "".join(chr(0x100 + index) for index in range(256))

_PAIRS = [
    *(step * place % 256 for step in range(1, 30, 2) for place in range(256)),
    *(0, 31),
]
"""Indices in ``_ALPHABET``; no two neighbours stand there twice, so each pair of them is added."""

_BOUNDARIES = (
    # Nothing, one character, and codes by the order of the alphabet.
    _encode("a", "", [], 1),
    _encode("abc", "", [], 3, when_full="reset"),
    _decode("ab", [], "", 2),
    _encode("ab", "b", [1], 2),
    _decode("ab", [1], "b", 2),
    _encode("ba", "ab", [1, 0], 3),
    _encode(_ALPHABET, _ALPHABET[255], [255], 256, max_codes=256),
    _decode(_ALPHABET, [255, 256], _ALPHABET[255] * 3, 257),
    # The dictionary grows.
    _encode("éx", "éxéxéxé", [0, 1, 2, 4], 5),
    _encode("ab", "bbbbbb", [1, 2, 3], 4),
    _decode("ab", [1, 2, 3], "bbbbbb", 4),
    _decode("ab", [0, 2], "aaa", 3),
    _decode("éx", [0, 1, 2, 4], "éxéxéxé", 5),
    _encode("e\u0301é😀", "e\u0301é😀e\u0301", [0, 1, 2, 3, 4], 8),
    _decode("e\u0301é😀", [3, 4, 2, 6, 0], "😀😀😀ééée", 8),
    # A string may be in the dictionary twice.
    _decode("ab", [0, 1, 0, 1], "abab", 5),
    _decode("ab", [0, 1, 0, 1, 4], "ababab", 6),
    # What is done when it is full; it never grows if it starts full.
    _encode("ab", "aaaaabab", [0, 2, 2, 1, 0, 1], 4, max_codes=4),
    _encode("a", "aaaaaaa", [0, 1, 1, 1], 2, max_codes=2),
    _encode("a", "aaaaaaa", [0, 1, 0, 1, 0], 1, max_codes=2, when_full="reset"),
    _decode("a", [0, 1, 1, 1], "aaaaaaa", 2, max_codes=2, when_full="freeze"),
    _decode("a", [0, 1, 0, 1, 0], "aaaaaaa", 1, max_codes=2, when_full="reset"),
    _encode("ab", "abababab", [0, 1, 2, 2, 2], 3, max_codes=3),
    _encode("ab", "abababab", [0, 1, 0, 1, 0, 1, 0, 1], 3, max_codes=3, when_full="reset"),
    _decode("ab", [0, 2, 2, 1, 2], "aaaaabbb", 3, max_codes=4, when_full="reset"),
    _encode("ab", "abab", [0, 1, 0, 1], 2, max_codes=2),
    _encode("ab", "abab", [0, 1, 0, 1], 2, max_codes=2, when_full="reset"),
    _decode("ab", [0, 1, 0, 1], "abab", 2, max_codes=2, when_full="reset"),
    # By default there is room for 4,096: the alphabet and 3,840 pairs; the last pair is not added.
    _encode(_ALPHABET, "".join(_ALPHABET[i] for i in _PAIRS[:-1]), [*_PAIRS[:-1]], 4_096),
    _encode(_ALPHABET, "".join(_ALPHABET[i] for i in _PAIRS), [*_PAIRS], 4_096),
    # A reset or an addition comes only with a further code.
    _encode("a", "aaa", [0, 1], 2, max_codes=2, when_full="reset"),
    _decode("a", [0, 1], "aaa", 2, max_codes=2, when_full="reset"),
    # The operand of the other operation is ignored.
    _encode("ab", "ba", [1, 0], 3, codes=[9, 9]),
    _decode("ab", [1, 0], "ba", 3, text="zzz"),
    # Codes that are not in the dictionary, or not any more.
    _bad_code("ab", [2]),
    _bad_code("ab", [65_535]),
    _bad_code("ab", [0, 3]),
    _bad_code("ab", [0, 1, 4]),
    _bad_code("ab", [0, 2, 3, 2, 7]),
    _bad_code("a", [0, 1, 1], max_codes=2, when_full="reset"),
    _bad_code("a", [0, 1, 2], max_codes=2),
    _bad_code("ab", [0, 2], max_codes=2),
    _bad_code("ab", [0, 2], max_codes=2, when_full="reset"),
    # Errors, and which of two comes first.
    Case({"op": "decode", "alphabet": "aa"}, error="missing_operand"),
    Case({"op": "decode", "alphabet": "ab", "text": "a"}, error="missing_operand"),
    Case(
        {"op": "encode", "alphabet": "abb", "codes": [0], "max_codes": 2}, error="missing_operand"
    ),
    Case(
        {"op": "decode", "alphabet": "aab", "codes": [], "max_codes": 2}, error="duplicate_symbol"
    ),
    Case({"op": "encode", "alphabet": "😀a😀", "text": "z"}, error="duplicate_symbol"),
    Case(
        {"op": "encode", "alphabet": "abc", "text": "z", "max_codes": 2}, error="alphabet_too_large"
    ),
    Case(
        {"op": "decode", "alphabet": "abc", "codes": [9], "max_codes": 2, "when_full": "reset"},
        error="alphabet_too_large",
    ),
    Case(
        {"op": "decode", "alphabet": _ALPHABET, "codes": [], "max_codes": 255},
        error="alphabet_too_large",
    ),
    Case({"op": "encode", "alphabet": "abc", "text": "z"}, error="unknown_symbol"),
    Case({"op": "encode", "alphabet": "ab", "text": "ababA"}, error="unknown_symbol"),
    Case({"op": "encode", "alphabet": "e\u0301", "text": "eé"}, error="unknown_symbol"),
)

FAMILY = Family(
    number=54,
    slug="lzw-codec",
    title="LZW codec with a bounded dictionary",
    category="encoding",
    difficulty=Difficulty.MEDIUM,
    summary=_SUMMARY,
    fields=(
        required("op", Choice("encode", "decode"), "What is done."),
        required("alphabet", Text(1, 256), "The characters that a text may have."),
        absentable("text", Text(0, 4_000), "The text to encode, which `encode` needs."),
        absentable(
            "codes",
            Array(Integer(0, 65_535), 0, 500),
            "The codes to decode, which `decode` needs.",
        ),
        optional(
            "max_codes",
            Integer(2, 4_096),
            4_096,
            "How many strings the dictionary may have. It is full if it has so many.",
        ),
        optional(
            "when_full",
            Choice("freeze", "reset"),
            "freeze",
            "What adding a string does if the dictionary is full.",
        ),
    ),
    result=_RESULT,
    errors=(
        ErrorCode(
            "missing_operand",
            "`op` is `encode` and there is no `text`, or `decode` and no `codes`.",
        ),
        ErrorCode("duplicate_symbol", "A character occurs twice in `alphabet`."),
        ErrorCode("alphabet_too_large", "`alphabet` has more than `max_codes` characters."),
        ErrorCode(
            "unknown_symbol", "`op` is `encode` and a character of `text` is not in `alphabet`."
        ),
        ErrorCode(
            "bad_code",
            "`op` is `decode`, and a code is not below the number of strings in the dictionary "
            "when step 2 looks it up. (So the first code must be one of the alphabet.)",
        ),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=_encode("ab", "aaaaabab", [0, 2, 2, 1, 0, 1], 4, max_codes=4, when_full="reset"),
    boundaries=_BOUNDARIES,
    examples=(
        _decode("xy", [0, 2, 1, 0, 2], "xxxyxxx", 3, max_codes=4, when_full="reset"),
        _bad_code("xy", [0, 2, 3, 5]),
    ),
    malformed=(
        {"op": "ENCODE", "alphabet": "a", "text": ""},
        {"op": "compress", "alphabet": "a", "text": ""},
        {"op": "encode", "alphabet": "", "text": ""},
        {"op": "encode", "alphabet": ["a", "b"], "text": "a"},
        {"op": "encode", "alphabet": _ALPHABET + "a", "text": ""},
        {"op": "encode", "text": "a"},
        {"op": "encode", "alphabet": "a", "text": None},
        {"op": "encode", "alphabet": "1", "text": 1},
        {"op": "encode", "alphabet": "a", "text": ["a"]},
        {"op": "encode", "alphabet": "a", "text": "a" * 4_001},
        {"op": "encode", "alphabet": "a", "text": "a", "codes": [0, -1]},
        {"op": "encode", "alphabet": "ab", "text": "a", "max_codes": 1},
        {"op": "encode", "alphabet": "a", "text": "a", "max_codes": 4_097},
        {"op": "encode", "alphabet": "a", "text": "a", "max_codes": 16.0},
        {"op": "encode", "alphabet": "a", "text": "a", "max_codes": True},
        {"op": "encode", "alphabet": "a", "text": "a", "max_codes": None},
        {"op": "encode", "alphabet": "a", "text": "a", "when_full": "Reset"},
        {"op": "encode", "alphabet": "a", "text": "a", "when_full": "grow"},
        {"op": "encode", "alphabet": "a", "text": "a", "when_full": None},
        {"op": "decode", "alphabet": "a", "codes": None},
        {"op": "decode", "alphabet": "a", "codes": "0"},
        {"op": "decode", "alphabet": "a", "codes": 0},
        {"op": "decode", "alphabet": "ab", "codes": [False, True]},
        {"op": "decode", "alphabet": "a", "codes": [0.0]},
        {"op": "decode", "alphabet": "a", "codes": [0, 1.5]},
        {"op": "decode", "alphabet": "a", "codes": ["0"]},
        {"op": "decode", "alphabet": "a", "codes": [[0]]},
        {"op": "decode", "alphabet": "a", "codes": [0, None]},
        {"op": "decode", "alphabet": "a", "codes": [65_536]},
        {"op": "decode", "alphabet": "a", "codes": [0] * 501},
        {"op": "decode", "alphabet": "a", "codes": [0], "text": 5},
    ),
)
