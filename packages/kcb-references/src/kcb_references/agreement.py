"""Whether a family and its reference, which share no code, give the same answers.

Where they differ, one of them breaks the contract, or the contract allows both and has to be
mended: which of the three it is, only a person who reads the prompt can tell.
"""

from __future__ import annotations

import copy
import importlib.util
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from kcb_core.codec import Json, ascii_line, digest
from kcb_core.equality import same
from kcb_core.errors import DeclarationError
from kcb_core.family import Family, answer, generated_inputs
from kcb_core.roles import Reference
from kcb_core.shape import MAX_INTEGER

Domain = Callable[[dict[str, Any]], dict[str, Any]]
"""The function ``answer`` of a reference's module."""

_PER_SEED = 24
_PROBES_PER_FIELD = 60
_SPICE: tuple[Json, ...] = (None, True, False, 0, 1, -1, 1.5, 2.0, "", "a", [], {}, [1], {"a": 1})
_ODD = "0 -/.,:xé\U0001f600\u0301\n\"'{}[]()*|"


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """One input to which the two give different answers."""

    input: dict[str, Json]
    family: dict[str, Json]
    """What the family answers."""
    reference: dict[str, Json]
    """What the reference answers, or what it raised."""

    def __str__(self) -> str:
        return (
            f"input {ascii_line(self.input)[:600]}: family {ascii_line(self.family)[:300]}, "
            f"reference {ascii_line(self.reference)[:300]}"
        )


def load_domain(reference: Reference) -> Domain:
    """The answer function of a reference.

    Raises:
        DeclarationError: its module cannot be loaded, or has no such function.
    """
    return _load(reference.domain)


def _load(path: Path) -> Domain:
    name = f"kcb_domain_{digest(str(path).encode())[:16]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise DeclarationError(f"{path}: is no Python module")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    try:
        spec.loader.exec_module(module)
        found: Domain = module.answer
    except (OSError, SyntaxError, ImportError, AttributeError) as error:
        raise DeclarationError(f"{path}: cannot be used as a reference: {error}") from error
    return found


def inputs(family: Family, count: int) -> Iterator[dict[str, Json]]:
    """Inputs on which the two are compared: cases, edges of every field, and drawn ones.

    Half of the drawn inputs are valid, from many seeds; half are valid ones with one place damaged.

    Args:
        family: whose contract it is.
        count: how many inputs are drawn.
    """
    yield from (case.input for case in (family.golden, *family.boundaries, *family.examples))
    yield from family.malformed
    base = family.examples[0].input
    for field in family.fields:
        yield {name: value for name, value in base.items() if name != field.name}
        for probes in (field.shape.violations(), field.shape.extremes()):
            yield from ({**base, field.name: v} for v in islice(probes, _PROBES_PER_FIELD))
    seeds = range(5000, 5000 + -(-count // (2 * _PER_SEED)))
    valid = [one for seed in seeds for one in generated_inputs(family, seed, _PER_SEED)]
    yield from valid
    rng = random.Random(family.name)
    pool = [*_SPICE, *(value for one in valid[:40] for value in one.values())]
    for _ in range(count // 2):
        yield _damaged(rng, rng.choice(valid), pool)


def disagreements(family: Family, reference: Reference, count: int) -> Iterator[Disagreement]:
    """Every input on which a family and its reference differ; see :func:`inputs`."""
    domain = load_domain(reference)
    for fields in inputs(family, count):
        expected = answer(family, copy.deepcopy(fields))
        given = copy.deepcopy(fields)
        try:
            received = domain(given)
        except Exception as error:  # noqa: BLE001 - a reference that raises disagrees
            received = {"raised": repr(error)}
        if given != fields:
            received = {"raised": "it changed its input"}
        if not same(expected, received):
            yield Disagreement(input=fields, family=expected, reference=received)


def _damaged(rng: random.Random, fields: dict[str, Json], pool: list[Json]) -> dict[str, Json]:
    """A copy of an input with one place changed, at any depth."""
    whole = copy.deepcopy(fields)
    box: Json = None
    key: Any = None
    here: Json = whole
    while isinstance(here, dict | list) and here and (box is None or rng.random() < 0.8):
        box, key = here, rng.choice(list(here) if isinstance(here, dict) else range(len(here)))
        here = box[key]
    if box is not None:
        _damage(rng, box, key, pool)
    return whole


def _damage(rng: random.Random, box: Json, key: Any, pool: list[Json]) -> None:
    value, how = box[key], rng.random()
    if how < 0.15:
        del box[key]
    elif how < 0.25 and isinstance(box, list):
        box.append(copy.deepcopy(value))
    elif how < 0.6 and isinstance(value, str):
        at = rng.randint(0, len(value))
        inserted = value[:at] + rng.choice(_ODD) + value[at:]
        box[key] = rng.choice([value[:at], value[at:], inserted, value + value, value.upper(), ""])
    elif how < 0.75 and type(value) is int:
        changed = rng.choice([value + 1, value - 1, -value, 0, value * 2])
        box[key] = max(-MAX_INTEGER, min(MAX_INTEGER, changed))
    else:
        box[key] = copy.deepcopy(rng.choice(pool))
