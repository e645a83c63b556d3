"""Names of tasks, which print and parse: ``kcb-easy-001-word-frequency``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kcb_core.errors import DeclarationError

SHIPPED_DATASET = "kcb"
"""The dataset name that only the shipped families may use."""

DATASET_NAME = re.compile(r"[a-z][a-z0-9]{0,31}")
TIER_NAME = re.compile(r"[a-z]{1,32}")
SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")

_TASK_ID = re.compile(
    rf"({DATASET_NAME.pattern})-({TIER_NAME.pattern})-((?!000)[0-9]{{3}})-({SLUG.pattern})"
)


@dataclass(frozen=True, slots=True, order=True)
class TaskId:
    """The name of one task: which dataset, tier and family it is."""

    dataset: str
    """Name of the dataset, ``kcb`` for the shipped one."""
    tier: str
    """Name of the tier."""
    number: int
    """Number of the family in its dataset, 1 to 999."""
    slug: str
    """Name of the family in its dataset."""

    def __str__(self) -> str:
        return f"{self.dataset}-{self.tier}-{self.number:03d}-{self.slug}"

    @classmethod
    def parse(cls, text: str) -> TaskId:
        """The id that this text prints.

        Raises:
            DeclarationError: the text has not the shape of a task id.
        """
        match = _TASK_ID.fullmatch(text)
        if not match or len(text) > 120:
            raise DeclarationError(
                f"{text[:120]!r} is no task id; one looks like kcb-easy-001-word-frequency"
            )
        return cls(match[1], match[2], int(match[3]), match[4])
