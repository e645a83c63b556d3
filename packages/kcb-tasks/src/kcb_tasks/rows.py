"""One family in several tiers as rows: the lines of the data files, with what is said of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from kcb_core.dataset import encode_record
from kcb_core.family import Family
from kcb_core.tier import Tier
from kcb_core.vocabulary import SHIPPED, Vocabulary
from kcb_tasks.cases import check_cases
from kcb_tasks.recall import with_recall
from kcb_tasks.task import build_task


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A task as it is stored; unlike a family it can be sent from one process to another."""

    task_id: str
    """Its name."""
    scenarios: int
    """How many scenarios judge a solution."""
    assertions: int
    """How many responses judge a solution."""
    line: bytes
    """Its line in the data file of its tier, with the line end."""


Rows = tuple[Row, ...]
"""The rows of one family, one a tier in the order given."""

Work = Callable[[Sequence[Family], Sequence[Tier], int, Vocabulary], Iterator[Rows]]
"""Gives the rows of families in their order, for some tiers, a seed and a vocabulary."""


def build_rows(
    family: Family, tiers: Iterable[Tier], seed: int, vocabulary: Vocabulary = SHIPPED
) -> Rows:
    """The tasks of a family in some tiers, once its cases have been checked.

    Args:
        family: the domain.
        tiers: the kinds of program to ask for.
        seed: the seed of the generated inputs.
        vocabulary: what the names on the wire are called.

    Raises:
        DeclarationError: the family disagrees with its own cases, or its scenarios leave a part of
            its contract untouched.
    """
    check_cases(family)
    recalling = with_recall(family)
    return tuple(_row(recalling, tier, seed, vocabulary) for tier in tiers)


def in_turn(
    families: Sequence[Family], tiers: Sequence[Tier], seed: int, vocabulary: Vocabulary
) -> Iterator[Rows]:
    """Build one family after the other in this process."""
    for family in families:
        yield build_rows(family, tiers, seed, vocabulary)


def _row(family: Family, tier: Tier, seed: int, vocabulary: Vocabulary) -> Row:
    task = build_task(family, tier, seed, vocabulary)
    return Row(
        task_id=task.task_id,
        scenarios=task.scenarios,
        assertions=task.assertions,
        line=encode_record(task),
    )
