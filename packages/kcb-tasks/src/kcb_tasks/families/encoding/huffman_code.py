"""Huffman code: a text in the canonical form of its shortest prefix code."""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Text, required

_SUMMARY = """\
Encodes `text` with its canonical Huffman code. A character is one code point, taken as it is: a
combining mark is a character of its own, and nothing is normalized. The symbols are the different
characters of `text`.

1. **Lengths.** Start with one tree for each symbol. Its weight is the number of times that the
   symbol occurs in `text`. While there are at least two trees, replace two of them by one tree that
   holds the symbols of both and has the sum of their weights. Take the two trees of smallest
   weight; of trees with equal weights, take first the one whose smallest code point is smaller (the
   smallest code point of all symbols that it holds). The code length of a symbol is the number of
   these steps in which its tree was one of the two. If there is only one symbol, its code length
   is 1.
2. **Codes.** A code is a string of `0` and `1`. Sort the symbols by code length, then by code
   point. The code of the first is all zeros. The code of each next symbol is the code before it
   plus 1, as a binary number with the same number of digits, followed by as many `0` as are missing
   to the code length of the symbol.
3. **Payload.** Join the codes of the characters of `text`, in order. Then append `0` until the
   number of bits is a multiple of 8, but no more than necessary (0 to 7). Each 8 bits are a byte,
   its highest bit first."""

_RESULT = """\
An object with these members:

- `symbols`: an array of objects `{"char": c, "count": n, "code": b}`, one for each symbol, in the
  order of step 2. `char` is the symbol as a string, `count` the number of times that it occurs in
  `text`, `code` its code.
- `bits`: the number of bits of the payload before zeros are appended.
- `padding`: the number of zeros that are appended.
- `hex`: the bytes in hexadecimal, a string of two digits for each byte, letters in lower case."""

_MOST_SYMBOLS = 256


def _evaluate(fields: Mapping[str, Any]) -> Json:
    text = fields["text"]
    if not text:
        raise DomainError("empty_text")
    counts = Counter(text)
    if len(counts) > _MOST_SYMBOLS:
        raise DomainError("too_many_symbols")
    codes = _codes(_lengths(counts))
    payload = "".join(codes[char] for char in text)
    padding = -len(payload) % 8
    padded = payload + "0" * padding
    return {
        "symbols": [
            {"char": char, "count": counts[char], "code": code} for char, code in codes.items()
        ],
        "bits": len(payload),
        "padding": padding,
        "hex": bytes(int(padded[at : at + 8], 2) for at in range(0, len(padded), 8)).hex(),
    }


def _lengths(counts: Mapping[str, int]) -> dict[str, int]:
    """The code length of each symbol. A tree is its weight, smallest symbol, and all symbols."""
    lengths = dict.fromkeys(counts, 0 if len(counts) > 1 else 1)
    trees = [(count, char, char) for char, count in counts.items()]
    heapq.heapify(trees)
    while len(trees) > 1:
        weight, smallest, symbols = heapq.heappop(trees)
        other_weight, other_smallest, other_symbols = heapq.heappop(trees)
        symbols += other_symbols
        for char in symbols:
            lengths[char] += 1
        merged = (weight + other_weight, min(smallest, other_smallest), symbols)
        heapq.heappush(trees, merged)
    return lengths


def _codes(lengths: Mapping[str, int]) -> dict[str, str]:
    """The canonical codes, in their order."""
    codes: dict[str, str] = {}
    following, before = 0, 0
    for char in sorted(lengths, key=lambda char: (lengths[char], char)):
        following <<= lengths[char] - before
        before = lengths[char]
        codes[char] = f"{following:0{before}b}"
        following += 1
    return codes


def _generate(rng: random.Random) -> dict[str, Json]:
    chance = rng.random()
    if chance < 0.1:
        return {"text": ""}
    if chance < 0.25:
        first = rng.choice([0x20, 0x4E00, 0x10400])
        count = rng.choice([255, 256, 257, 257, 258, 300, 400])
        chars = [chr(first + index) for index in range(count)] + [chr(first)] * rng.randint(0, 40)
        rng.shuffle(chars)
        return {"text": "".join(chars)}
    symbols = rng.sample(_CHARS, rng.choice([1, 2, 3, 4, 5, 6, 8, 12, 20]))
    spread = rng.choice([[1], [1, 1, 2], [1, 2, 3, 4], [1, 1, 2, 3, 5, 8, 13, 21], [7, 8, 9]])
    chars = [char for char in symbols for _ in range(rng.choice(spread))]
    if rng.random() < 0.8:
        rng.shuffle(chars)
    return {"text": "".join(chars)}


_CHARS = (
    *("a", "b", "c", "d", "e", "A", "B", "C", "0", "1", " ", "\n", "\t", "\\", '"', "é", "ß"),
    *("\u0301", "\u0308", "Å", "\u212b", "日", "本", "ｚ", "\uffff", "𝒳", "𐐀", "😀", "\U0001d165"),
    *("\u200d", "\u2028", "\x7f", "\0"),
)


def _coded(text: str, codes: Mapping[str, str], bits: int, padding: int, payload: str) -> Case:
    """A case whose symbols are in the canonical order."""
    symbols = [{"char": c, "count": text.count(c), "code": code} for c, code in codes.items()]
    result = {"symbols": symbols, "bits": bits, "padding": padding, "hex": payload}
    return Case({"text": text}, result)


_256 = "".join(chr(0x100 + index) for index in range(256))

_BOUNDARIES = (
    # One symbol has the code 0, however often it occurs.
    _coded("x", {"x": "0"}, 1, 7, "00"),
    _coded("éé", {"é": "0"}, 2, 6, "00"),
    _coded("x" * 8, {"x": "0"}, 8, 0, "00"),
    _coded("x" * 9, {"x": "0"}, 9, 7, "0000"),
    # Code points are symbols: nothing is normalized, and order is not that of UTF-16.
    _coded("e\u0301e\u0301", {"e": "0", "\u0301": "1"}, 4, 4, "50"),
    _coded("ée\u0301", {"\u0301": "0", "e": "10", "é": "11"}, 5, 3, "e0"),
    _coded("𝒳ｚ", {"ｚ": "0", "𝒳": "1"}, 2, 6, "80"),
    _coded("aA \n", {"\n": "00", " ": "01", "A": "10", "a": "11"}, 8, 0, "e4"),
    # Equal weights: the tree with the smallest code point comes first, also when it is a new one.
    _coded("abc", {"c": "0", "a": "10", "b": "11"}, 5, 3, "b0"),
    _coded("dcba", {"a": "00", "b": "01", "c": "10", "d": "11"}, 8, 0, "e4"),
    _coded("aabbc", {"b": "0", "a": "10", "c": "11"}, 8, 0, "a3"),
    _coded("aabbcd", {"a": "00", "b": "01", "c": "10", "d": "11"}, 12, 4, "05b0"),
    _coded("abccdd", {"d": "0", "c": "10", "a": "110", "b": "111"}, 12, 4, "de80"),
    _coded("zaammmnnn", {"n": "0", "m": "10", "a": "110", "z": "111"}, 18, 6, "fb5400"),
    # Lengths that grow by one, and by two at once.
    _coded(
        "abccdddeeeee",
        {"e": "0", "d": "10", "c": "110", "a": "1110", "b": "1111"},
        25,
        7,
        "efdaa000",
    ),
    _coded("aaaabcde", {"a": "0", "b": "100", "c": "101", "d": "110", "e": "111"}, 16, 0, "0977"),
    # As many symbols as there may be: all codes have 8 bits.
    _coded(
        _256,
        {char: f"{index:08b}" for index, char in enumerate(_256)},
        2_048,
        0,
        bytes(range(256)).hex(),
    ),
    Case({"text": _256 + "a"}, error="too_many_symbols"),
    Case({"text": _256 + _256 + "\U0001f600"}, error="too_many_symbols"),
    Case({"text": ""}, error="empty_text"),
)

FAMILY = Family(
    number=52,
    slug="huffman-code",
    title="Canonical Huffman coding",
    category="encoding",
    difficulty=Difficulty.MEDIUM,
    summary=_SUMMARY,
    fields=(
        required(
            "text",
            Text(0, 4_000),
            "The text to encode. The empty string is an error of the contract.",
        ),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("empty_text", "`text` is empty."),
        ErrorCode("too_many_symbols", "There are more than 256 symbols."),
    ),
    evaluate=_evaluate,
    generate=_generate,
    golden=_coded("abacabad", {"a": "0", "b": "10", "c": "110", "d": "111"}, 14, 2, "4c9c"),
    boundaries=_BOUNDARIES,
    examples=(
        _coded("ccddb😀", {"d": "0", "c": "10", "b": "110", "😀": "111"}, 12, 4, "a370"),
        Case({"text": "", "note": "x"}, error="empty_text"),
    ),
    malformed=(
        {"text": None},
        {"text": 1},
        {"text": True},
        {"text": ["a", "b"]},
        {"text": {"a": 2}},
        {"text": "ab" * 2_000 + "a"},
        {"text": "😀" * 4_001},
        {"text": []},
        {"Text": "a"},
    ),
)
