"""The tasks by which all arms of a comparison are measured."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kcb_core.ids import TaskId
from kcb_score.compare.arm import Arm
from kcb_score.denominator import Denominator


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Tasks by tier: by id where they are known, else by number."""

    tasks: Mapping[str, tuple[str, ...]]
    """Ids by tier, the lowest tier first."""
    unnamed: Mapping[str, int]
    """Number of further tasks by tier, of which no arm has a report and no dataset the id."""

    @property
    def ids(self) -> tuple[str, ...]:
        """All ids, tier by tier."""
        return tuple(task for tasks in self.tasks.values() for task in tasks)

    @property
    def further(self) -> int:
        """Number of all tasks without an id."""
        return sum(self.unnamed.values())


def measured(denominator: Denominator, arms: Iterable[Arm]) -> Measured:
    """All tasks that count; without the dataset, those that any arm has a report of, by id."""
    if denominator.tasks is not None:
        return Measured(tasks=denominator.tasks, unnamed={})
    reported = sorted({task for arm in arms for run in arm.runs for task in run}, key=TaskId.read)
    tasks = {
        tier: tuple(task for task in reported if TaskId.read(task).tier == tier)
        for tier in denominator.totals
    }
    return Measured(
        tasks=tasks,
        unnamed={tier: denominator.totals[tier] - len(ids) for tier, ids in tasks.items()},
    )
