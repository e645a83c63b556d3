"""Looks for an input to which a surviving domain answers otherwise than the reference.

Whoever finds one has found a case that is missing in the tests. That none is found is no proof, but
it is evidence for what the list of equivalents says.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Iterable
from functools import cache
from types import ModuleType

from kcb_core.catalog import load_catalog
from kcb_core.codec import Json, ascii_line
from kcb_core.equality import same
from kcb_core.family import Family
from kcb_references.agreement import inputs
from kcb_references.mutants.fork import forked

DRAWN = 2_000
"""Inputs that are drawn for each survivor, besides all cases and edges of its family."""

LIMIT_S = 20.0
"""CPU time for each survivor in seconds."""

_NONE = b"-"

Answer = Callable[[dict[str, Json]], Json]


def witness(name: str, reference: str, mutant: str, drawn: int = DRAWN) -> str:
    """The shortest input found that tells a mutant from its reference, as JSON; empty if none is.

    Args:
        name: the family's name among all.
        reference: the text of the reference.
        mutant: the text of the mutant.
        drawn: how many inputs are drawn.

    Raises:
        MachineError: the search failed.
    """
    family = _families().get(name)
    if family is None:
        return ""

    def search() -> bytes:
        answers = (_loaded("reference", reference), _loaded("mutant", mutant))
        telling = _telling(inputs(family, drawn), *answers)
        return min(map(ascii_line, telling), key=len, default="").encode() or _NONE

    said = forked(search, LIMIT_S).said
    return "" if said in (b"", _NONE) else said.decode()


@cache
def _families() -> dict[str, Family]:
    return {family.name: family for family in load_catalog().families()}


def _loaded(name: str, text: str) -> Answer:
    """The function ``answer`` of a domain, as a module of this process."""
    module = ModuleType(name)
    sys.modules[name] = module  # dataclasses look their module up
    exec(compile(text, f"{name}.py", "exec", dont_inherit=True), module.__dict__)
    found: Answer = module.answer
    return found


def _telling(
    offered: Iterable[dict[str, Json]], reference: Answer, mutant: Answer
) -> Iterable[dict[str, Json]]:
    """Those inputs to which the two give different answers."""
    for fields in offered:
        expected = reference(copy.deepcopy(fields))
        try:
            received = mutant(copy.deepcopy(fields))
        except Exception:  # noqa: BLE001 - a mutant that raises gives no answer
            received = None
        if not same(expected, received):
            yield fields
