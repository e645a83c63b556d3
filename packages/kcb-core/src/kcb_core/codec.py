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
import tomllib
from collections.abc import Iterator
from math import isfinite
from typing import Any, NoReturn, TypeVar

import msgspec
import msgspec.inspect

from kcb_core.errors import DataError, MalformedJson

Json = Any
"""A JSON value: None, bool, int, float, str, list or dict with str keys."""

T = TypeVar("T")

MAX_DEPTH = 200
"""Deepest nesting that is read. The wire protocol never asks for more than 64."""

MAX_DIGITS = 4000
"""Longest integer that is read, in digits; below the limit at which CPython itself refuses."""

_BOM = codecs.BOM_UTF8
# A string may lack its end, and no choice is ever taken back: no text takes quadratic time.
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)


def parse(data: bytes, *, source: str = "") -> Json:
    """The one JSON value that these bytes are.

    Refused, each with a reason of its own: invalid UTF-8, a byte-order mark, a name twice in one
    object, NaN and Infinity, numbers beyond a double, integers of more than 4,000 digits, nesting
    deeper than 200, anything before or after the value. Of a number that is refused the message
    says where it stands. Lone surrogates in escapes are let through, since a candidate may print
    one; they compare like any other character.

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
        what = error.msg.removesuffix(" at")
        raise MalformedJson(f"{what} at character {error.pos}", source) from None
    except _RefusedNumber as refused:
        raise MalformedJson(_place_of_number(text) + str(refused), source) from None
    except _Refused as refused:
        raise MalformedJson(str(refused), source) from None


def parse_document(data: bytes, *, source: str) -> Json:
    """Like :func:`parse`, for a file that a person may have saved: a byte-order mark is let be."""
    return parse(data.removeprefix(_BOM), source=source)


def parse_by_name(data: bytes, *, source: str) -> Json:
    """The value of a file that a person wrote: TOML if its name ends so, else JSON.

    Raises:
        DataError: it is malformed.
    """
    if not source.endswith(".toml"):
        return parse_document(data, source=source)
    try:
        return tomllib.loads(data.decode("utf-8-sig"), parse_float=_toml_float)
    except ValueError as error:  # of the decoder, of the text, or of a number
        raise DataError(f"{source}: {error}") from None
    except RecursionError:
        raise DataError(f"{source}: nested too deeply") from None


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


def decode_kind(
    data: bytes, type_: type[T], *, kind: str, newest: int, source: str, version: str = "format"
) -> T:
    """One of our own stored documents, its kind and version checked before anything else.

    A newer document may have lost or changed any other field, and the remedy is to upgrade.

    Args:
        data: the document as JSON in UTF-8.
        type_: as in :func:`decode`.
        kind: what the document must say that it is.
        newest: the newest version that is read; all from 1 up to it are.
        source: the file that the bytes come from.
        version: name of the field with the version.

    Raises:
        DataError: as in :func:`decode`; also if it is of another kind, or of a newer version.
    """
    value = parse_document(data, source=source)
    if not isinstance(value, dict):
        raise DataError(f"{source}: must be a JSON object of kind {kind!r}")
    if value.get("kind") != kind:
        raise DataError(f"{source}: field 'kind': {value.get('kind')!r} is not {kind!r}")
    found = value.get(version)
    if type(found) is not int or not 1 <= found <= newest:
        raise DataError(
            f"{source}: field '{version}': {found!r} is not known, this version reads {newest}; "
            "upgrade kcb-core"
        )
    return convert(value, type_, source=source)


def convert(value: Json, type_: type[T], *, source: str) -> T:
    """A decoded JSON value as one of our own types; errors as in :func:`decode`."""
    try:
        return msgspec.convert(value, type_, strict=True)
    except msgspec.ValidationError as error:
        raise DataError(f"{source}: {explain(error, type_)}") from None
    except UnicodeEncodeError:
        # A name, or one of a closed set of words: neither is ever half of a character.
        place = next(_halved(value, ""), "")
        raise DataError(
            f"{source}: field {place!a}: a lone surrogate stands there, which is no text"
        ) from None


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
    return _COMPACT.encode(value)


def ascii_line(value: Json) -> str:
    """A JSON value on one line of ASCII, fit for a data file: member order kept."""
    return _ASCII.encode(value)


def digest(data: bytes) -> str:
    """The SHA-256 of some bytes, as 64 hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


class _Refused(ValueError):
    """Raised inside the decoder's hooks, and turned into MalformedJson at its door."""


class _RefusedNumber(_Refused):
    """A number that is no JSON, or that no double or bounded integer holds."""


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members = dict(pairs)
    if len(members) != len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise _Refused(f"the name {ascii_line(twice[:40])} stands twice in one object")
    return members


def _integer(digits: str) -> int:
    if _too_long(digits):
        raise _RefusedNumber(f"an integer of more than {MAX_DIGITS} digits")
    return int(digits)


def _too_long(digits: str) -> bool:
    return len(digits.removeprefix("-")) > MAX_DIGITS


def _float(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise _RefusedNumber(f"the number {digits[:40]} is beyond a double")
    return number


def _toml_float(digits: str) -> float:
    """TOML has infinities and NaN, and no document of ours does."""
    number = float(digits)
    if not isfinite(number):
        raise _RefusedNumber(f"the number {digits[:40]} is not finite")
    return number


def _constant(name: str) -> NoReturn:
    raise _RefusedNumber(f"{name} is not JSON")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_float, parse_constant=_constant
)

# Made once: a dataset takes half a million lines, each of which would make one of its own.
_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)
_ASCII = json.JSONEncoder(separators=(",", ":"), allow_nan=False)

_MARK = object()
"""Stands for a number that is refused, while its place is looked for."""

_MARKING = json.JSONDecoder(
    parse_int=lambda digits: _MARK if _too_long(digits) else 0,
    parse_float=lambda digits: 0.0 if isfinite(float(digits)) else _MARK,
    parse_constant=lambda name: _MARK,
)


def _place_of_number(text: str) -> str:
    """Where the first number that is refused stands, as the start of a message.

    Nothing if it is the whole value, or if the text is malformed behind it. Names come from whoever
    wrote the text, so they are escaped and cut.
    """
    try:
        value = _MARKING.decode(text)
    except json.JSONDecodeError:
        return ""
    path = next(_marked(value, ""), "").removeprefix(".")
    return f"field '{path[:200]}': " if path else ""


def _marked(value: Json, path: str) -> Iterator[str]:
    """The places of the mark in a value, in the order of its text."""
    if value is _MARK:
        yield path
    elif isinstance(value, dict):
        for name, member in value.items():
            yield from _marked(member, f"{path}.{ascii_line(name[:40])[1:-1]}")
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from _marked(member, f"{path}[{index}]")


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


def explain(error: msgspec.ValidationError, type_: object) -> str:
    """What does not fit a type, with the field in front.

    Where a name is unknown the nearest known one follows, and where a word is none of a closed set
    the words that are.

    Args:
        error: as msgspec raised it.
        type_: what was decoded into.
    """
    message = str(error).replace("`", "'")
    what, _, path = message.rpartition(" - at '$")
    if not what:
        what, path = message, ""
    field = path.removesuffix("'").removeprefix(".")
    unknown = re.search(r"unknown field '([^']*)'", what)
    if unknown:
        names = sorted(_field_names(type_))
        near = difflib.get_close_matches(unknown[1], names, n=1)
        what += f"; did you mean '{near[0]}'?" if near else ""
    elif what.startswith("Invalid enum value"):
        words = _words_at(msgspec.inspect.type_info(type_), re.findall(r"\.{3}|[^.\[\]]+", field))
        what += f"; known: {', '.join(words)}" if words else ""
    return f"field '{field}': {what}" if field else what


def _words_at(info: msgspec.inspect.Type, steps: list[str]) -> list[str]:
    """The closed set of words at a path into a type, in order; none where there is no such set."""
    match info:
        case msgspec.inspect.UnionType(types=types):
            return [word for one in types for word in _words_at(one, steps)]
        case msgspec.inspect.LiteralType(values=values) if not steps:
            return [str(value) for value in values]
        case msgspec.inspect.EnumType(cls=cls) if not steps:
            return [str(member.value) for member in cls]
        case msgspec.inspect.StructType(fields=fields) if steps:
            found = (field.type for field in fields if field.encode_name == steps[0])
            return [word for one in found for word in _words_at(one, steps[1:])]
        case msgspec.inspect.DictType(value_type=inner) if steps:
            return _words_at(inner, steps[1:])
        case (
            msgspec.inspect.ListType(item_type=inner)
            | msgspec.inspect.VarTupleType(item_type=inner)
        ) if steps:
            return _words_at(inner, steps[1:])
    return []


def _halved(value: Json, path: str) -> Iterator[str]:
    """Where names or strings hold lone surrogates; of an object, its own names come first."""
    if isinstance(value, str) and not value.isascii():
        if any("\ud800" <= character <= "\udfff" for character in value):
            yield path
    elif isinstance(value, dict):
        for name in value:
            yield from _halved(name, f"{path}.{name}".removeprefix("."))
        for name, inner in value.items():
            yield from _halved(inner, f"{path}.{name}".removeprefix("."))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _halved(inner, f"{path}[{index}]")


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
