# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Ranks words by their weighted edit distance from a query, with the edits for each."""

from collections.abc import Callable, Iterator
from typing import Any

_EDITS = ("insert", "delete", "substitute", "transpose")
_CAPITAL = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
# `str.lower` would change other letters, too.
_FOLDING = str.maketrans(_CAPITAL, _CAPITAL.lower())

# The distance between the first characters of the query (row) and those of a word (column).
_Table = list[list[int]]


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Look up a query.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    words: list[str] = fields["words"]
    if not words:
        return {"error": {"code": "no_words"}}
    if len(set(words)) < len(words):
        return {"error": {"code": "duplicate_word"}}
    fold = _folded if fields.get("fold", False) else str
    lookup = _Lookup(fold(fields["query"]), fields.get("costs", {}))
    distances = ((lookup.distance(fold(word)), word) for word in words)
    # Strings are in the order of their code points.
    near = sorted(pair for pair in distances if pair[0] <= fields.get("max_distance", 2))
    matches = [
        {"word": word, "distance": distance, "script": lookup.script(fold(word))}
        for distance, word in near[: fields.get("limit", 10)]
    ]
    return {"result": {"matches": matches, "within": len(near)}}


def _folded(text: str) -> str:
    """Replace the capital ASCII letters of a text."""
    return text.translate(_FOLDING)


class _Lookup:
    """A query and the costs of edits."""

    def __init__(self, query: str, costs: dict[str, int]) -> None:
        self._query = query
        self._insert, self._delete, self._substitute, self._transpose = (
            costs.get(edit, 1) for edit in _EDITS
        )

    def distance(self, word: str) -> int:
        """Give the distance of a word."""
        return self._table(word)[-1][-1]

    def script(self, word: str) -> list[str]:
        """Give the script of a word."""
        query, table = self._query, self._table(word)
        items: list[str] = []
        row, column = len(query), len(word)
        while row or column:
            value = table[row][column]
            # The first way that gives this distance; there always is one.
            up, left, item = next(
                (up, left, item)
                for up, left, cost, item in self._steps(word, row, column)
                if table[row - up][column - left] + cost == value
            )
            items.append(item)
            row, column = row - up, column - left
        return items[::-1]

    def _steps(self, word: str, row: int, column: int) -> Iterator[tuple[int, int, int, str]]:
        """Give the steps that are possible at a place of the table, in the order of the contract.

        Args:
            word: The word.
            row: The row of the place.
            column: Its column.

        Yields:
            For each step how many rows and columns it goes back, its cost and its item.
        """
        query = self._query
        if row and column:
            old, new = query[row - 1], word[column - 1]
            if old == new:
                yield 1, 1, 0, f"={old}"
            else:
                yield 1, 1, self._substitute, f"~{old}{new}"
            pair = query[max(row - 2, 0) : row]
            if old != new and _is_transposed(pair, word[max(column - 2, 0) : column]):
                yield 2, 2, self._transpose, f"%{pair}"
        if row:
            yield 1, 0, self._delete, f"-{query[row - 1]}"
        if column:
            yield 0, 1, self._insert, f"+{word[column - 1]}"

    def _table(self, word: str) -> _Table:
        """Give the distances of all beginnings of the query and a word."""
        table = [[column * self._insert for column in range(len(word) + 1)]]
        for row, old in enumerate(self._query, start=1):
            above = table[-1]
            values = [above[0] + self._delete]
            for column, new in enumerate(word, start=1):
                best = min(
                    above[column - 1] + (0 if old == new else self._substitute),
                    above[column] + self._delete,
                    values[-1] + self._insert,
                )
                if (
                    row > 1
                    and column > 1
                    and old == word[column - 2] != new == self._query[row - 2]
                ):
                    best = min(best, table[-2][column - 2] + self._transpose)
                values.append(best)
            table.append(values)
        return table


def _is_transposed(pair: str, other: str) -> bool:
    """Tell whether two texts are two characters in opposite orders."""
    return len(pair) == 2 and pair == other[::-1]


def _is_integer(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is an integer in a range; a boolean is none."""
    return type(value) is int and low <= value <= high


def _is_string(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is a string whose length is in a range."""
    return isinstance(value, str) and low <= len(value) <= high


def _are_words(value: Any) -> bool:
    """Tell whether a value is an array that the contract allows as words."""
    return (
        isinstance(value, list)
        and len(value) <= 300
        and all(_is_string(word, 1, 40) for word in value)
    )


def _are_costs(value: Any) -> bool:
    """Tell whether a value is an object that the contract allows as costs."""
    return isinstance(value, dict) and all(
        _is_integer(value.get(edit, 1), 1, 10) for edit in _EDITS
    )


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "query": lambda value: _is_string(value, 0, 40),
    "words": _are_words,
    "max_distance": lambda value: _is_integer(value, 0, 400),
    "limit": lambda value: _is_integer(value, 1, 100),
    "fold": lambda value: isinstance(value, bool),
    "costs": _are_costs,
}
_REQUIRED = ("query", "words")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
