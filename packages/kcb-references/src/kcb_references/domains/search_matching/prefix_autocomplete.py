# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Answers queries with the terms that begin with them."""

from bisect import bisect_left
from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

_CAPITAL = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
# `str.lower` would change other letters, too.
_FOLDING = str.maketrans(_CAPITAL, _CAPITAL.lower())


class _Term(NamedTuple):
    """A term; as tuples, terms are in the order of their forms by code point."""

    form: str
    text: str
    weight: int


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Answer all queries.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    fold = _folded if fields.get("fold", False) else str
    terms = sorted(
        _Term(fold(term["term"]), term["term"], term.get("weight", 0)) for term in fields["terms"]
    )
    forms = [term.form for term in terms]
    if any(form == following for form, following in pairwise(forms)):
        return {"error": {"code": "duplicate_term"}}
    answers: list[dict[str, Any]] = []
    for query in fields["queries"]:
        prefix = fold(query)
        # The forms with a prefix are neighbours, and it is not greater than any of them.
        start = end = bisect_left(forms, prefix)
        while end < len(forms) and forms[end].startswith(prefix):
            end += 1
        answers.append({"query": query, **_suggest(terms[start:end], fields.get("k", 5))})
    return {"result": {"answers": answers, "trie_nodes": _trie_nodes(forms)}}


def _folded(text: str) -> str:
    """Replace the capital ASCII letters of a text."""
    return text.translate(_FOLDING)


def _suggest(terms: list[_Term], count: int) -> dict[str, Any]:
    """Make the answer to a query.

    Args:
        terms: The terms that match, in the order of their forms.
        count: How many are suggested at most.

    Returns:
        The answer of the contract without the query.
    """
    common = None
    if terms:
        # What is between the first and the last form begins with all that these two share.
        first, last = terms[0].form, terms[-1].form
        common = first[: _shared(first, last)]
    # Sorting is stable, so terms of equal weight stay in the order of their forms.
    ranking = sorted(terms, key=lambda term: -term.weight)
    return {
        "total": len(terms),
        "suggestions": [term.text for term in ranking[:count]],
        "common": common,
    }


def _shared(text: str, other: str) -> int:
    """Give the length of the longest prefix that two texts share."""
    length = 0
    while length < min(len(text), len(other)) and text[length] == other[length]:
        length += 1
    return length


def _trie_nodes(forms: list[str]) -> int:
    """Give the number of different non-empty prefixes of forms that are in order."""
    # A form shares with none of those before it more than with the one right before it.
    return sum(len(form) - _shared(before, form) for before, form in pairwise(["", *forms]))


def _is_integer(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is an integer in a range; a boolean is none."""
    return type(value) is int and low <= value <= high


def _is_string(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is a string whose length is in a range."""
    return isinstance(value, str) and low <= len(value) <= high


def _is_term(value: Any) -> bool:
    """Tell whether a value is a term that the contract allows."""
    return (
        isinstance(value, dict)
        and _is_string(value.get("term"), 1, 50)
        and _is_integer(value.get("weight", 0), 0, 1_000_000_000)
    )


def _are_terms(value: Any) -> bool:
    """Tell whether a value is an array of terms that the contract allows."""
    return isinstance(value, list) and len(value) <= 500 and all(map(_is_term, value))


def _are_queries(value: Any) -> bool:
    """Tell whether a value is an array that the contract allows as queries."""
    return (
        isinstance(value, list)
        and len(value) <= 100
        and all(_is_string(query, 0, 50) for query in value)
    )


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "terms": _are_terms,
    "queries": _are_queries,
    "k": lambda value: _is_integer(value, 1, 50),
    "fold": lambda value: isinstance(value, bool),
}
_REQUIRED = ("terms", "queries")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
