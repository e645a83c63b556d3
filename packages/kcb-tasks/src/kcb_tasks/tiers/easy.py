"""What an easy program does: evaluate an input by the family's contract."""

from __future__ import annotations

from functools import partial

from kcb_core.codec import Json
from kcb_core.family import Family, answer
from kcb_tasks.tiers.layer import ServiceTier
from kcb_tasks.tiers.protocol import Failure, Operation, Operations, Parameter, is_object
from kcb_tasks.tiers.state import State


def operations(family: Family) -> Operations:
    """The operation of the easy tier.

    Args:
        family: whose contract ``evaluate`` follows.
    """
    return {
        "evaluate": Operation(
            (Parameter("input", is_object, required=True),), partial(_evaluate, family)
        )
    }


def judged(family: Family, fields: dict[str, Json]) -> Json:
    """The result that the contract gives for some fields.

    Raises:
        Failure: the contract gives an error.
    """
    answered = answer(family, fields)
    if "error" in answered:
        raise Failure(**answered["error"])
    return answered["result"]


def _evaluate(family: Family, state: State, request: dict[str, Json]) -> tuple[State, Json]:
    return state, judged(family, request["input"])


BLOCKS = ("requests.md",)
"""Blocks of the prompt after the *Program* block."""

EASY = ServiceTier(
    name="easy",
    rank=0,
    target_model_parameters="2-8B",
    blocks=BLOCKS,
    operations=operations,
    joined=20,
)
"""One operation, and a program that keeps working after errors."""
