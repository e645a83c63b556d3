# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Reads a configuration whose sections inherit keys and whose strings refer to other keys."""

import re
from collections.abc import Callable, Hashable, Iterator
from graphlib import CycleError, TopologicalSorter
from typing import Any, NamedTuple, TypeVar

_MAX_RESOLVED = 10_000

_BLANKS = r"[ \t]*"
# `[0-9]` and not `\d`, which also takes the digits of other scripts.
_NAME = r"[A-Za-z0-9_-]{1,32}"
_KEY = r"[A-Za-z0-9_.-]{1,64}"
_REFERENCE = rf"\$\{{(?:{_NAME}:)?{_KEY}\}}"
_QUOTED = rf'"(?:[^"\\$]|\\["\\nt$]|{_REFERENCE}|\$(?!\{{))*"'
_SCALAR = rf"(?:true|false|null|-?(?:0|[1-9][0-9]{{0,14}})|'[^']*'|{_QUOTED})"
_ELEMENTS = rf"{_SCALAR}{_BLANKS}(?:,{_BLANKS}{_SCALAR}{_BLANKS})*"
_LIST = rf"\[{_BLANKS}(?:{_ELEMENTS})?\]"

_SECTION_LINE = re.compile(
    rf"\[{_BLANKS}(?P<name>{_NAME}){_BLANKS}(?::{_BLANKS}(?P<parent>{_NAME}){_BLANKS})?\]"
)
_KEY_LINE = re.compile(
    rf"(?P<key>{_KEY}){_BLANKS}(?P<sign>\+?=){_BLANKS}"
    rf"(?:(?P<scalar>{_SCALAR})|(?P<list>{_LIST})){_BLANKS}(?:#.*)?"
)
_SCALARS = re.compile(_SCALAR)
# The pieces of a string in `"`: a reference, an escape, or other characters.
_PIECE = re.compile(
    rf"\$\{{(?:(?P<section>{_NAME}):)?(?P<key>{_KEY})\}}|\\(?P<escaped>.)|(?P<plain>[^\\$]+|\$)"
)
_ESCAPES = {"n": "\n", "t": "\t"}  # every other escaped character stands for itself
_WORDS = {"true": True, "false": False, "null": None}


class _ConfigError(Exception):
    """The configuration is wrong; the message is the code of the error."""


class _Reference(NamedTuple):
    """A reference; without a section it means the one in whose final map it stands."""

    section: str | None
    key: str


class _Template(NamedTuple):
    """A string with references, as the texts and references that it is joined of."""

    pieces: tuple[str | _Reference, ...]


_Scalar = str | int | bool | _Template | None
_Value = _Scalar | list[_Scalar]
_Place = tuple[str, str]  # a section and a key of its final map
_Node = TypeVar("_Node", bound=Hashable)


class _Change(NamedTuple):
    """A line that changes a key: by `+=` if it appends, else by `=`."""

    key: str
    appends: bool
    value: _Value


class _Section(NamedTuple):
    """A section as it stands in the text."""

    parent: str | None
    changes: list[_Change]


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Read a configuration.

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
        sections = _read(fields["text"])
        maps = _final_maps(sections)
        resolved = _resolve(maps)
    except _ConfigError as config_error:
        return {"error": {"code": str(config_error)}}
    return {"result": {"sections": resolved, "order": list(sections)}}


# -------------------------------------------------------------------------------------- the text


def _read(text: str) -> dict[str, _Section]:
    """Read the lines of a configuration.

    Args:
        text: The text of the configuration.

    Returns:
        The sections by their names, in the order of the text.

    Raises:
        _ConfigError: A line is wrong.
    """
    sections: dict[str, _Section] = {}
    section: _Section | None = None  # the one that was started last
    keys: set[str] = set()  # those that lines of this section have changed
    for whole_line in text.split("\n"):
        line = whole_line.removesuffix("\r").strip(" \t")
        if not line or line[0] in "#;":
            continue
        if header := _SECTION_LINE.fullmatch(line):
            if header["name"] in sections:
                raise _ConfigError("duplicate_section")
            section = _Section(header["parent"], [])
            sections[header["name"]] = section
            keys = set()
            continue
        change = _read_change(line)
        if section is None:
            raise _ConfigError("syntax_error")
        if change.key in keys and not change.appends:
            raise _ConfigError("duplicate_key")
        keys.add(change.key)
        section.changes.append(change)
    return sections


def _read_change(line: str) -> _Change:
    """Read a line that changes a key."""
    found = _KEY_LINE.fullmatch(line)
    if found is None:
        raise _ConfigError("syntax_error")
    appends = found["sign"] == "+="
    if found["list"] is not None:
        # All that stands between the scalars of a valid list is blanks, commas and brackets.
        elements = [_read_scalar(text) for text in _SCALARS.findall(found["list"])]
        return _Change(found["key"], appends, elements)
    if appends:
        raise _ConfigError("syntax_error")
    return _Change(found["key"], appends, _read_scalar(found["scalar"]))


def _read_scalar(text: str) -> _Scalar:
    """Read a valid scalar."""
    if text in _WORDS:
        return _WORDS[text]
    if text.startswith("'"):
        return text[1:-1]
    if text.startswith('"'):
        return _read_quoted(text[1:-1])
    return int(text)


def _read_quoted(text: str) -> str | _Template:
    """Read what stands between the quotes of a valid string in `"`."""
    pieces: list[str | _Reference] = []
    for found in _PIECE.finditer(text):
        if found["key"] is not None:
            pieces.append(_Reference(found["section"], found["key"]))
        elif found["escaped"] is not None:
            pieces.append(_ESCAPES.get(found["escaped"], found["escaped"]))
        else:
            pieces.append(found["plain"])
    texts = [piece for piece in pieces if isinstance(piece, str)]
    return "".join(texts) if len(texts) == len(pieces) else _Template(tuple(pieces))


# ------------------------------------------------------------------------------------ inheritance


def _final_maps(sections: dict[str, _Section]) -> dict[str, dict[str, _Value]]:
    """Make the final map of each section.

    Args:
        sections: The sections by their names.

    Returns:
        The final maps in the order of the sections. Maps can share lists.

    Raises:
        _ConfigError: A parent or a change is wrong.
    """
    parents = {name: section.parent for name, section in sections.items()}
    if any(parent is not None and parent not in sections for parent in parents.values()):
        raise _ConfigError("unknown_parent")
    order = _dependency_order(
        {name: [] if parent is None else [parent] for name, parent in parents.items()},
        "inheritance_cycle",
    )
    maps: dict[str, dict[str, _Value]] = {name: {} for name in sections}
    for name in order:
        parent = parents[name]
        if parent is not None:
            maps[name].update(maps[parent])
        for change in sections[name].changes:
            _carry_out(change, maps[name])
    return maps


def _carry_out(change: _Change, values: dict[str, _Value]) -> None:
    """Carry out a change on the map of its section."""
    value = change.value
    if change.appends and change.key in values:
        old = values[change.key]
        if not isinstance(old, list) or not isinstance(value, list):
            raise _ConfigError("not_a_list")
        # A new list, because the old one may be that of the parent.
        value = old + value
    values[change.key] = value


# ------------------------------------------------------------------------------------- references


def _resolve(maps: dict[str, dict[str, _Value]]) -> dict[str, dict[str, Any]]:
    """Resolve all references in final maps.

    Args:
        maps: The final map of each section. They are only read.

    Returns:
        The maps with resolved values.

    Raises:
        _ConfigError: A reference or a resolved string is wrong.
    """
    needs = {
        (section, key): of_place
        for section, values in maps.items()
        for key, value in values.items()
        if (of_place := list(_targets(section, value)))
    }
    targets = {target for of_place in needs.values() for target in of_place}
    if any(section not in maps or key not in maps[section] for section, key in targets):
        raise _ConfigError("unknown_reference")
    meant = [maps[section][key] for section, key in targets]
    if any(value is None or isinstance(value, list) for value in meant):
        raise _ConfigError("not_scalar")
    # What has no references is its own resolved value.
    resolved: dict[str, dict[str, Any]] = {name: dict(values) for name, values in maps.items()}
    # What a string refers to comes before it, so it is resolved by then.
    for section, key in _dependency_order(needs, "reference_cycle"):
        value = maps[section][key]
        resolved[section][key] = (
            [_resolve_scalar(section, element, resolved) for element in value]
            if isinstance(value, list)
            else _resolve_scalar(section, value, resolved)
        )
    return resolved


def _targets(section: str, value: _Value) -> Iterator[_Place]:
    """Give the places that the strings of a value refer to, if it stands in a section's map."""
    for scalar in value if isinstance(value, list) else [value]:
        if isinstance(scalar, _Template):
            for piece in scalar.pieces:
                if isinstance(piece, _Reference):
                    yield _place(section, piece)


def _place(section: str, reference: _Reference) -> _Place:
    """Give the place that a reference means if it stands in a section's final map."""
    return reference.section or section, reference.key


def _resolve_scalar(section: str, scalar: _Scalar, resolved: dict[str, dict[str, Any]]) -> Any:
    """Resolve a scalar.

    Args:
        section: The section in whose final map it stands.
        scalar: The scalar.
        resolved: The resolved values of all places that it refers to, and others.

    Returns:
        The resolved value.

    Raises:
        _ConfigError: The resolved string is too long.
    """
    if not isinstance(scalar, _Template):
        return scalar
    texts: list[str] = []
    for piece in scalar.pieces:
        if isinstance(piece, _Reference):
            other, key = _place(section, piece)
            texts.append(_inserted(resolved[other][key]))
        else:
            texts.append(piece)
    text = "".join(texts)
    # Tested at once: no other error can follow, and longer texts could grow without end.
    if len(text) > _MAX_RESOLVED:
        raise _ConfigError("too_large")
    return text


def _inserted(value: str | int | bool) -> str:
    """Give the text that stands for a value in a string."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _dependency_order(needs: dict[_Node, list[_Node]], error: str) -> list[_Node]:
    """Put nodes in an order in which each comes after those that it needs.

    Args:
        needs: For each node those that it needs.
        error: The code of the error if there is no such order.

    Returns:
        All nodes.

    Raises:
        _ConfigError: Some nodes need each other.
    """
    try:
        return list(TopologicalSorter(needs).static_order())
    except CycleError:
        raise _ConfigError(error) from None


# ------------------------------------------------------------------------------------- the fields


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "text": lambda value: isinstance(value, str) and len(value) <= 8000,
}
_REQUIRED = ("text",)


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
