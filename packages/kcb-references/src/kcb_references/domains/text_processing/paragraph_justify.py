# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Wraps paragraphs into lines of a width and aligns them."""

from collections.abc import Callable
from itertools import groupby
from typing import Any

# Everything else, also other Unicode spaces, is part of a word: so `str.split` without an argument
# and `str.splitlines` are of no use here.
_WHITE_SPACE = " \t\r"
_BLANKS = str.maketrans(_WHITE_SPACE, " " * len(_WHITE_SPACE))
_MODES = ("left", "right", "center", "justify")
_LONG_WORDS = ("split", "error")


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Wrap the paragraphs of a text.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    width, indent = fields["width"], fields.get("indent", 0)
    if indent >= width:
        return {"error": {"code": "indent_too_wide"}}
    paragraphs = _paragraphs(fields["text"])
    longest = width - indent
    if fields.get("long_words", "split") == "error" and any(
        len(word) > longest for words in paragraphs for word in words
    ):
        return {"error": {"code": "word_too_long"}}
    paragraphs = [_cut(words, longest) for words in paragraphs]
    mode = fields.get("mode", "justify")
    lines: list[str] = []
    for number, words in enumerate(paragraphs):
        if number > 0:
            lines.append("")
        lines += _wrap(words, width, indent, mode)
    return {
        "result": {
            "lines": lines,
            "paragraphs": len(paragraphs),
            "words": sum(map(len, paragraphs)),
        }
    }


def _paragraphs(text: str) -> list[list[str]]:
    """Give the words of each paragraph of a text."""
    source_lines = [_words(line) for line in text.split("\n")]
    # A line without words is blank.
    groups = groupby(source_lines, key=bool)
    return [[word for words in group for word in words] for filled, group in groups if filled]


def _words(line: str) -> list[str]:
    """Give the words of a source line."""
    return [word for word in line.translate(_BLANKS).split(" ") if word]


def _cut(words: list[str], longest: int) -> list[str]:
    """Cut the words that are too long into pieces."""
    return [
        word[start : start + longest] for word in words for start in range(0, len(word), longest)
    ]


def _wrap(words: list[str], width: int, indent: int, mode: str) -> list[str]:
    """Make the lines of a paragraph.

    Args:
        words: Its words, of which none is longer than the first line.
        width: The length of a full line.
        indent: The number of spaces in front of the first line.
        mode: How the lines are aligned.

    Returns:
        Its lines.
    """
    filled = _fill(words, width - indent, width)
    lines: list[str] = []
    for number, line_words in enumerate(filled):
        is_first, is_last = number == 0, number == len(filled) - 1
        capacity = width - indent if is_first else width
        line_mode = "left" if mode == "justify" and is_last else mode
        lines.append(" " * (indent if is_first else 0) + _render(line_words, capacity, line_mode))
    return lines


def _fill(words: list[str], first_capacity: int, capacity: int) -> list[list[str]]:
    """Distribute words over lines, as many as fit in each."""
    lines: list[list[str]] = [[]]
    # With one more for every word, the space in front of the first word of a line is free.
    room = first_capacity + 1
    for word in words:
        if len(word) + 1 > room:
            lines.append([])
            room = capacity + 1
        lines[-1].append(word)
        room -= len(word) + 1
    return lines


def _render(words: list[str], capacity: int, mode: str) -> str:
    """Write a line as the mode says, without the indent."""
    text = " ".join(words)
    match mode:
        case "right":
            return text.rjust(capacity)
        case "center":
            return " " * ((capacity - len(text)) // 2) + text
        case "justify" if len(words) > 1:
            return _spread(words, capacity)
    return text


def _spread(words: list[str], capacity: int) -> str:
    """Write two or more words with gaps so wide that they fill a line."""
    gaps = len(words) - 1
    spaces, wider = divmod(capacity - sum(map(len, words)), gaps)
    # The first `wider` gaps have one space more than the others.
    left = (" " * (spaces + 1)).join(words[: wider + 1])
    return (" " * spaces).join([left, *words[wider + 1 :]])


def _is_integer(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is an integer in a range; a boolean is none."""
    return type(value) is int and low <= value <= high


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "text": lambda value: isinstance(value, str) and len(value) <= 10000,
    "width": lambda value: _is_integer(value, 4, 200),
    "mode": lambda value: value in _MODES,
    "indent": lambda value: _is_integer(value, 0, 199),
    "long_words": lambda value: value in _LONG_WORDS,
}
_REQUIRED = ("text", "width")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
