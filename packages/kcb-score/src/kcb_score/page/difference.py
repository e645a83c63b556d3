"""A wrong response beside the expected one, as lines of a diff that follow the JSON's structure.

What makes two values differ is :mod:`kcb_core.equality`'s to say, so that the page never marks
what the evaluator let pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice, zip_longest

from kcb_core.codec import Json, compact, parse
from kcb_core.equality import same
from kcb_core.errors import MalformedJson
from kcb_score.page.visible import around, shown

_LINE = 240
"""Characters of one value that are shown."""

_FOLDED_FROM = 3
"""So many equal members in a row, or more, become one line."""


class Mark(StrEnum):
    """Which of the two a line stands in."""

    BOTH = " "
    EXPECTED = "-"
    RECEIVED = "+"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a diff."""

    mark: Mark
    depth: int
    """How deep in the value it stands, from 0."""
    text: str


_Missing = object()
"""Stands for a member that one of the two has not."""


def diff(expected: str, received: str, *, most: int) -> tuple[Line, ...]:
    """How two responses differ, member by member; plain lines where one is not JSON.

    Args:
        expected: the expected line.
        received: the line that came, empty if none did.
        most: lines that are kept; one more then says that there are further ones.
    """
    try:
        left, right = parse(expected.encode()), parse(received.encode())
    except (MalformedJson, UnicodeEncodeError):
        found = _as_text(expected, received)
    else:
        found = _folded(_compared("", left, right, 0))
    lines = tuple(islice(found, most + 1))
    if len(lines) <= most:
        return lines
    return (*lines[:most], Line(Mark.BOTH, 0, "… and so on"))


def _as_text(expected: str, received: str) -> Iterator[Line]:
    place = next(
        (n for n, (a, b) in enumerate(zip_longest(expected, received)) if a != b), len(expected)
    )
    yield Line(Mark.EXPECTED, 0, around(expected, place, _LINE * 2))
    if received:
        yield Line(Mark.RECEIVED, 0, around(received, place, _LINE * 2))


def _compared(label: str, left: Json, right: Json, depth: int) -> Iterator[Line]:
    if left is not _Missing and right is not _Missing and same(left, right):
        yield Line(Mark.BOTH, depth, label + _brief(left))
    elif isinstance(left, dict) and isinstance(right, dict):
        names = [*left, *(name for name in right if name not in left)]
        pairs = [
            (f"{_brief(name)}: ", left.get(name, _Missing), right.get(name, _Missing))
            for name in names
        ]
        yield from _nested(label, "{}", pairs, depth)
    elif isinstance(left, list) and isinstance(right, list):
        pairs = [
            (f"{n}: ", *pair) for n, pair in enumerate(zip_longest(left, right, fillvalue=_Missing))
        ]
        yield from _nested(label, "[]", pairs, depth)
    else:
        yield from _apart(label, left, right, depth)


def _nested(
    label: str, brackets: str, pairs: list[tuple[str, Json, Json]], depth: int
) -> Iterator[Line]:
    yield Line(Mark.BOTH, depth, label + brackets[0])
    for name, left, right in pairs:
        yield from _compared(name, left, right, depth + 1)
    yield Line(Mark.BOTH, depth, brackets[1])


def _apart(label: str, left: Json, right: Json, depth: int) -> Iterator[Line]:
    place = 0
    if isinstance(left, str) and isinstance(right, str):
        place = next((n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), 0)
    for mark, value in ((Mark.EXPECTED, left), (Mark.RECEIVED, right)):
        if value is not _Missing:
            yield Line(mark, depth, label + _brief(value, place))


def _folded(lines: Iterator[Line]) -> Iterator[Line]:
    """The lines with long runs of equal members of one depth as one line each."""
    run: list[Line] = []
    for line in lines:
        if run and (line.mark is not Mark.BOTH or line.depth != run[0].depth or _opens(line)):
            yield from _fold(run)
            run = []
        if line.mark is Mark.BOTH and not _opens(line):
            run.append(line)
        else:
            yield line
    yield from _fold(run)


def _fold(run: list[Line]) -> Iterator[Line]:
    if len(run) <= _FOLDED_FROM:
        yield from run
    else:
        yield run[0]
        yield Line(Mark.BOTH, run[0].depth, f"… {len(run) - 2} equal members")
        yield run[-1]


def _opens(line: Line) -> bool:
    return line.text.endswith(("{", "["))


def _brief(value: Json, place: int = 0) -> str:
    text = compact(value)
    return around(text, place, _LINE) if place else shown(text, _LINE)
