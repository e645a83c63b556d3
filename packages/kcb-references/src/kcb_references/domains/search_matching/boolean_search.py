# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Searches texts with a Boolean query."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import Any, NamedTuple

_MAX_DEPTH = 15
_OPERATORS = ("AND", "OR", "NOT")

# A phrase without an end goes on to the end of the query. Other white space than the four blanks
# is no blank, so `\s` would be wrong.
_PART = re.compile(
    r'[ \t\r\n]+|(?P<bracket>[()])|"(?P<phrase>[^"]*)(?P<end>"?)|(?P<word>[^ \t\r\n()"]+)'
)


class _QueryError(Exception):
    """The query cannot be answered; the message is the code of the error."""


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Search all documents.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    docs: list[dict[str, str]] = fields["docs"]
    if len({doc["id"] for doc in docs}) < len(docs):
        return {"error": {"code": "duplicate_id"}}
    try:
        parser = _Parser(_parts(fields["query"]))
        query = parser.parse()
    except _QueryError as query_error:
        return {"error": {"code": str(query_error)}}
    return {"result": _search(docs, query, parser.leaves, fields.get("limit", 10))}


def _search(
    docs: list[dict[str, str]], query: "_Node", leaves: "list[_Leaf]", limit: int
) -> dict[str, Any]:
    """Make the result.

    Args:
        docs: The documents.
        query: The tree of the query.
        leaves: Its leaves in order; a leaf in the tree has its place in this list.
        limit: How many hits are listed at most.

    Returns:
        The result of the contract.
    """
    texts = [_tokens(doc["text"]) for doc in docs]
    # The occurrences of each leaf in a document, one row for each document.
    rows = [[leaf.occurrences(tokens) for leaf in leaves] for tokens in texts]
    scores = {
        doc["id"]: sum(count for leaf, count in zip(leaves, row, strict=True) if leaf.scores)
        for doc, row in zip(docs, rows, strict=True)
        if _is_satisfied(query, row)
    }
    ranking = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return {
        "total": len(ranking),
        "hits": [{"id": name, "score": score} for name, score in ranking[:limit]],
        "leaves": [
            {
                "kind": leaf.kind,
                "text": " ".join(leaf.tokens),
                "docs": sum(row[place] > 0 for row in rows),
            }
            for place, leaf in enumerate(leaves)
        ],
    }


def _tokens(text: str) -> list[str]:
    """Give the tokens of a text."""
    # `\w` of a regular expression is a different set from that of `str.isalnum`.
    runs = groupby(text, key=str.isalnum)
    return ["".join(run).casefold() for is_token, run in runs if is_token]


# -------------------------------------------------------------------------------------- the parts


class _Part(NamedTuple):
    """A part of the query: a `bracket`, an `operator`, a `phrase`, a `word` or its `end`.

    The text of a phrase is that between the quotation marks.
    """

    kind: str
    text: str


def _parts(query: str) -> list[_Part]:
    """Cut a query into parts.

    Args:
        query: The query.

    Returns:
        Its parts, the last of which is the end.

    Raises:
        _QueryError: It is too deep, or a phrase has no end.
    """
    parts: list[_Part] = []
    has_all_ends = True
    for match in _PART.finditer(query):
        if match["end"] == "":
            has_all_ends = False
        elif match["word"] in _OPERATORS:
            parts.append(_Part("operator", match["word"]))
        elif match.lastgroup is not None:
            kind = "phrase" if match.lastgroup == "end" else match.lastgroup
            parts.append(_Part(kind, match[kind]))
    brackets = [part.text for part in parts if part.kind == "bracket"]
    # This is an error of its own, which comes before all others of the query.
    if max(accumulate((1 if text == "(" else -1 for text in brackets), initial=0)) > _MAX_DEPTH:
        raise _QueryError("too_deep")
    if not has_all_ends:
        raise _QueryError("bad_query")
    return [*parts, _Part("end", "")]


# --------------------------------------------------------------------------------------- the tree


@dataclass(frozen=True)
class _Leaf:
    """A word, a prefix or a phrase.

    Attributes:
        kind: Which of the three it is.
        tokens: Its tokens; a word or prefix is the only one.
        place: Its place among all leaves of the query.
        scores: Whether it is outside of every `NOT`.
    """

    kind: str
    tokens: list[str]
    place: int
    scores: bool

    def occurrences(self, tokens: list[str]) -> int:
        """Count the occurrences in the tokens of a document."""
        first = self.tokens[0]
        match self.kind:
            case "word":
                return tokens.count(first)
            case "prefix":
                return sum(token.startswith(first) for token in tokens)
        length = len(self.tokens)
        return sum(
            token == first and tokens[start : start + length] == self.tokens
            for start, token in enumerate(tokens)
        )


@dataclass(frozen=True)
class _Not:
    """The opposite of an operand."""

    operand: "_Node"


@dataclass(frozen=True)
class _And:
    """All of some operands."""

    operands: "list[_Node]"


@dataclass(frozen=True)
class _Or:
    """At least one of some operands."""

    operands: "list[_Node]"


_Node = _Leaf | _Not | _And | _Or


def _is_satisfied(node: _Node, counts: list[int]) -> bool:
    """Tell whether a document satisfies a tree.

    Args:
        node: The tree.
        counts: The occurrences of each leaf of the query in the document.

    Returns:
        Whether it does.
    """
    match node:
        case _Leaf():
            return counts[node.place] > 0
        case _Not(operand):
            return not _is_satisfied(operand, counts)
        case _And(operands):
            return all(_is_satisfied(operand, counts) for operand in operands)
        case _Or(operands):
            return any(_is_satisfied(operand, counts) for operand in operands)


class _Parser:
    """Reads parts by the grammar of the contract, one method for each of its rules.

    The recursion stays far from the limit of Python: a query has at most 200 characters, and its
    brackets are known not to be too deep.

    Attributes:
        leaves: The leaves that were read, in order.
    """

    def __init__(self, parts: list[_Part]) -> None:
        self._parts = parts
        self._position = 0
        # How many times `NOT` is around what is read.
        self._nots = 0
        self.leaves: list[_Leaf] = []

    def parse(self) -> _Node:
        """Read all parts.

        Returns:
            The tree of the query.

        Raises:
            _QueryError: The parts are not a query.
        """
        tree = self._query()
        if self._next.kind != "end":
            raise _QueryError("bad_query")
        return tree

    @property
    def _next(self) -> _Part:
        return self._parts[self._position]

    def _take(self, kind: str, text: str) -> bool:
        """Go past the next part if it is a certain one, and tell whether it is."""
        found = self._next == (kind, text)
        self._position += found
        return found

    def _query(self) -> _Node:
        operands = [self._and()]
        while self._take("operator", "OR"):
            operands.append(self._and())
        return _Or(operands)

    def _and(self) -> _Node:
        operands = [self._not()]
        while self._take("operator", "AND") or self._begins_operand():
            operands.append(self._not())
        return _And(operands)

    def _begins_operand(self) -> bool:
        """Tell whether the next part begins an operand, before which `AND` can be left out."""
        return self._next.kind in ("phrase", "word") or self._next.text in ("NOT", "(")

    def _not(self) -> _Node:
        if not self._take("operator", "NOT"):
            return self._atom()
        self._nots += 1
        operand = self._not()
        self._nots -= 1
        return _Not(operand)

    def _atom(self) -> _Node:
        if self._take("bracket", "("):
            tree = self._query()
            if not self._take("bracket", ")"):
                raise _QueryError("bad_query")
            return tree
        kind, text = self._next
        self._position += 1
        match kind:
            case "phrase":
                return self._leaf(kind, _tokens(text))
            case "word":
                word = text.removesuffix("*")
                # This is false for the empty string, too.
                tokens = [word.casefold()] if word.isalnum() else []
                return self._leaf("word" if word == text else "prefix", tokens)
        raise _QueryError("bad_query")

    def _leaf(self, kind: str, tokens: list[str]) -> _Leaf:
        """Make a leaf, which must have tokens."""
        if not tokens:
            raise _QueryError("bad_query")
        leaf = _Leaf(kind, tokens, len(self.leaves), scores=self._nots == 0)
        self.leaves.append(leaf)
        return leaf


# ------------------------------------------------------------------------------------- the fields


def _is_integer(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is an integer in a range; a boolean is none."""
    return type(value) is int and low <= value <= high


def _is_string(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is a string whose length is in a range."""
    return isinstance(value, str) and low <= len(value) <= high


def _is_doc(value: Any) -> bool:
    """Tell whether a value is a document that the contract allows."""
    return (
        isinstance(value, dict)
        and _is_string(value.get("id"), 1, 40)
        and _is_string(value.get("text"), 0, 1000)
    )


def _are_docs(value: Any) -> bool:
    """Tell whether a value is an array of documents that the contract allows."""
    return isinstance(value, list) and len(value) <= 100 and all(map(_is_doc, value))


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "docs": _are_docs,
    "query": lambda value: _is_string(value, 0, 200),
    "limit": lambda value: _is_integer(value, 1, 100),
}
_REQUIRED = ("docs", "query")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
