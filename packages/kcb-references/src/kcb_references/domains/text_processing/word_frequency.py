# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Counts the words of a text and lists the most frequent ones."""

import unicodedata
from collections import Counter
from collections.abc import Callable
from itertools import groupby
from typing import Any

_APOSTROPHE = "'"


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Count the words of a text.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    tokens = _tokens(_nfc(fields["text"]))
    if not tokens:
        return {"error": {"code": "no_words"}}
    fold = str if fields.get("case_sensitive", False) else str.casefold
    stopwords = {fold(_nfc(word)) for word in fields.get("stopwords", [])}
    min_length = fields.get("min_length", 1)
    # Folding can make a token longer, so it comes before the length is looked at.
    folded = [fold(token) for token in tokens]
    kept = [token for token in folded if len(token) >= min_length and token not in stopwords]
    return {"result": _report(Counter(kept), fields.get("top", 10))}


def _report(counts: Counter[str], top: int) -> dict[str, Any]:
    """Make the result from the count of each kept token."""
    ranking = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    listed = [{"word": word, "count": count} for word, count in ranking[:top]]
    return {
        "total": counts.total(),
        "distinct": len(counts),
        "words": listed,
        "other": sum(count for _, count in ranking[top:]),
    }


def _nfc(text: str) -> str:
    """Bring a text to the normalization form NFC."""
    return unicodedata.normalize("NFC", text)


def _tokens(text: str) -> list[str]:
    """Cut a text into its longest runs of word characters."""
    runs = groupby(range(len(text)), key=lambda position: _is_word_character(text, position))
    return ["".join(text[position] for position in run) for is_word, run in runs if is_word]


def _is_word_character(text: str, position: int) -> bool:
    """Tell whether the character at a position belongs to a word.

    That is asked of `str.isalnum`, because `\\w` of a regular expression is a different set.
    """
    if text[position] != _APOSTROPHE:
        return text[position].isalnum()
    # At the edges of the text there is no neighbour, and index -1 would be the other end.
    return (
        0 < position < len(text) - 1
        and text[position - 1].isalnum()
        and text[position + 1].isalnum()
    )


def _is_integer(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is an integer in a range; a boolean is none."""
    return type(value) is int and low <= value <= high


def _is_string(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is a string whose length is in a range."""
    return isinstance(value, str) and low <= len(value) <= high


def _are_stopwords(value: Any) -> bool:
    """Tell whether a value is an array that the contract allows as stop words."""
    return (
        isinstance(value, list)
        and len(value) <= 200
        and all(_is_string(word, 1, 50) for word in value)
    )


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "text": lambda value: _is_string(value, 0, 20000),
    "top": lambda value: _is_integer(value, 1, 1000),
    "min_length": lambda value: _is_integer(value, 1, 50),
    "stopwords": _are_stopwords,
    "case_sensitive": lambda value: isinstance(value, bool),
}
_REQUIRED = ("text",)


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
