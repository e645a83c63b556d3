"""Strict JSON in, canonical JSON out, digests: the only place that knows JSON.

Two readers share one strictness. What candidates print and what datasets hold goes through
:func:`parse`; documents of our own go through :func:`decode`, which adds types on top.
"""

from __future__ import annotations

import codecs
import difflib
import hashlib
import json
import re
from math import isfinite
from typing import Any, NoReturn, TypeVar

import msgspec

from kcb_core.errors import DataError, MalformedJson

Json = Any
"""A JSON value: None, bool, int, float, str, list or dict with str keys."""

T = TypeVar("T")

MAX_DEPTH = 200
"""Deepest nesting that is read. The wire protocol never asks for more than 64."""

MAX_DIGITS = 4000
"""Longest integer that is read, in digits; below the limit at which CPython itself refuses."""

_BOM = codecs.BOM_UTF8
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)


def parse(data: bytes, *, source: str = "") -> Json:
    """The one JSON value that these bytes are.

    Refused, each with a reason of its own: invalid UTF-8, a byte-order mark, a name twice in one
    object, NaN and Infinity, numbers beyond a double, integers of more than 4,000 digits, nesting
    deeper than 200, anything before or after the value. Lone surrogates in escapes are let through,
    since a candidate may print one; they compare like any other character.

    Args:
        data: the bytes, without their line end.
        source: the file that they come from, to start an error message with.

    Raises:
        MalformedJson: the bytes are not strict JSON.
    """
    if data.startswith(_BOM):
        raise MalformedJson("it starts with a byte-order mark", source)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise MalformedJson(f"invalid UTF-8 at byte {error.start}", source) from None
    if _deeper_than(text, MAX_DEPTH):
        raise MalformedJson(f"nested deeper than {MAX_DEPTH}", source)
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise MalformedJson(f"{error.msg} at character {error.pos}", source) from None
    except _Refused as refused:
        raise MalformedJson(str(refused), source) from None


def parse_document(data: bytes, *, source: str) -> Json:
    """Like :func:`parse`, for a file that a person may have saved: a byte-order mark is let be."""
    return parse(data.removeprefix(_BOM), source=source)


def decode(data: bytes, type_: type[T], *, source: str) -> T:
    """One of our own documents, with its types checked.

    Args:
        data: the document as JSON in UTF-8.
        type_: a ``msgspec.Struct``, or any type that ``msgspec.convert`` knows.
        source: the file that the bytes come from.

    Raises:
        DataError: the bytes are no strict JSON, or do not fit the type; the message names the
            file and the field, and the nearest known field where an unknown one is refused.
    """
    return convert(parse_document(data, source=source), type_, source=source)


def convert(value: Json, type_: type[T], *, source: str) -> T:
    """A decoded JSON value as one of our own types; errors as in :func:`decode`."""
    try:
        return msgspec.convert(value, type_, strict=True)
    except msgspec.ValidationError as error:
        raise DataError(f"{source}: {_explain(str(error), type_)}") from None


def encode(value: object) -> bytes:
    """One of our own values as indented ASCII JSON with a final line end, ready to be stored.

    Raises:
        ValueError: the value holds a float that is not finite; such a number is left out of a
            document, with the reason beside it, and never written.
    """
    plain = msgspec.to_builtins(value)
    return (json.dumps(plain, allow_nan=False, indent=1) + "\n").encode("ascii")


def canonical(value: Json) -> bytes:
    """The one spelling of a JSON value that digests are taken of: sorted, compact, ASCII."""
    plain = msgspec.to_builtins(value)
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")


def compact(value: Json) -> str:
    """A JSON value on one line as it is sent to a candidate: member order kept, non-ASCII raw."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def ascii_line(value: Json) -> str:
    """A JSON value on one line of ASCII, fit for a data file: member order kept."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def digest(data: bytes) -> str:
    """The SHA-256 of some bytes, as 64 hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


class _Refused(ValueError):
    """Raised inside the decoder's hooks, and turned into MalformedJson at its door."""


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members = dict(pairs)
    if len(members) != len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise _Refused(f"the name {ascii_line(twice[:40])} stands twice in one object")
    return members


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise _Refused(f"an integer of more than {MAX_DIGITS} digits")
    return int(digits)


def _float(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise _Refused(f"the number {digits[:40]} is beyond a double")
    return number


def _constant(name: str) -> NoReturn:
    raise _Refused(f"{name} is not JSON")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_float, parse_constant=_constant
)


def _deeper_than(text: str, limit: int) -> bool:
    """Whether brackets outside strings nest deeper than the limit; linear and without recursion."""
    if text.count("[") + text.count("{") <= limit:
        return False
    depth = 0
    for token in _TOKEN.finditer(text):
        mark = token.group()
        if mark in "[{":
            depth += 1
            if depth > limit:
                return True
        elif mark in "]}":
            depth -= 1
    return False


def _explain(message: str, type_: object) -> str:
    """msgspec's message with the path in front, and the nearest field name where one is unknown."""
    message = message.replace("`", "'")
    what, _, path = message.partition(" - at ")
    field = path.strip("'").removeprefix("$").removeprefix(".")
    unknown = re.search(r"unknown field '([^']*)'", what)
    if unknown:
        names = sorted(_field_names(type_))
        near = difflib.get_close_matches(unknown[1], names, n=1)
        what += f"; did you mean '{near[0]}'?" if near else ""
    return f"field '{field}': {what}" if field else what


def _field_names(type_: object, seen: frozenset[object] = frozenset()) -> set[str]:
    """Every field name of a struct and of the structs inside it."""
    names: set[str] = set()
    if isinstance(type_, type) and issubclass(type_, msgspec.Struct) and type_ not in seen:
        for field in msgspec.structs.fields(type_):
            names.add(field.encode_name)
            names |= _field_names(field.type, seen | {type_})
    for inner in getattr(type_, "__args__", ()):
        names |= _field_names(inner, seen)
    return names
