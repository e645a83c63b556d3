# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Finds the longest matches of a regular expression in a text."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_MAX_SIZE = 200
_MAX_TIMES = 50

# `[0-9]` and not `\d`, which also takes the digits of other scripts.
_TIMES = re.compile(r"\{([0-9]{1,2})(,([0-9]{1,2})?)?\}")

# What tells whether it matches a character.
_Test = Callable[[str], bool]


class _PatternError(Exception):
    """The pattern is bad."""


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Find all matches.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    try:
        tree = _Parser(fields["pattern"], fields.get("ignore_case", False)).parse()
    except _PatternError:
        return {"error": {"code": "bad_pattern"}}
    if tree.size > _MAX_SIZE:
        return {"error": {"code": "pattern_too_large"}}
    text: str = fields["text"]
    ends = _Automaton(tree).longest_ends(text)
    spans = _scan(ends)
    return {
        "result": {
            "matches": [
                {"start": start, "end": end, "text": text[start:end]}
                for start, end in spans[: fields.get("limit", 100)]
            ],
            "total": len(spans),
            "full": ends[0] == len(text),
        }
    }


def _scan(ends: list[int]) -> list[tuple[int, int]]:
    """Give the start and the end of each match that scanning finds.

    Args:
        ends: For each place the end of the longest match from there, -1 if there is none.

    Returns:
        The starts and ends.
    """
    spans: list[tuple[int, int]] = []
    place = 0
    while place < len(ends):
        end = ends[place]
        if end > place:
            spans.append((place, end))
            place = end
        else:
            place += 1
    return spans


# --------------------------------------------------------------------------------- the characters


def _among(*ranges: str) -> _Test:
    """Make a test for the characters of some ranges, each given by its first and its last one."""
    return lambda character: any(pair[0] <= character <= pair[1] for pair in ranges)


def _not(test: _Test) -> _Test:
    """Make the opposite of a test."""
    return lambda character: not test(character)


def _in_either_case(test: _Test) -> _Test:
    """Make a test for a character of which one form passes a test; only ASCII letters have two."""
    return lambda character: test(character) or (character.isascii() and test(character.swapcase()))


_SETS: dict[str, _Test] = {
    "d": _among("09"),
    "w": _among("AZ", "az", "09", "__"),
    "s": _among("  ", "\t\t", "\r\r", "\n\n"),
}
_SETS |= {name.upper(): _not(test) for name, test in _SETS.items()}
_CHARACTERS = {"n": "\n", "t": "\t"}


# --------------------------------------------------------------------------------------- the tree


@dataclass(frozen=True)
class _Character:
    """One character that passes a test."""

    test: _Test
    size: int = 1


@dataclass(frozen=True)
class _Edge:
    """One of the signs `^` and `$`."""

    sign: str
    size: int = 1


@dataclass(frozen=True)
class _Sequence:
    """Items one after the other."""

    items: "list[_Node]"
    size: int


@dataclass(frozen=True)
class _Choice:
    """Alternatives."""

    alternatives: "list[_Node]"
    size: int


@dataclass(frozen=True)
class _Repeat:
    """An item several times; without `most` as often as one likes, but at least `least` times."""

    item: "_Node"
    least: int
    most: int | None
    size: int


_Node = _Character | _Edge | _Sequence | _Choice | _Repeat


class _Parser:
    """Reads a pattern."""

    def __init__(self, text: str, ignore_case: bool) -> None:
        self._text = text
        self._ignore_case = ignore_case
        self._position = 0

    def parse(self) -> _Node:
        """Read the whole pattern.

        Returns:
            Its tree.

        Raises:
            _PatternError: It is bad.
        """
        tree = self._choice()
        # Only a `)` without a partner is left.
        if self._next:
            raise _PatternError
        return tree

    @property
    def _next(self) -> str:
        """The next character, or the empty string at the end."""
        return self._text[self._position : self._position + 1]

    def _take(self) -> str:
        """Go past the next character and give it."""
        character = self._next
        if not character:
            raise _PatternError
        self._position += 1
        return character

    def _choice(self) -> _Node:
        """Read alternatives."""
        alternatives = [self._sequence()]
        while self._next == "|":
            self._take()
            alternatives.append(self._sequence())
        return _Choice(alternatives, sum(alternative.size for alternative in alternatives))

    def _sequence(self) -> _Node:
        """Read one alternative."""
        items: list[_Node] = []
        while self._next not in ("", "|", ")"):
            # `(^)` is no `^`, so the sign itself is looked at.
            is_edge = self._next in ("^", "$")
            item = self._item()
            if self._next in ("*", "+", "?", "{"):
                if is_edge:
                    raise _PatternError
                item = self._repeated(item)
            items.append(item)
        return _Sequence(items, sum(item.size for item in items))

    def _item(self) -> _Node:
        """Read an item without its quantifier."""
        match character := self._take():
            case "(":
                group = self._choice()
                if self._take() != ")":
                    raise _PatternError
                return group
            case ".":
                return _Character(_not(_among("\n\n")))
            case "^" | "$":
                return _Edge(character)
            case "[":
                return _Character(self._class())
            case "\\":
                escape = self._escape()
                return _Character(self._cased(escape) if isinstance(escape, str) else escape)
            case "*" | "+" | "?" | "{":
                raise _PatternError
        return _Character(self._cased(character))

    def _cased(self, character: str) -> _Test:
        """Make a test for a character outside classes."""
        test = _among(character * 2)
        return _in_either_case(test) if self._ignore_case else test

    def _escape(self) -> str | _Test:
        """Read an escape after its backslash; give its only character, or a test for several."""
        character = self._take()
        if not (character.isascii() and character.isalnum()):
            return character
        if character in _CHARACTERS:
            return _CHARACTERS[character]
        if character in _SETS:
            return _SETS[character]
        raise _PatternError

    def _class(self) -> _Test:
        """Read a class after its `[`."""
        is_negative = self._next == "^"
        if is_negative:
            self._take()
        tests: list[_Test] = []
        while self._next != "]":
            tests.append(self._members())
        self._take()
        if not tests:
            raise _PatternError

        def has(character: str) -> bool:
            return any(test(character) for test in tests)

        # The case comes before the `^`, which only turns the answer round.
        test = _in_either_case(has) if self._ignore_case else has
        return _not(test) if is_negative else test

    def _members(self) -> _Test:
        """Read a member of a class, or a range."""
        first = self._member()
        if not isinstance(first, str):
            return first
        # A `-` before the end of the class stands for itself.
        if self._next != "-" or self._text.startswith("-]", self._position):
            return _among(first * 2)
        self._take()
        last = self._member()
        if not isinstance(last, str) or first > last:
            raise _PatternError
        return _among(first + last)

    def _member(self) -> str | _Test:
        """Read a member of a class; give its only character, or a test for several."""
        character = self._take()
        return self._escape() if character == "\\" else character

    def _repeated(self, item: _Node) -> _Node:
        """Read a quantifier after an item."""
        match self._next:
            case "{":
                return self._counted(item)
            case "*":
                repeat = _Repeat(item, 0, None, item.size)
            case "+":
                repeat = _Repeat(item, 1, None, item.size)
            case _:
                repeat = _Repeat(item, 0, 1, item.size)
        self._take()
        return repeat

    def _counted(self, item: _Node) -> _Node:
        """Read a quantifier with numbers after an item."""
        match = _TIMES.match(self._text, self._position)
        if match is None:
            raise _PatternError
        self._position = match.end()
        least = int(match[1])
        if match[2] == ",":
            most, factor = None, least + 1
        else:
            most = factor = int(match[3] or least)
        if least > _MAX_TIMES or (most is not None and not least <= most <= _MAX_TIMES):
            raise _PatternError
        return _Repeat(item, least, most, factor * item.size)


# ---------------------------------------------------------------------------------- the automaton


class _Automaton:
    """A nondeterministic automaton that accepts what a tree matches.

    It starts in the state 0. A state may be shared by constructs that begin in it; that is right
    because a construct never leads back to the state that it begins in.
    """

    def __init__(self, tree: _Node) -> None:
        # From a state to another one over a character that passes a test.
        self._readers: list[tuple[int, _Test, int]] = []
        # For each state: from where one gets to it without reading, and at what edge of the text;
        # without a sign that is possible anywhere.
        self._sources: list[list[tuple[int, str]]] = []
        self._accepting = self._add(tree, self._state())

    def longest_ends(self, text: str) -> list[int]:
        """Find the longest match from each place of a text.

        Args:
            text: The text.

        Returns:
            For each place the end of the longest match, -1 if there is none.
        """
        # For each state the greatest place where one can end who is in it now. It follows from the
        # same at the next place, so one pass from the right to the left is enough.
        reachable: list[int] = []
        ends: list[int] = []
        for place in reversed(range(len(text) + 1)):
            found = [(place, self._accepting)]
            if place < len(text):
                found += [
                    (reachable[target], state)
                    for state, test, target in self._readers
                    if reachable[target] >= 0 and test(text[place])
                ]
            signs = {"", *("^" if place == 0 else ""), *("$" if place == len(text) else "")}
            reachable = self._spread(found, signs)
            ends.append(reachable[0])
        return ends[::-1]

    def _spread(self, found: list[tuple[int, int]], signs: set[str]) -> list[int]:
        """Give the greatest end for each state at one place.

        Args:
            found: Ends, and states from which they can be reached.
            signs: The signs that match at this place, and the empty string.

        Returns:
            The end for each state, -1 if there is none.
        """
        reachable = [-1] * len(self._sources)
        # The greatest comes first, so a state that has an end needs no other.
        for end, state in sorted(found, reverse=True):
            waiting = [state]
            while waiting:
                state = waiting.pop()
                if reachable[state] < 0:
                    reachable[state] = end
                    waiting += [source for source, sign in self._sources[state] if sign in signs]
        return reachable

    def _state(self) -> int:
        """Make a new state."""
        self._sources.append([])
        return len(self._sources) - 1

    def _link(self, source: int, target: int, sign: str = "") -> None:
        """Lead from a state to another one without reading."""
        self._sources[target].append((source, sign))

    def _add(self, node: _Node, start: int) -> int:
        """Add what leads over the matches of a tree.

        Args:
            node: The tree.
            start: The state before it.

        Returns:
            The state after it.
        """
        # What has the size 0 matches just the empty string. It must not be built: `((){50}){50}`
        # and so on would be huge.
        if node.size == 0:
            return start
        match node:
            case _Sequence(items):
                for item in items:
                    start = self._add(item, start)
                return start
            case _Repeat(item, least, most):
                if most is None:
                    return self._add_loop(item, least, start)
                return self._add_times(item, least, most, start)
        end = self._state()
        match node:
            case _Character(test):
                self._readers.append((start, test, end))
            case _Edge(sign):
                self._link(start, end, sign)
            case _Choice(alternatives):
                for alternative in alternatives:
                    self._link(self._add(alternative, start), end)
        return end

    def _add_loop(self, item: _Node, least: int, start: int) -> int:
        """Add an item that is repeated as often as one likes, but at least so many times."""
        for _ in range(least - 1):
            start = self._add(item, start)
        head = self._state()
        self._link(start, head)
        tail = self._add(item, head)
        self._link(tail, head)
        return tail if least else head

    def _add_times(self, item: _Node, least: int, most: int, start: int) -> int:
        """Add an item that is repeated a limited number of times."""
        for _ in range(least):
            start = self._add(item, start)
        for _ in range(most - least):
            # One state more, because there can be a loop in the last state of the item.
            end = self._state()
            self._link(start, end)
            self._link(self._add(item, start), end)
            start = end
        return start


# ------------------------------------------------------------------------------------- the fields


def _is_integer(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is an integer in a range; a boolean is none."""
    return type(value) is int and low <= value <= high


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "pattern": lambda value: isinstance(value, str) and len(value) <= 100,
    "text": lambda value: isinstance(value, str) and len(value) <= 200,
    "ignore_case": lambda value: isinstance(value, bool),
    "limit": lambda value: _is_integer(value, 1, 200),
}
_REQUIRED = ("pattern", "text")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
