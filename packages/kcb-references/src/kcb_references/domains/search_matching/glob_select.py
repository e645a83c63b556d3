# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Selects paths by an ordered list of glob patterns."""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, product
from math import prod
from typing import Any

_MAX_ALTERNATIVES = 64
_MAX_GLOBSTARS = 4

# A construct is kept as the regular expression for it, except `*`, which depends on what follows.
_STAR = "*"
_ANY = "."
_DOT = re.escape(".")

# The constructs of a segment, or of one of its alternatives.
_Sequence = list[str]
# What tells whether a path segment is hidden by the rule on dots.
_Hides = Callable[[str], bool]


class _PatternError(Exception):
    """A pattern is bad."""


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Decide on all paths.

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
        patterns = [_Pattern(text) for text in fields["patterns"]]
    except _PatternError:
        return {"error": {"code": "bad_pattern"}}
    paths: list[str] = fields["paths"]
    if any("" in path.split("/") for path in paths):
        return {"error": {"code": "bad_path"}}
    hides = _hides_nothing if fields.get("dotfiles", False) else _hides_dots
    results = [_decision(path, patterns, hides) for path in paths]
    return {
        "result": {"results": results, "selected": sum(result["selected"] for result in results)}
    }


def _decision(path: str, patterns: "list[_Pattern]", hides: _Hides) -> dict[str, Any]:
    """Decide on a path."""
    names = path.split("/")
    for index in reversed(range(len(patterns))):
        if patterns[index].matches(names, hides):
            return {"path": path, "selected": patterns[index].is_positive, "pattern": index}
    return {"path": path, "selected": False, "pattern": None}


def _hides_nothing(_: str) -> bool:
    """Tell that the rule on dots does not apply to a path segment."""
    return False


def _hides_dots(name: str) -> bool:
    """Tell whether the rule on dots applies to a path segment."""
    return name.startswith(".")


# --------------------------------------------------------------------------------------- matching


class _Segment:
    """A pattern segment that is no globstar."""

    def __init__(self, sequences: Iterable[_Sequence]) -> None:
        expressions: list[str] = []
        dotted: list[str] = []
        for sequence in sequences:
            expressions.append(_expression(sequence))
            if sequence[:1] == [_DOT]:
                dotted.append(expressions[-1])
        self._all = re.compile("|".join(expressions), re.DOTALL)
        # Without any expression this is one that matches the empty string only, which no segment of
        # a path is.
        self._dotted = re.compile("|".join(dotted), re.DOTALL)

    def matches(self, name: str, hides: _Hides) -> bool:
        """Tell whether it matches a path segment."""
        return (self._dotted if hides(name) else self._all).fullmatch(name) is not None


def _expression(sequence: _Sequence) -> str:
    """Give the regular expression for a sequence of constructs."""
    pieces = [""]
    for construct in sequence:
        if construct == _STAR:
            pieces.append("")
        else:
            pieces[-1] += construct
    first, *others = pieces
    if not others:
        return first
    *inner, last = others
    # The first place for a piece between two stars is as good as any later one. The atomic groups
    # keep the engine from trying those, which could take very long.
    return first + "".join(f"(?>.*?{piece})" for piece in inner if piece) + f".*{last}"


class _Pattern:
    """A pattern of the list.

    Attributes:
        is_positive: Whether a path that it decides on is selected.
    """

    def __init__(self, text: str) -> None:
        self.is_positive = not text.startswith("!")
        text = text.removeprefix("!")
        segments = _Parser(text.removeprefix("/")).segments()
        if segments.count(None) > _MAX_GLOBSTARS:
            raise _PatternError
        self._segments = segments
        self._is_for_last = len(segments) == 1 and not text.startswith("/")

    def matches(self, names: Sequence[str], hides: _Hides) -> bool:
        """Tell whether it matches a path, given by its segments."""
        if self._is_for_last:
            names = names[-1:]
        # How many names the segments so far can match.
        counts = {0}
        for segment in self._segments:
            if segment is None:
                counts = {end for count in counts for end in _ends(names, count, hides)}
            else:
                counts = {
                    count + 1
                    for count in counts
                    if count < len(names) and segment.matches(names[count], hides)
                }
        return len(names) in counts


def _ends(names: Sequence[str], start: int, hides: _Hides) -> Iterable[int]:
    """Give all places where a globstar can end that starts at a place."""
    yield start
    for index in range(start, len(names)):
        if hides(names[index]):
            return
        yield index + 1


# ---------------------------------------------------------------------------------------- reading


class _Parser:
    """Reads a pattern without its `!` and its first `/`."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0

    def segments(self) -> list[_Segment | None]:
        """Read all segments.

        Returns:
            The segments, with `None` for a globstar.

        Raises:
            _PatternError: The pattern is bad.
        """
        segments = [self._segment()]
        while self._next:
            self._take()
            segments.append(self._segment())
        return segments

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

    def _segment(self) -> _Segment | None:
        """Read up to a `/` or the end."""
        start = self._position
        # Each part has its alternatives; a construct outside braces is the only one.
        parts: list[list[_Sequence]] = []
        while self._next not in ("", "/"):
            parts.append(self._braces() if self._next == "{" else [[self._construct()]])
        if not parts or prod(map(len, parts)) > _MAX_ALTERNATIVES:
            raise _PatternError
        if self._text[start : self._position] == "**":
            return None
        return _Segment(list(chain.from_iterable(choice)) for choice in product(*parts))

    def _braces(self) -> list[_Sequence]:
        """Read the alternatives in braces."""
        self._take()
        alternatives: list[_Sequence] = [[]]
        while self._next != "}":
            if self._next in ("", "/", "{"):
                raise _PatternError
            if self._next == ",":
                self._take()
                alternatives.append([])
            else:
                alternatives[-1].append(self._construct())
        self._take()
        return alternatives

    def _construct(self) -> str:
        """Read a construct that is not in braces, or one of an alternative."""
        match character := self._take():
            case "\\":
                return re.escape(self._take())
            case "?":
                return _ANY
            case "*":
                return _STAR
            case "[":
                return self._class()
        return re.escape(character)

    def _class(self) -> str:
        """Read a class after its `[`."""
        sign = ""
        if self._next == "!":
            self._take()
            sign = "^"
        members = ""
        while self._next != "]":
            first = last = self._member()
            if self._next == "-" and not self._text.startswith("-]", self._position):
                self._take()
                last = self._member()
            if first > last:
                raise _PatternError
            members += f"{re.escape(first)}-{re.escape(last)}"
        self._take()
        if not members:
            raise _PatternError
        return f"[{sign}{members}]"

    def _member(self) -> str:
        """Read a member character of a class."""
        character = self._take()
        if character == "/":
            raise _PatternError
        return self._take() if character == "\\" else character


# ------------------------------------------------------------------------------------- the fields


def _are_strings(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is an array of so many strings of 1 to 100 code points."""
    return (
        isinstance(value, list)
        and low <= len(value) <= high
        and all(isinstance(text, str) and 1 <= len(text) <= 100 for text in value)
    )


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "patterns": lambda value: _are_strings(value, 1, 20),
    "paths": lambda value: _are_strings(value, 0, 100),
    "dotfiles": lambda value: isinstance(value, bool),
}
_REQUIRED = ("patterns", "paths")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
