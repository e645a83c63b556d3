"""The inputs of one family that scripts are made of."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from kcb_core.codec import Json, compact
from kcb_core.family import Family, answer, generated_inputs
from kcb_core.shape import Field, Shape

GENERATED = 24
"""Generated inputs of every family, the same in all tiers."""

_NEAREST = 8
_FURTHER = 6
_SEARCHED = 80
_EXTREMES = 8

_EVERY_TYPE: tuple[Json, ...] = (None, True, 0, 1.5, "1", [], {})


@dataclass(frozen=True)
class Material:
    """What one family and one seed give to play with."""

    family: Family
    """Whose contract it is."""
    seed: int
    """Seed of the generated inputs."""

    @cached_property
    def generated(self) -> tuple[dict[str, Json], ...]:
        """The generated inputs."""
        return tuple(generated_inputs(self.family, self.seed, GENERATED))

    @property
    def golden(self) -> dict[str, Json]:
        """An input with a result, worked out by hand."""
        return self.family.golden.input

    @cached_property
    def valid(self) -> tuple[dict[str, Json], ...]:
        """Inputs with a result, the golden one first."""
        return tuple(i for i in self._all() if "result" in answer(self.family, i))

    @cached_property
    def plain(self) -> dict[str, Json]:
        """The shortest of the inputs with a result, for scripts that are not about the contract."""
        return min(self.valid, key=lambda fields: len(compact(fields)))

    @cached_property
    def failing(self) -> tuple[dict[str, Json], ...]:
        """One input for each error of the contract that the inputs reach, in its order."""
        found: dict[str, dict[str, Json]] = {}
        for fields in self._all():
            error = answer(self.family, fields).get("error", {})
            found.setdefault(error.get("code", ""), fields)
        return tuple(found[e.code] for e in self.family.errors if e.code in found)

    @cached_property
    def required(self) -> tuple[Field, ...]:
        """The fields that may not be left out."""
        return tuple(member for member in self.family.fields if member.required)

    @cached_property
    def broken(self) -> dict[str, Json]:
        """An input whose first field is invalid."""
        member = self.family.fields[0]
        return {**self.golden, member.name: wrong(member)}

    def rng(self, *names: object) -> random.Random:
        """A generator of its own for each row of names."""
        return random.Random("/".join(map(str, (self.seed, self.family.name, *names))))

    def _all(self) -> Iterator[dict[str, Json]]:
        yield self.golden
        yield from (case.input for case in self.family.boundaries)
        yield from self.generated


def without(fields: dict[str, Json], *names: str) -> dict[str, Json]:
    """An input with some of its fields left out."""
    return {name: value for name, value in fields.items() if name not in names}


def violations(shape: Shape) -> list[Json]:
    """A bounded number of values that a shape does not admit.

    The nearest misses come first, then some from further down the shape's own list, spread over
    its parts, then whatever JSON type it does not admit.
    """
    offered = list(islice(shape.violations(), _SEARCHED))
    near, rest = offered[:_NEAREST], offered[_NEAREST:]
    step = max(1, len(rest) // _FURTHER)
    types = [value for value in _EVERY_TYPE if not shape.admits(value)]
    return _distinct([*near, *rest[::step][:_FURTHER], *types])


def wrong(member: Field) -> Json:
    """A short value that a field does not admit."""
    return min(violations(member.shape), key=lambda value: len(compact(value)))


def extremes(shape: Shape) -> list[Json]:
    """A bounded number of values at the edge of what a shape admits, spread over its parts."""
    offered = _distinct(list(islice(shape.extremes(), _SEARCHED)))
    step = max(1, len(offered) // _EXTREMES)
    return offered[::step][:_EXTREMES]


def _distinct(values: list[Json]) -> list[Json]:
    """The values without repetitions; ``1``, ``1.0`` and ``true`` are three values."""
    return list({compact(value): value for value in values}.values())
