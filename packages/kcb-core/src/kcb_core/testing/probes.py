"""What the conformance classes look with: inputs that probe a family, and faults in JSON values."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from math import isfinite

from kcb_core.codec import MAX_DIGITS, Json, compact
from kcb_core.family import Family
from kcb_core.limits import LIMITS
from kcb_core.shape import MAX_INTEGER

MAX_INPUT_DEPTH = 60
"""Deepest nesting of an input; a request, a batch and its element lie around it, 64 in all."""

MAX_INPUT_BYTES = LIMITS.line_bytes - 1024
"""Longest input as compact JSON; what is left of a line is for the request around it."""

PROBES = 40
"""How many of a shape's extremes, and of its violations, are tried in each field."""

_SURROGATE = re.compile("[\ud800-\udfff]")


def input_fault(value: Json) -> str | None:
    """Why an input may not be sent to a candidate, or None if it may.

    Source: the list of what is never sent, in the protocol block of every prompt.
    """
    if not isinstance(value, dict):
        return f"{_short(value)} is no object"
    for path, depth, part in _walk(value):
        fault = _type_fault(part) or _text_fault(part) or _number_fault(part)
        if fault:
            return f"{path}: {fault}"
        if depth > MAX_INPUT_DEPTH and isinstance(part, list | dict):
            return f"it is nested deeper than {MAX_INPUT_DEPTH}"
    size = len(compact(value).encode())
    return f"it is {size} bytes long" if size > MAX_INPUT_BYTES else None


def result_fault(value: Json, *, floats: bool) -> str | None:
    """Why a result cannot be an expected response, or None if it can.

    Args:
        value: the result.
        floats: whether it may hold floats, which are compared within a tolerance.
    """
    for path, _, part in _walk(value):
        fault = _type_fault(part) or _text_fault(part)
        if fault:
            return f"{path}: {fault}"
        if type(part) is int and abs(part) >= 10**MAX_DIGITS:
            return f"{path}: an integer of more than {MAX_DIGITS} digits"
        if isinstance(part, float) and not (floats and isfinite(part)):
            return f"{path}: {part!r} is a float" if isfinite(part) else f"{path}: {part!r}"
    return None


def field_probes(family: Family) -> Iterator[tuple[str, dict[str, Json]]]:
    """Inputs around the golden one that lack one field or have one at or over an edge.

    Yields:
        What the probe is, and the input.
    """
    base = family.golden.input
    yield "no field at all", {}
    for member in family.fields:
        without = {name: value for name, value in base.items() if name != member.name}
        yield f"without {member.name!r}", without
        for value in islice(member.shape.violations(), PROBES):
            yield f"{member.name!r} is {_short(value)}", {**base, member.name: value}
        for value in [member.shape.sample(), *islice(member.shape.extremes(), PROBES)]:
            yield f"{member.name!r} is {_short(value)}", {**base, member.name: value}
    broken = {m.name: next(m.shape.violations()) for m in family.fields}
    yield "every field is invalid", broken
    for member in family.fields:
        others = {name: value for name, value in broken.items() if name != member.name}
        yield f"all but the missing {member.name!r} are invalid", others
    yield "a field that the contract does not name", {**base, "not a field": {"a": [1]}}


def record_members(values: Sequence[Json]) -> set[str]:
    """Names of the members of all records in some values that stand at one place.

    Objects at one place are taken for records if some name is in every one of them, and else for
    maps whose names come from the data.
    """
    elements = [element for value in values if isinstance(value, list) for element in value]
    objects = [value for value in values if isinstance(value, dict)]
    names = record_members(elements) if elements else set()
    if not objects:
        return names
    if not set.intersection(*map(set, objects)):
        return names | record_members([member for found in objects for member in found.values()])
    for name in set().union(*objects):
        names |= {name} | record_members([found[name] for found in objects if name in found])
    return names


def code_spans(*texts: str) -> str:
    """All that stands between backticks in some Markdown, one span a line."""
    return "\n".join(span for text in texts for span in re.split("`+", text)[1::2])


def named(name: str, spans: str) -> bool:
    """Whether a name stands by itself in some code spans."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", spans) is not None


def names_in(value: Json) -> set[str]:
    """Every string and member name in a value."""
    found: set[str] = set()
    for _, _, part in _walk(value):
        if isinstance(part, str):
            found.add(part)
        elif isinstance(part, dict):
            found.update(part)
    return found


def address_of(value: object, likely_module: str) -> tuple[str, str] | None:
    """A module and the name in it under which another process can import a value."""
    modules = [likely_module, *sorted(sys.modules)]
    for module in modules:
        for name, held in list(vars(sys.modules.get(module, object)).items()):
            if held is value:
                return module, name
    return None


def _walk(value: Json, path: str = "$", depth: int = 1) -> Iterator[tuple[str, int, Json]]:
    """Every value inside a value, with its place and depth, as far as depth is of interest."""
    yield path, depth, value
    inner: Iterable[tuple[str, Json]] = ()
    if isinstance(value, dict):
        inner = ((f"{path}.{name}", member) for name, member in value.items())
    elif isinstance(value, list):
        inner = ((f"{path}[{index}]", element) for index, element in enumerate(value))
    if depth <= MAX_INPUT_DEPTH:
        for place, part in inner:
            yield from _walk(part, place, depth + 1)


def _type_fault(part: Json) -> str | None:
    if part is None or type(part) in (bool, int, float, str, list):
        return None
    if type(part) is dict:
        odd = [name for name in part if type(name) is not str]
        return f"the member name {odd[0]!r} is no string" if odd else None
    return f"{_short(part)} is no JSON value but of the type {type(part).__name__}"


def _text_fault(part: Json) -> str | None:
    for text in [part] if isinstance(part, str) else part if isinstance(part, dict) else []:
        if _SURROGATE.search(text):
            return f"{_short(text)} holds half of a surrogate pair"
    return None


def _number_fault(part: Json) -> str | None:
    if type(part) is int and abs(part) > MAX_INTEGER:
        return f"{_short(part)} is beyond 2^53 - 1"
    if isinstance(part, float) and (not isfinite(part) or str(part) == "-0.0"):
        return f"{part!r} is never sent"
    return None


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
