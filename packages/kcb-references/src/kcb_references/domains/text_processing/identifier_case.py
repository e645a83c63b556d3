# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Converts names between the styles in which identifiers are written."""

import re
from collections.abc import Callable
from typing import Any

_NAME = re.compile(r"[A-Za-z0-9_. -]{1,64}")
_ACRONYM = re.compile(r"[a-z0-9]{2,10}")
# Separators are taken out; between two letters the cut takes nothing. No separator is a letter or a
# digit, so to look at the neighbours in the name is to look at those in the piece.
_CUT = re.compile(r"[_. -]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_STYLES = ("snake", "kebab", "constant", "pascal", "camel", "title")
_DIGIT_ALLOWED = ("title", "kebab")


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Convert all names to a style.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    style = fields["style"]
    acronyms = frozenset(fields.get("acronyms", []))
    results: list[dict[str, Any]] = []
    for name in fields["names"]:
        words = _words(name)
        if not words:
            return {"error": {"code": "no_words"}}
        results.append({"name": name, "words": words, "converted": _spell(words, style, acronyms)})
    # This error comes after `no_words` of all names. Only the first word is at the beginning, and
    # no style changes a digit.
    digits_are_errors = fields.get("strict", False) and style not in _DIGIT_ALLOWED
    if digits_are_errors and any(result["words"][0][0].isdecimal() for result in results):
        return {"error": {"code": "leading_digit"}}
    return {"result": {"results": results, "collisions": _collisions(results)}}


def _words(name: str) -> list[str]:
    """Split a name into its words, in lower case."""
    return [piece.lower() for piece in _CUT.split(name) if piece]


def _spell(words: list[str], style: str, acronyms: frozenset[str]) -> str:
    """Spell words in a style."""
    match style:
        case "snake":
            return "_".join(words)
        case "kebab":
            return "-".join(words)
        case "constant":
            return "_".join(words).upper()
        case "camel":
            return words[0] + "".join(_capitalize(word, acronyms) for word in words[1:])
    separator = " " if style == "title" else ""
    return separator.join(_capitalize(word, acronyms) for word in words)


def _capitalize(word: str, acronyms: frozenset[str]) -> str:
    """Capitalize a word in lower case, an acronym as a whole."""
    return word.upper() if word in acronyms else word[0].upper() + word[1:]


def _collisions(results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """List the spellings that different names have got."""
    # The inner dictionary is used as a set that keeps the order of the first occurrences.
    names: dict[str, dict[str, None]] = {}
    for result in results:
        names.setdefault(result["converted"], {})[result["name"]] = None
    return [
        {"converted": converted, "names": list(same)}
        for converted, same in sorted(names.items())
        if len(same) > 1
    ]


def _are_texts(value: Any, most: int, pattern: re.Pattern[str]) -> bool:
    """Tell whether a value is an array of at most so many strings of a form."""
    return (
        isinstance(value, list)
        and len(value) <= most
        and all(isinstance(text, str) and pattern.fullmatch(text) for text in value)
    )


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "names": lambda value: _are_texts(value, 100, _NAME),
    "style": lambda value: value in _STYLES,
    "acronyms": lambda value: _are_texts(value, 50, _ACRONYM),
    "strict": lambda value: isinstance(value, bool),
}
_REQUIRED = ("names", "style")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
