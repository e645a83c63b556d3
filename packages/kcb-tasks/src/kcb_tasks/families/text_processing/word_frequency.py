"""Word frequency: the words of a text, folded, filtered, counted and ranked."""

from __future__ import annotations

import random
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Boolean, Integer, Text, optional, required

_SUMMARY = """\
Counts the words of `text` and lists the most frequent ones. A character is one code point.

1. Bring `text` to the normalization form NFC: `unicodedata.normalize("NFC", text)`.
2. Cut it into tokens. A word character is a character for which Python's `str.isalnum()` is true.
   An apostrophe `'` (U+0027) is a word character too if the characters directly before it and
   directly after it are both `isalnum`. A token is a run of word characters that is as long as
   possible.
3. If `case_sensitive` is false, replace each token by its `str.casefold()`.
4. Drop each token that has fewer than `min_length` characters. Drop each token that is equal to a
   stop word. The other tokens are kept.
5. Count the kept tokens."""

_RESULT = """\
An object with these members:

- `total`: the number of kept tokens.
- `distinct`: the number of different kept tokens.
- `words`: an array of objects `{"word": w, "count": n}`, one for each different kept token `w`,
  which occurs `n` times. Higher counts come first; equal counts are in ascending order of the
  word by code point. Only the first `top` objects of this order are in the array.
- `other`: `total` minus all counts that are in `words`."""

_RULES = """\
- If there are tokens but step 4 drops all of them, this is no error: the result is
  `{"total": 0, "distinct": 0, "words": [], "other": 0}`.
- `don't` is one token. An apostrophe at the start or the end of a word, or beside another
  apostrophe, separates. So does every other character that is not `isalnum`: the quotation mark
  `’` (U+2019), hyphen, underscore, and a combining mark that is still there after step 1.
- Folding can change the length: `ß` becomes `ss`. `min_length` applies to the folded token.
  A folded token is not normalized again."""


def _evaluate(fields: Mapping[str, Any]) -> Json:
    fold = str if fields["case_sensitive"] else str.casefold
    tokens = _TOKEN.findall(_nfc(fields["text"]))
    if not tokens:
        raise DomainError("no_words")
    stopwords = {fold(_nfc(word)) for word in fields["stopwords"]}
    kept = Counter(
        token
        for token in map(fold, tokens)
        if len(token) >= fields["min_length"] and token not in stopwords
    )
    ranked = sorted(kept.items(), key=lambda item: (-item[1], item[0]))
    listed = ranked[: fields["top"]]
    return {
        "total": kept.total(),
        "distinct": len(kept),
        "words": [{"word": word, "count": count} for word, count in listed],
        "other": kept.total() - sum(count for _, count in listed),
    }


_TOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)*")  # [^\W_] is exactly str.isalnum


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _generate(rng: random.Random) -> dict[str, Json]:
    drawn: dict[str, Json] = {"text": _draw_text(rng)}
    if rng.random() < 0.6:
        drawn["top"] = rng.choice([1, 2, 3, 5, 20, 1_000])
    if rng.random() < 0.5:
        drawn["min_length"] = rng.choice([1, 2, 2, 3, 4, 6, 50])
    if rng.random() < 0.5:
        drawn["stopwords"] = [rng.choice(_STOPWORDS) for _ in range(rng.randint(0, 6))]
    if rng.random() < 0.5:
        drawn["case_sensitive"] = rng.random() < 0.7
    return drawn


def _draw_text(rng: random.Random) -> str:
    if rng.random() < 0.22:
        return "".join(rng.choice(_GAPS) for _ in range(rng.randint(0, 12)))
    few = rng.sample(_WORDS, rng.randint(1, 12))
    parts: list[str] = []
    for _ in range(rng.randint(1, 40)):
        gap = rng.choice(_GAPS) if rng.random() < 0.4 else " "
        parts += [rng.choice(few), gap]
    return "".join(parts)


# Words in several spellings that fold or normalize to the same one, or only nearly so.
_WORDS = (
    *("the", "The", "THE", "cat", "Cat's", "cat's", "don't", "DON'T", "dont", "a", "A", "I"),
    *("straße", "STRASSE", "Strasse", "ﬁn", "FIN", "fin", "ŉ", "Ǆ", "ǅ", "ǆ"),
    *("été", "e\u0301te\u0301", "ÉTÉ", "E\u0301te\u0301", "ete", "q\u0301", "İi", "I\u0307i", "ıi"),
    *("σίσυφος", "ΣΊΣΥΦΟΣ", "\u2126", "Ω", "ω", "\u0390", "ᾳ", "\u212b", "å", "a\u030a"),
    *("дом", "Дом", "日本", "\u1112\u1161\u11ab", "한", "ｚ", "Ｚ", "שלום", "हिन्दी"),
    *("𐐀𐐀", "𐐨𐐨", "𝒳", "𝒳'𝒳", "42", "x²", "½", "٣٤"),
)

_STOPWORDS = (*_WORDS, "the cat", "don", "-", "'", "ss", "SS", "\u0301")

_GAPS = (
    *(" ", "  ", "\n", "\t", "\u00a0", "\u2028", "\u200d", ". ", ", ", "-", "_", "—", "/"),
    *("'", "'", " '", "' ", "''", "\u2019", "\u0301", "\u0308", "😀", "👍🏽", "\U0001d165"),
)


def _report(total: int, distinct: int, words: Mapping[str, int], other: int) -> Json:
    """A result in short, for the cases below."""
    listed = [{"word": word, "count": count} for word, count in words.items()]
    return {"total": total, "distinct": distinct, "words": listed, "other": other}


_BOUNDARIES = (
    # Folding, apostrophes inside and at the edges.
    Case(
        {"text": "Straße STRASSE 'tis rock'n'roll dogs'"},
        _report(5, 4, {"strasse": 2, "dogs": 1, "rock'n'roll": 1, "tis": 1}, 0),
    ),
    Case({"text": "it''s 'a' ' b'"}, _report(4, 4, {"a": 1, "b": 1, "it": 1, "s": 1}, 0)),
    # Before the first character there is none: the last one is no neighbour of it.
    Case({"text": "'a b"}, _report(2, 2, {"a": 1, "b": 1}, 0)),
    Case(
        {"text": "don’t well-known snake_case a'b"},
        _report(7, 7, dict.fromkeys(("a'b", "case", "don", "known", "snake", "t", "well"), 1), 0),
    ),
    Case({"text": "ΣΑΣ σας ﬁn FIN"}, _report(4, 2, {"fin": 2, "σασ": 2}, 0)),
    # Normalization comes before cutting: one mark is composed away, the other separates.
    Case({"text": "q\u0301's e\u0301's"}, _report(3, 3, {"q": 1, "s": 1, "é's": 1}, 0)),
    Case(
        {"text": "e\u0301té ÉTÉ a", "min_length": 2, "case_sensitive": True},
        _report(2, 2, {"ÉTÉ": 1, "été": 1}, 0),
    ),
    Case({"text": "\u2126 Ω ω", "case_sensitive": True}, _report(3, 2, {"Ω": 2, "ω": 1}, 0)),
    Case({"text": "\u1112\u1161\u11ab 한글", "min_length": 2}, _report(1, 1, {"한글": 1}, 0)),
    # Digits of any script and letters beyond the BMP are word characters.
    Case(
        {"text": "x² ½ ٣ 𝒳 3.5 😀"},
        _report(6, 6, {"3": 1, "5": 1, "x²": 1, "½": 1, "٣": 1, "𝒳": 1}, 0),
    ),
    # The length is counted in code points, after folding, which is not normalized again.
    Case({"text": "ß x abc", "min_length": 2}, _report(2, 2, {"abc": 1, "ss": 1}, 0)),
    Case(
        {"text": "ß x abc", "min_length": 2, "case_sensitive": True},
        _report(1, 1, {"abc": 1}, 0),
    ),
    Case({"text": "I\u0307 i\u0307", "min_length": 2}, _report(1, 1, {"i\u0307": 1}, 0)),
    Case({"text": "\u0390", "min_length": 3}, _report(1, 1, {"ι\u0308\u0301": 1}, 0)),
    Case({"text": "𐐀'𐐀", "min_length": 3}, _report(1, 1, {"𐐨'𐐨": 1}, 0)),
    Case({"text": "𐐀'𐐀", "min_length": 4}, _report(0, 0, {}, 0)),
    # Stop words are normalized and folded like the text, but never cut into tokens.
    Case(
        {"text": "Été straße ete", "stopwords": ["E\u0301TE\u0301", "STRASSE"]},
        _report(1, 1, {"ete": 1}, 0),
    ),
    Case(
        {"text": "The the é", "stopwords": ["the", "e\u0301"], "case_sensitive": True},
        _report(1, 1, {"The": 1}, 0),
    ),
    Case({"text": "a b", "stopwords": ["a b", "-"]}, _report(2, 2, {"a": 1, "b": 1}, 0)),
    # Ties are ordered before the list is cut, by code point and not by UTF-16 unit.
    Case({"text": "b a c a b", "top": 1}, _report(5, 3, {"a": 2}, 3)),
    Case({"text": "k j i h g f e d c b a"}, _report(11, 11, dict.fromkeys("abcdefghij", 1), 1)),
    Case(
        {"text": "𐐨 ｚ a é Z", "case_sensitive": True},
        _report(5, 5, {"Z": 1, "a": 1, "é": 1, "ｚ": 1, "𐐨": 1}, 0),
    ),
    # No token at all is an error; tokens that are all dropped are none.
    Case({"text": "a b", "min_length": 2}, _report(0, 0, {}, 0)),
    Case({"text": "the", "stopwords": ["The"], "top": 1}, _report(0, 0, {}, 0)),
    Case({"text": " ... ''! "}, error="no_words"),
    Case({"text": ""}, error="no_words"),
    Case({"text": "😀 \u0301’_", "min_length": 50, "stopwords": ["a"]}, error="no_words"),
)

FAMILY = Family(
    number=1,
    slug="word-frequency",
    title="Word frequency report",
    category="text-processing",
    difficulty=Difficulty.STRAIGHTFORWARD,
    summary=_SUMMARY,
    fields=(
        required("text", Text(0, 20_000), "The text whose words are counted."),
        optional("top", Integer(1, 1_000), 10, "How many words are listed at most."),
        optional("min_length", Integer(1, 50), 1, "Shorter tokens are dropped."),
        optional(
            "stopwords",
            Array(Text(1, 50), 0, 200),
            [],
            "The stop words. Each is brought to NFC and, if `case_sensitive` is false, replaced by "
            "its `str.casefold()`. It is then compared as a whole, not cut into tokens.",
        ),
        optional("case_sensitive", Boolean(), False, "If true, nothing is casefolded."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode(
            "no_words",
            "Step 2 finds no token. Tokens that step 4 would drop are tokens here.",
        ),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        {
            "text": "The cat saw the dog; the dog didn't see THE Cat's hat.",
            "top": 3,
            "stopwords": ["See"],
        },
        {
            "total": 11,
            "distinct": 7,
            "words": [
                {"word": "the", "count": 4},
                {"word": "dog", "count": 2},
                {"word": "cat", "count": 1},
            ],
            "other": 4,
        },
    ),
    boundaries=_BOUNDARIES,
    examples=(
        Case(
            {
                "text": "It's STRASSE, straße; cafe\u0301 -- it's café? A 'b'",
                "top": 1,
                "min_length": 2,
                "stopwords": ["CAFÉ"],
            },
            _report(4, 2, {"it's": 2}, 2),
        ),
        Case({"text": "-- ' _ ’", "min_length": 3}, error="no_words"),
    ),
    malformed=(
        {"text": None},
        {"text": ["a", "b"]},
        {"text": "a", "top": 0},
        {"text": "a", "top": 1_001},
        {"text": "a", "top": True},
        {"text": "a", "top": 5.0},
        {"text": "a", "min_length": "3"},
        {"text": "", "min_length": 0},
        {"text": "a", "stopwords": "the"},
        {"text": "a", "stopwords": ["the", ""]},
        {"text": "a", "stopwords": ["the", ["a"]]},
        {"text": "a", "stopwords": ["e\u0301" * 25 + "a"]},
        {"text": "a", "stopwords": None},
        {"text": "a", "case_sensitive": "false"},
        {"text": "a", "case_sensitive": 0},
    ),
)
