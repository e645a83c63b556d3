"""What may never be sent to a candidate, checked on every line that is.

The protocol leaves the behaviour open for these lines, so a scenario that held one would judge
something that no prompt defines.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from math import isfinite

from kcb_core.codec import Json
from kcb_core.errors import DeclarationError
from kcb_core.limits import LIMITS
from kcb_core.shape import MAX_INTEGER

MAX_NESTING = 64
"""Deepest nesting of arrays and objects that is sent; the request itself counts as 1."""

_PIECE = re.compile(
    r'(?P<string>"(?:[^"\\]|\\.)*"?)|(?P<number>-?\d[\d.eE+-]*)|(?P<word>-?[^\W\d]\w*)|(?P<mark>.)',
    re.DOTALL,
)
_SUSPECT = re.compile(r"-0|[0-9]{16}|[eE][+-]?[0-9]|NaN|Infinity|\\u[dD]")
"""What a line holds if the value of a number or half of a surrogate pair may be at fault in it."""
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_HIGH = range(0xD800, 0xDC00)
_LOW = range(0xDC00, 0xE000)


@lru_cache(maxsize=200_000)  # the tiers of a family send many of the same lines
def check_line(line: str) -> None:
    """Refuse a line that may not be sent, well formed or not.

    Args:
        line: the request line without its line end.

    Raises:
        DeclarationError: the line holds something whose meaning the protocol does not define.
    """
    for fault in _faults(line):
        shown = line if len(line) <= 100 else line[:97] + "..."
        raise DeclarationError(f"a scenario may not send {fault}: {shown!r}")


def _faults(line: str) -> Iterator[str]:
    if _SURROGATE.search(line):
        yield "a lone surrogate"
        return
    if len(line.encode()) > LIMITS.line_bytes:
        yield f"more than {LIMITS.line_bytes} bytes"
    if line.startswith("\ufeff"):
        yield "a byte order mark"
    if "\r" in line or "\n" in line:
        yield "a line break"
    if _is_plain(line):
        return
    yield from _faulty_pieces(line)
    try:
        _UNIQUE.decode(line)
    except json.JSONDecodeError:
        return
    except _NameTwice:
        yield "a name twice in one object"


def _is_plain(line: str) -> bool:
    """Whether a line is JSON with nothing suspicious in it, as most are; else look closely."""
    if _SUSPECT.search(line) or line.count("[") + line.count("{") > MAX_NESTING:
        return False
    try:
        _UNIQUE.decode(line)
    except ValueError:
        return False
    return True


def _faulty_pieces(line: str) -> Iterator[str]:
    """Faults inside the tokens of a line, which need not be JSON as a whole."""
    depth = 0
    for piece in _PIECE.finditer(line):
        text = piece.group()
        if piece.lastgroup == "string":
            yield from _faulty_escapes(text)
        elif piece.lastgroup == "number":
            yield from _faulty_number(text)
        elif piece.lastgroup == "word":
            yield from [text] * (text.lstrip("-") in ("NaN", "Infinity"))
        elif text not in " \t" and (text.isspace() or unicodedata.category(text) == "Cc"):
            yield "white space or a control character other than space and tab between tokens"
        depth += (text in "[{") - (text in "]}")
        if depth > MAX_NESTING:
            yield f"nesting deeper than {MAX_NESTING}"


def _faulty_escapes(text: str) -> Iterator[str]:
    """Half a surrogate pair, written as an escape."""
    end_of_high = -1
    for escape in _ESCAPE.finditer(text):
        code = int(escape[1], 16) if escape[1] else 0
        if code in _LOW and escape.start() == end_of_high:
            end_of_high = -1
            continue
        if code in _LOW or end_of_high >= 0:
            break
        end_of_high = escape.end() if code in _HIGH else -1
    else:
        if end_of_high < 0:
            return
    yield "an escape for half of a surrogate pair"


def _faulty_number(text: str) -> Iterator[str]:
    try:
        number: Json = json.loads(text)
    except json.JSONDecodeError:
        return
    if number == 0 and text.startswith("-"):
        yield "minus zero"
    if isinstance(number, int) and abs(number) > MAX_INTEGER:
        yield "an integer beyond 2^53 - 1"
    if not isfinite(number):
        yield "a number beyond a double"


class _NameTwice(ValueError):
    """Raised inside the decoder."""


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _NameTwice
    return members


_UNIQUE = json.JSONDecoder(object_pairs_hook=_unique)
