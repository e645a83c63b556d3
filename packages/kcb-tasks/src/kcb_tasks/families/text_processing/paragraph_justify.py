"""Paragraph justify: a text cut into paragraphs, filled into lines and aligned."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Choice, Integer, Text, optional, required

_SUMMARY = """\
Wraps the paragraphs of `text` into lines. A character is one code point; all lengths count
characters. White space is space, tab and carriage return, nothing else. K is `width` - `indent`.

1. Split `text` at every line feed into source lines. One that is empty or holds only white space is
   blank. A paragraph is a group of consecutive source lines that are not blank, as large as
   possible.
2. The words of a paragraph are the runs of other characters than white space in its source lines,
   as long as possible, in order.
3. Cut every word longer than K into pieces of K characters; the last piece may be shorter. From now
   on each piece is a word of its own.
4. Fill the words of each paragraph, in order, into lines. The first line has the capacity K, every
   other line the capacity `width`. A word joins the current line if the words there and this one,
   joined by single spaces, are not longer than the capacity. Otherwise it begins the next line.
5. Render each line as `mode` says. Let the text of a line be its words joined by single spaces.
   - `left`: the text.
   - `right`: the text, with spaces in front up to the capacity.
   - `center`: the text, with floor((capacity - length of the text) / 2) spaces in front, none
     behind.
   - `justify`: the last line of a paragraph, and a line of one word, as `left`. Any other line gets
     s spaces in the g gaps between its words, where s is the capacity minus the lengths of all
     words: each gap gets floor(s / g), and the leftmost s mod g gaps get one more.
6. Then put `indent` spaces in front of the first line of each paragraph, in every mode."""

_RESULT = """\
An object with these members:

- `lines`: an array of strings: the lines of all paragraphs in order, with one empty string between
  each two paragraphs.
- `paragraphs`: the number of paragraphs.
- `words`: the number of words after step 3."""

_RULES = """\
- Without any word the result is `{"lines": [], "paragraphs": 0, "words": 0}`.
- U+00A0 (no-break space), U+2028, form feed and the like are not white space. They are parts of
  words and end no source line."""


def _evaluate(fields: Mapping[str, Any]) -> Json:
    width, indent = fields["width"], fields["indent"]
    longest = width - indent
    if longest <= 0:
        raise DomainError("indent_too_wide")
    paragraphs = _paragraphs(fields["text"])
    if fields["long_words"] == "error" and any(len(w) > longest for p in paragraphs for w in p):
        raise DomainError("word_too_long")
    lines: list[str] = []
    count = 0
    for paragraph in paragraphs:
        words = [piece for word in paragraph for piece in _pieces(word, longest)]
        count += len(words)
        lines += ["", *_rendered(words, width, indent, fields["mode"])]
    return {"lines": lines[1:], "paragraphs": len(paragraphs), "words": count}


_WORD = re.compile(r"[^ \t\r]+")


def _paragraphs(text: str) -> list[list[str]]:
    """The words of each paragraph."""
    paragraphs: list[list[str]] = [[]]
    for line in text.split("\n"):
        words = _WORD.findall(line)
        if words:
            paragraphs[-1] += words
        else:
            paragraphs.append([])
    return [words for words in paragraphs if words]


def _pieces(word: str, size: int) -> list[str]:
    return [word[start : start + size] for start in range(0, len(word), size)]


def _rendered(words: Sequence[str], width: int, indent: int, mode: str) -> Iterator[str]:
    """The lines of one paragraph."""
    lines = _filled(words, width - indent, width)
    for index, line in enumerate(lines):
        first, last = index == 0, index == len(lines) - 1
        capacity = width - indent if first else width
        left = mode == "justify" and (last or len(line) == 1)
        yield (indent if first else 0) * " " + _aligned(line, capacity, "left" if left else mode)


def _filled(words: Sequence[str], first: int, width: int) -> list[list[str]]:
    lines: list[list[str]] = [[]]
    for word in words:
        capacity = first if len(lines) == 1 else width
        if lines[-1] and len(" ".join([*lines[-1], word])) > capacity:
            lines.append([])
        lines[-1].append(word)
    return lines


def _aligned(words: Sequence[str], capacity: int, mode: str) -> str:
    joined = " ".join(words)
    if mode == "right":
        return joined.rjust(capacity)
    if mode == "center":
        return (capacity - len(joined)) // 2 * " " + joined
    if mode == "justify":
        spaces, gaps = capacity - sum(map(len, words)), len(words) - 1
        narrow, wider = divmod(spaces, gaps)
        blanks = [" " * (narrow + (gap < wider)) for gap in range(gaps)]
        return "".join(word + blank for word, blank in zip(words, [*blanks, ""], strict=True))
    return joined


def _generate(rng: random.Random) -> dict[str, Json]:
    width = rng.choice([4, 5, 8, 10, 12, 16, 20, 24, 30, 200])
    drawn: dict[str, Json] = {"text": _draw_text(rng), "width": width}
    if rng.random() < 0.7:
        drawn["mode"] = rng.choice(["left", "right", "center", "center", "justify", "justify"])
    if rng.random() < 0.55:
        indents = [1, 2, width - 1] if rng.random() < 0.8 or width == 200 else [width, width + 3]
        drawn["indent"] = rng.choice(indents)
    if rng.random() < 0.5:
        drawn["long_words"] = rng.choice(["split", "error", "error"])
    return drawn


def _draw_text(rng: random.Random) -> str:
    parts: list[str] = []
    for _ in range(rng.choice([0, 1, 4, 12, 25, 40])):
        parts += [rng.choice(_WORDS), rng.choice(_GAPS)]
    return rng.choice(["", "", " ", "\n \r\n\t"]) + "".join(parts)


_WORDS = (
    *("a", "I", "of", "to", "the", "cat", "word", "lines", "spaces", "justify", "paragraph"),
    *("été", "e\u0301te\u0301", "мир", "日本", "𝒳𝒴𝒵", "👍🏽", "a\u00a0b", "\u3000"),
    *("x\u2028y", "\x0c", "incomprehensibilities", "ßtraße", "-", "0"),
)

_GAPS = (" ", " ", " ", " ", " ", "  ", "\t", "\r", "\n", "\r\n", "\n\n", "\n \t\r\n\n", " \n ")


def _wrapped(paragraphs: int, words: int, *lines: str) -> Json:
    return {"lines": list(lines), "paragraphs": paragraphs, "words": words}


_BOUNDARIES = (
    Case(
        {"text": "aa bb cc", "width": 7, "indent": 2, "mode": "center"},
        _wrapped(1, 3, "  aa bb", "  cc"),
    ),
    Case({"text": "un été à", "width": 6, "mode": "right"}, _wrapped(1, 3, "un été", "     à")),
    # Filling: exactly the capacity fits, one more does not.
    Case({"text": "ab cd ef", "width": 5}, _wrapped(1, 3, "ab cd", "ef")),
    Case({"text": "ab cde", "width": 5}, _wrapped(1, 2, "ab", "cde")),
    Case(
        {"text": "ab cd ef", "width": 8, "indent": 3, "mode": "left"},
        _wrapped(1, 3, "   ab cd", "ef"),
    ),
    Case(
        {"text": "ab cd ef", "width": 8, "indent": 4, "mode": "left"},
        _wrapped(1, 3, "    ab", "cd ef"),
    ),
    # Justification: the leftmost gaps are wider; last lines and single words stay as they are.
    Case({"text": "a b c d eeeeeeeee", "width": 12}, _wrapped(1, 5, "a   b   c  d", "eeeeeeeee")),
    Case(
        {"text": "aa bb cc dd ee ff", "width": 10, "indent": 3, "mode": "justify"},
        _wrapped(1, 6, "   aa   bb", "cc  dd  ee", "ff"),
    ),
    Case({"text": "abcd efghi jk l", "width": 6}, _wrapped(1, 4, "abcd", "efghi", "jk l")),
    Case(
        {"text": "aa bb cc\n\ndd ee ff", "width": 6},
        _wrapped(2, 6, "aa  bb", "cc", "", "dd  ee", "ff"),
    ),
    # The other modes: spaces in front, never behind, the indent added after them.
    Case(
        {"text": "ab cd ef", "width": 8, "indent": 2, "mode": "right"},
        _wrapped(1, 3, "   ab cd", "      ef"),
    ),
    Case({"text": "abc", "width": 6, "mode": "center"}, _wrapped(1, 1, " abc")),
    Case({"text": " a \t b ", "width": 10, "mode": "left"}, _wrapped(1, 2, "a b")),
    Case(
        {"text": "a b\n\nc", "width": 6, "indent": 1, "mode": "right"},
        _wrapped(2, 3, "   a b", "", "     c"),
    ),
    # Long words: pieces of exactly K, also on wider lines; the last piece joins what follows.
    Case({"text": "abcdefghij", "width": 5, "indent": 1}, _wrapped(1, 3, " abcd", "efgh", "ij")),
    Case({"text": "abcdefgh", "width": 4}, _wrapped(1, 2, "abcd", "efgh")),
    Case({"text": "a bcdefghij", "width": 6}, _wrapped(1, 3, "a", "bcdefg", "hij")),
    Case({"text": "abcdefgh ij", "width": 6}, _wrapped(1, 3, "abcdef", "gh ij")),
    Case({"text": "ab", "width": 4, "indent": 3}, _wrapped(1, 2, "   a", "b")),
    Case(
        {"text": "abcde", "width": 6, "indent": 1, "long_words": "error"},
        _wrapped(1, 1, " abcde"),
    ),
    # Lengths are code points.
    Case({"text": "𝒳𝒳𝒳𝒳 👍🏽", "width": 4, "mode": "right"}, _wrapped(1, 2, "𝒳𝒳𝒳𝒳", "  👍🏽")),
    Case({"text": "e\u0301" * 3, "width": 5}, _wrapped(1, 2, "e\u0301e\u0301e", "\u0301")),
    # White space is only space, tab and carriage return; only a line feed ends a source line.
    Case({"text": "a\u00a0b \u3000\n\x0b", "width": 9}, _wrapped(1, 3, "a\u00a0b \u3000 \x0b")),
    Case(
        {"text": "a\u2028\u2028b\x85c\x1cd", "width": 9}, _wrapped(1, 1, "a\u2028\u2028b\x85c\x1cd")
    ),
    Case({"text": "a\rb\r\nc\r\n\r\nd", "width": 9}, _wrapped(2, 4, "a b c", "", "d")),
    Case({"text": "\n\n a\n\n\n\tb\n", "width": 4}, _wrapped(2, 2, "a", "", "b")),
    Case({"text": " \n\t\n", "width": 4}, _wrapped(0, 0)),
    Case({"text": "", "width": 4, "indent": 3, "long_words": "error"}, _wrapped(0, 0)),
    # Errors, and which of two comes first.
    Case({"text": "abcdef", "width": 6, "indent": 1, "long_words": "error"}, error="word_too_long"),
    Case({"text": "a bcdef", "width": 4, "long_words": "error"}, error="word_too_long"),
    Case(
        {"text": "abcdefg", "width": 4, "indent": 4, "long_words": "error"},
        error="indent_too_wide",
    ),
    Case({"text": "", "width": 4, "indent": 4}, error="indent_too_wide"),
    Case({"text": "a", "width": 198, "indent": 199, "mode": "left"}, error="indent_too_wide"),
)

FAMILY = Family(
    number=2,
    slug="paragraph-justify",
    title="Paragraph wrapping and justification",
    category="text-processing",
    difficulty=Difficulty.MEDIUM,
    summary=_SUMMARY,
    fields=(
        required("text", Text(0, 10_000), "The text that is wrapped."),
        required("width", Integer(4, 200), "The length of a full line."),
        optional("mode", Choice("left", "right", "center", "justify"), "justify"),
        optional("indent", Integer(0, 199), 0, "Spaces in front of each paragraph."),
        optional(
            "long_words",
            Choice("split", "error"),
            "split",
            "Whether a word longer than K is cut, or is an error.",
        ),
    ),
    result=_RESULT,
    errors=(
        ErrorCode(
            "indent_too_wide",
            "`indent` is greater than or equal to `width`, whatever `text` is.",
        ),
        ErrorCode(
            "word_too_long",
            '`long_words` is `"error"` and step 2 finds a word longer than K.',
        ),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        {
            "text": "The quick brown fox jumps over\nthe lazy dog.\n \nincomprehensibilities!",
            "width": 16,
        },
        {
            "lines": [
                "The  quick brown",
                "fox  jumps  over",
                "the lazy dog.",
                "",
                "incomprehensibil",
                "ities!",
            ],
            "paragraphs": 2,
            "words": 11,
        },
    ),
    boundaries=_BOUNDARIES,
    examples=(
        Case(
            {
                "text": "one two six\tninety-nine\n at\r\n\t\r\n\nété",
                "width": 10,
                "indent": 2,
            },
            _wrapped(2, 7, "  one  two", "six", "ninety-n", "ine at", "", "  été"),
        ),
        Case(
            {"text": "a toolong", "width": 7, "indent": 1, "long_words": "error"},
            error="word_too_long",
        ),
    ),
    malformed=(
        {"text": None, "width": 10},
        {"text": ["a", "b"], "width": 10},
        {"text": "a", "width": 3},
        {"text": "a", "width": 201},
        {"text": "a", "width": 10.0},
        {"text": "a", "width": "10"},
        {"text": "a", "width": True},
        {"text": "a", "width": 10, "mode": "Left"},
        {"text": "a", "width": 10, "mode": "centre"},
        {"text": "a", "width": 10, "mode": None},
        {"text": "a", "width": 10, "mode": ["left"]},
        {"text": "a", "width": 10, "indent": -1},
        {"text": "a", "width": 10, "indent": 200},
        {"text": "a", "width": 10, "indent": False},
        {"text": "a", "width": 10, "indent": "  "},
        {"text": "a", "width": 4, "indent": 4, "long_words": "ignore"},
        {"text": "a", "width": 10, "long_words": True},
        {"text": "a", "width": 10, "long_words": "ERROR"},
    ),
)
