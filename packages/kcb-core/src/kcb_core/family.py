"""A family: one domain with its rules, around which every tier builds a task.

A family is data and two functions. It knows nothing of tiers, prompts, scenarios or reports.
"""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from kcb_core.codec import Json
from kcb_core.errors import DeclarationError
from kcb_core.ids import DATASET_NAME, SLUG
from kcb_core.shape import Field
from kcb_core.vocabulary import ERRORS

RESERVED_CODES = frozenset(ERRORS)
"""Error codes of the protocol, which no contract may use for its own."""

_CODE = re.compile(r"[a-z][a-z0-9_]*")


class DomainError(Exception):
    """Raised by a family's ``evaluate`` to answer with an error of its contract.

    It is part of an answer and no fault of the program, so it stands outside the error tree.

    Attributes:
        code: one of the codes that the family declares.
    """

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(code)


class Difficulty(StrEnum):
    """How demanding the domain of a family is."""

    STRAIGHTFORWARD = "straightforward"
    MEDIUM = "medium"
    DEMANDING = "demanding"


@dataclass(frozen=True, slots=True)
class ErrorCode:
    """One error of a contract."""

    code: str
    """What the answer carries."""
    when: str
    """The condition, as a sentence for the contract."""


@dataclass(frozen=True, slots=True)
class Case:
    """An input together with the answer to it, worked out by hand."""

    input: dict[str, Json]
    """The value of ``input`` in a request."""
    result: Json = None
    """The result, unless :attr:`error` is given."""
    error: str | None = None
    """The code of the contract's error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """One domain: its contract in words, its rules in code, and cases worked out by hand."""

    number: int
    """Its number in its dataset, 1 to 999."""
    slug: str
    """Its name in its dataset, such as ``word-frequency``."""
    title: str
    """Its name for people."""
    category: str
    """The slug of its category, such as ``text-processing``."""
    difficulty: Difficulty
    """How demanding the domain is."""
    dataset: str = "kcb"
    """The dataset it belongs to; ``kcb`` is reserved for the shipped one."""

    summary: str
    """Contract: what is computed, in Markdown."""
    fields: tuple[Field, ...]
    """Contract: the input fields, in the order in which faults are reported."""
    result: str
    """Contract: what the result holds, in Markdown."""
    errors: tuple[ErrorCode, ...] = ()
    """Contract: its own errors, in order of precedence."""
    precedence: str = "The first error of this list that applies is the answer."
    """Contract: how its own errors rank among each other."""
    rules: str = ""
    """Contract: further rules, in Markdown."""

    evaluate: Callable[[Mapping[str, Any]], Json]
    """The result for fields that have all been checked and whose defaults are filled in.

    It raises :class:`DomainError` for an error of the contract, and changes nothing it is given.
    """
    generate: Callable[[random.Random], dict[str, Json]]
    """An input drawn with this generator; over many draws it reaches every rule and error."""

    golden: Case
    """One case written by hand, independent of ``evaluate`` and ``generate``."""
    boundaries: tuple[Case, ...] = ()
    """Further cases written by hand, at the edges of the rules."""
    examples: tuple[Case, Case]
    """The two examples of the prompt: a result, and an error of the contract (or of a field)."""
    malformed: tuple[dict[str, Json], ...] = field(default=())
    """Inputs with an invalid field of the kind that this domain invites."""

    def __post_init__(self) -> None:
        if not (1 <= self.number <= 999 and SLUG.fullmatch(self.slug)):
            raise DeclarationError(f"family {self.slug!r}: number 1 to 999 and a slug are needed")
        if not DATASET_NAME.fullmatch(self.dataset):
            raise DeclarationError(f"family {self.slug!r}: dataset {self.dataset!r} is no name")
        for error in self.errors:
            if error.code in RESERVED_CODES or not _CODE.fullmatch(error.code):
                raise DeclarationError(
                    f"family {self.slug!r}: error code {error.code!r} is reserved or misspelt"
                )

    @property
    def name(self) -> str:
        """Its name among all families: dataset and slug."""
        return f"{self.dataset}/{self.slug}"


def answer(family: Family, fields: dict[str, Json]) -> dict[str, Json]:
    """What ``evaluate`` answers for an input, by the rules that all contracts share.

    Missing fields come first, then invalid ones, both in the order of the contract; then the
    contract itself. The input is left as it is.

    Args:
        family: whose contract it is.
        fields: the value of ``input``.

    Returns:
        ``{"result": …}``, or ``{"error": {"code": …}}`` with ``field`` for the two field errors.
    """
    for member in family.fields:
        if member.required and member.name not in fields:
            return _error("missing_field", member.name)
    for member in family.fields:
        if member.name in fields and not member.shape.admits(fields[member.name]):
            return _error("invalid_field", member.name)
    given = {m.name: copy.deepcopy(m.default) for m in family.fields if m.has_default}
    given |= {m.name: fields[m.name] for m in family.fields if m.name in fields}
    try:
        return {"result": family.evaluate(given)}
    except DomainError as error:
        return {"error": {"code": error.code}}


def generated_inputs(family: Family, seed: int, count: int) -> list[dict[str, Json]]:
    """The inputs that a seed gives for a family, the same on every host and interpreter.

    Args:
        family: whose generator is asked.
        seed: the seed of the dataset.
        count: how many inputs.
    """
    return [
        family.generate(random.Random(f"{seed}/{family.name}/{index}")) for index in range(count)
    ]


def _error(code: str, field_name: str) -> dict[str, Json]:
    return {"error": {"code": code, "field": field_name}}
