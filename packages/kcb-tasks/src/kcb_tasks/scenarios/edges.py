"""Values with one part at the edge of what its shape allows, or just beyond, however deep it lies.

A list of nearest misses is cut to a bearable length, so that of many members inside an array some
would never be probed. Here every part has its turn while all others are plain; whether the value is
allowed as a whole is for the oracle to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch
from itertools import count, islice

from kcb_core.codec import Json, compact
from kcb_core.shape import (
    AnyOf,
    Array,
    Checked,
    Fixed,
    Mapped,
    Nullable,
    Record,
    Shape,
    Tagged,
)

MAX_VALUE_BYTES = 40_000
"""Longest array or object that is made only to have as many elements as it may."""

_ALLOWED = 40
_REFUSED = 40
"""Most values of either kind that a part without parts of its own has."""

_NAMES_TRIED = 10_000


@singledispatch
def edges(shape: Shape) -> Iterator[Json]:
    """Values of a shape that are plain but for one part.

    Args:
        shape: the shape of the whole value; one without parts is its own only part.
    """
    yield from islice(shape.extremes(), _ALLOWED)
    yield from islice(shape.violations(), _REFUSED)


@edges.register
def _array(shape: Array) -> Iterator[Json]:
    plain = shape.of.sample()
    room = MAX_VALUE_BYTES // (len(compact(plain)) + 1)
    for length in (shape.low - 1, shape.low, shape.high, shape.high + 1):
        if 0 <= length <= room:
            yield [plain] * length
    if shape.high:
        for value in edges(shape.of):
            yield [plain] * (shape.low - 1) + [value]


@edges.register
def _fixed(shape: Fixed) -> Iterator[Json]:
    plain: list[Json] = shape.sample()
    yield plain[:-1]
    yield [*plain, plain[-1]]
    for place, element in enumerate(shape.elements):
        for value in edges(element):
            yield [*plain[:place], value, *plain[place + 1 :]]


@edges.register
def _record(shape: Record) -> Iterator[Json]:
    plain: dict[str, Json] = shape.sample()
    yield plain
    for member in shape.fields:
        if member.required:
            yield {name: value for name, value in plain.items() if name != member.name}
        for value in edges(member.shape):
            yield {**plain, member.name: value}


@edges.register
def _tagged(shape: Tagged) -> Iterator[Json]:
    for tag, record in shape.variants.items():
        for value in edges(record):
            yield {shape.tag: tag, **value}


@edges.register
def _mapped(shape: Mapped) -> Iterator[Json]:
    plain, name = shape.of.sample(), shape.names.sample()
    room = MAX_VALUE_BYTES // (len(compact(plain)) + 10)
    offered = (f"a{number}" for number in islice(count(), _NAMES_TRIED))
    names = list(islice(filter(shape.names.admits, offered), shape.high + 1))
    for size in (shape.high, shape.high + 1):
        if size <= min(room, len(names)):
            yield dict.fromkeys(names[:size], plain)
    for other in edges(shape.names):
        if isinstance(other, str):
            yield {other: plain}
    for value in edges(shape.of):
        yield {name: value}


@edges.register
def _nullable(shape: Nullable) -> Iterator[Json]:
    yield None
    yield from edges(shape.of)


@edges.register
def _any_of(shape: AnyOf) -> Iterator[Json]:
    for option in shape.options:
        yield from edges(option)


@edges.register
def _checked(shape: Checked) -> Iterator[Json]:
    yield from islice(shape.valid, _ALLOWED)
    yield from islice(shape.invalid, _ALLOWED)
    yield from edges(shape.of)
