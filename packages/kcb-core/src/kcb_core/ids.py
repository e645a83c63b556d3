"""Names of tasks, which print and parse: ``kcb-easy-001-word-frequency``.

A task of a set without tiers and families, such as a suite, has a plain name of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from kcb_core.errors import DeclarationError

SHIPPED_DATASET = "kcb"
"""The dataset name that only the shipped families may use."""

DATASET_NAME = re.compile(r"[a-z][a-z0-9]{0,31}")
TIER_NAME = re.compile(r"[a-z]{1,32}")
SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")

WHOLE = "suite"
"""Stands for the tier of all tasks of a set that has none."""

_LONGEST = 120

_TASK_ID = re.compile(
    rf"({DATASET_NAME.pattern})-({TIER_NAME.pattern})-((?!000)[0-9]{{3}})-({SLUG.pattern})"
)


@dataclass(frozen=True, slots=True, order=True)
class TaskId:
    """The name of one task: which dataset, tier and family it is."""

    dataset: str
    """Name of the dataset, ``kcb`` for the shipped one; empty if a plain name does not say it."""
    tier: str
    """Name of the tier, :data:`WHOLE` for a plain name."""
    number: int
    """Number of the family in its dataset, 1 to 999; 0 for a plain name."""
    slug: str
    """Name of the family in its dataset; a plain name is the whole of it, a family of one."""

    def __str__(self) -> str:
        if not self.dataset:
            return self.slug
        return f"{self.dataset}-{self.tier}-{self.number:03d}-{self.slug}"

    @classmethod
    def parse(cls, text: str) -> TaskId:
        """The id that this text prints.

        Raises:
            DeclarationError: the text has not the shape of a task id.
        """
        match = _TASK_ID.fullmatch(text)
        if not match or len(text) > _LONGEST:
            raise DeclarationError(
                f"{text[:_LONGEST]!r} is no task id; one looks like kcb-easy-001-word-frequency"
            )
        return cls(match[1], match[2], int(match[3]), match[4])

    @classmethod
    def read(cls, text: str) -> TaskId:
        """The id of a task from anywhere: of a dataset, or the plain name of one in a suite.

        Raises:
            DeclarationError: the text has the shape of neither.
        """
        if len(text) <= _LONGEST and SLUG.fullmatch(text) and not _TASK_ID.fullmatch(text):
            return cls("", WHOLE, 0, text)
        return cls.parse(text)

    @classmethod
    def within(cls, text: str, tiers: Iterable[str]) -> TaskId:
        """The id of a task of a set with these tiers: a plain name only where it has none.

        Raises:
            DeclarationError: the text has not the shape of one.
        """
        return cls.read(text) if WHOLE in tiers else cls.parse(text)
