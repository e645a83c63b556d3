"""Many samples in little memory: what recurs is kept once, and numbers lie side by side as bytes.

One run after another repeats its tasks, outcomes and failed topics, and only its numbers are new.
So a sample is taken apart when it is put on a shelf, and made anew whenever somebody looks at it:
a hundred bytes take the place of many hundreds, and a quarter of a million samples are few.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Hashable, Iterator, Sequence
from math import isnan, nan
from struct import Struct
from typing import Any, TypeVar, overload

import msgspec

from kcb_core.codec import encode
from kcb_core.run_record import Usage
from kcb_core.score import Sample
from kcb_score.circumstances import Circumstances

T = TypeVar("T", bound=Hashable)

Project = tuple[str, int, str]
"""Subject, repetition and task: what a report is about."""

TOKENS = (
    *("input_tokens", "output_tokens"),
    *("cache_read_tokens", "cache_write_tokens", "reasoning_tokens"),
)
"""The fields of a usage that are numbers of tokens."""
_NUMBERS = Struct("=2q3d5q")
"""Right and expected responses; seconds judged, seconds and dollars made; tokens by class."""

_UNSTATED = -1
"""Stands for tokens that nobody stated, as nan does for seconds and dollars."""

_RECURRING = (
    *("task_id", "tier", "family", "category", "subject", "failure"),
    *("tags", "unclean", "first_failing"),
)
"""Fields whose texts many kinds of samples have in common."""


class Filed(msgspec.Struct, frozen=True, gc=False):
    """What a report comes to, and where it is: a place on a shelf."""

    shelf: Shelf
    place: int

    @property
    def source(self) -> str:
        """The file, or whatever else an error is to name."""
        return self.shelf.source(self.place)

    @property
    def sample(self) -> Sample:
        """What the report comes to, made anew each time."""
        return self.shelf.sample(self.place)

    @property
    def kind(self) -> Sample:
        """The same without its numbers, of which the repetition is one. Nothing is made for it."""
        return self.shelf.kind(self.place)

    @property
    def project(self) -> Project:
        """What the report is about."""
        return self.shelf.project(self.place)

    @property
    def circumstances(self) -> Circumstances:
        """By what, and how, it was judged: one object for all on a shelf that agree in it."""
        return self.shelf.circumstances(self.place)


class SamplesOf(Sequence[Sample]):
    """The samples of some reports, each made when it is looked at."""

    def __init__(self, filed: Sequence[Filed]) -> None:
        self._filed = filed

    def __len__(self) -> int:
        return len(self._filed)

    @overload
    def __getitem__(self, index: int) -> Sample: ...
    @overload
    def __getitem__(self, index: slice) -> SamplesOf: ...
    def __getitem__(self, index: int | slice) -> Sample | SamplesOf:
        if isinstance(index, slice):
            return SamplesOf(self._filed[index])
        return self._filed[index].sample

    def __iter__(self) -> Iterator[Sample]:
        return (one.shelf.sample(one.place) for one in self._filed)


class Packed(msgspec.Struct, frozen=True, kw_only=True):
    """What stands on a shelf, without its sources, for another process."""

    kinds: list[Sample]
    circumstances: list[Circumstances]
    kind_of: bytes
    judged_by: bytes
    repetitions: bytes
    numbers: bytes


class Shelf:
    """Samples in the order in which they came."""

    def __init__(self) -> None:
        self._kinds: dict[Sample, int] = {}
        self._kind: list[Sample] = []
        self._known: dict[bytes, int] = {}
        self._judged: list[Circumstances] = []
        self._held: dict[int, tuple[Circumstances, int]] = {}
        self._shared: dict[Hashable, Any] = {}
        self._folders: list[str] = []
        self._names: list[str] = []
        self._kind_of = array("I")
        self._judged_by = array("I")
        self._repetitions = array("q")
        self._numbers = bytearray()

    def __len__(self) -> int:
        return len(self._kind_of)

    def put(self, sample: Sample, circumstances: Circumstances, source: str) -> Filed:
        """Keep a sample.

        Args:
            sample: none of its numbers is beyond 64 bits.
            circumstances: quick if it is an object that was given before.
            source: what an error is to name.
        """
        self._kind_of.append(self._place_of_kind(_without_numbers(sample)))
        self._judged_by.append(self._place_of_held(circumstances))
        self._repetitions.append(sample.repetition)
        self._numbers += _numbers(sample)
        return self._name(source)

    def pack(self) -> Packed:
        """All that was put here, but for where it came from."""
        return Packed(
            kinds=self._kind,
            circumstances=self._judged,
            kind_of=self._kind_of.tobytes(),
            judged_by=self._judged_by.tobytes(),
            repetitions=self._repetitions.tobytes(),
            numbers=bytes(self._numbers),
        )

    def put_all(self, packed: Packed, sources: Sequence[str]) -> list[Filed]:
        """Keep what another process of this machine packed; ``sources`` say where each is from."""
        kinds = [self._place_of_kind(one) for one in packed.kinds]
        judged = [self._place_of_circumstances(one) for one in packed.circumstances]
        self._kind_of.extend(kinds[place] for place in array("I", packed.kind_of))
        self._judged_by.extend(judged[place] for place in array("I", packed.judged_by))
        self._repetitions.frombytes(packed.repetitions)
        self._numbers += packed.numbers
        return [self._name(source) for source in sources]

    def sample(self, place: int) -> Sample:
        """The sample at a place."""
        numbers = _NUMBERS.unpack_from(self._numbers, place * _NUMBERS.size)
        passed, total, wall_s, generation_s, dollars, *tokens = numbers
        kind = self.kind(place)
        return msgspec.structs.replace(
            kind,
            repetition=self._repetitions[place],
            passed=passed,
            total=total,
            wall_s=wall_s,
            generation_s=None if isnan(generation_s) else generation_s,
            dollars=None if isnan(dollars) else dollars,
            usage=kind.usage and _with_tokens(kind.usage, tokens),
        )

    def kind(self, place: int) -> Sample:
        """The sample at a place without its numbers."""
        return self._kind[self._kind_of[place]]

    def project(self, place: int) -> Project:
        """What the report at a place is about."""
        kind = self.kind(place)
        return kind.subject, self._repetitions[place], kind.task_id

    def circumstances(self, place: int) -> Circumstances:
        """By what, and how, the report at a place was judged."""
        return self._judged[self._judged_by[place]]

    def source(self, place: int) -> str:
        """Where the report at a place came from."""
        return self._folders[place] + self._names[place]

    def _name(self, source: str) -> Filed:
        """Keep where the next sample came from: runs have many folders and names in common."""
        end = source.rfind(os.sep) + 1
        self._folders.append(self._share(source[:end]))
        self._names.append(self._share(source[end:]))
        return Filed(self, len(self._names) - 1)

    def _place_of_kind(self, kind: Sample) -> int:
        place = self._kinds.get(kind)
        if place is None:
            parts = {name: self._share_all(getattr(kind, name)) for name in _RECURRING}
            kind = msgspec.structs.replace(kind, **parts)
            place = self._kinds[kind] = len(self._kind)
            self._kind.append(kind)
        return place

    def _place_of_held(self, circumstances: Circumstances) -> int:
        held = self._held.get(id(circumstances))
        if held is None:  # from here on it is held, so that its id stays its own
            held = (circumstances, self._place_of_circumstances(circumstances))
            self._held[id(circumstances)] = held
        return held[1]

    def _place_of_circumstances(self, circumstances: Circumstances) -> int:
        place = self._known.setdefault(encode(circumstances), len(self._judged))
        if place == len(self._judged):
            self._judged.append(circumstances)
        return place

    def _share_all(self, value: str | tuple[str, ...]) -> str | tuple[str, ...]:
        """The same text, or tuple of texts, each one object for all kinds."""
        known: str | tuple[str, ...] | None = self._shared.get(value)
        if known is None:
            single = isinstance(value, str)
            known = self._share(value if single else tuple(map(self._share, value)))
        return known

    def _share(self, value: T) -> T:
        """The first object that was equal to this one."""
        return self._shared.setdefault(value, value)  # type: ignore[no-any-return]


def _without_numbers(sample: Sample) -> Sample:
    """The sample with all that :data:`_NUMBERS` holds, and its repetition, left out."""
    usage = sample.usage
    return msgspec.structs.replace(
        sample,
        repetition=0,
        passed=0,
        total=0,
        wall_s=0.0,
        generation_s=None,
        dollars=None,
        usage=usage and Usage(includes_reasoning=usage.includes_reasoning),
    )


def _numbers(sample: Sample) -> bytes:
    usage = sample.usage or Usage()
    tokens = (getattr(usage, name) for name in TOKENS)
    return _NUMBERS.pack(
        sample.passed,
        sample.total,
        sample.wall_s,
        nan if sample.generation_s is None else sample.generation_s,
        nan if sample.dollars is None else sample.dollars,
        *(_UNSTATED if number is msgspec.UNSET else number for number in tokens),
    )


def _with_tokens(usage: Usage, tokens: Sequence[int]) -> Usage:
    stated = zip(TOKENS, tokens, strict=True)
    return msgspec.structs.replace(
        usage, **{name: number for name, number in stated if number != _UNSTATED}
    )
