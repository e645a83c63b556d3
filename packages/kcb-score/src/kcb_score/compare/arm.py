"""One subject in a comparison: what became of its projects, by repetition and task."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from kcb_score.compare.comparison import ArmSummary

MISSING = "missing"
"""Stands for the kind of failure of a task without a report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What became of one project."""

    resolved: bool | None
    """Whether it counts as resolved; nothing if the report is void."""
    failure: str = ""
    """Kind of the failure, if it failed."""
    hand_corrected: bool = False
    """Whether it would be resolved had nobody corrected it by hand."""


_NOT_THERE = Result(resolved=False, failure=MISSING)

Run = Mapping[str, Result]
"""Results by task id: one repetition."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """One subject with its results."""

    name: str
    subject: str = ""
    runs: tuple[Run, ...]
    """One a repetition, at least one."""
    budgets: tuple[str, ...] = ()
    """Budgets that the run records name, sorted; an empty text where one names none."""

    def share(self, task_id: str) -> Fraction | None:
        """Share of a task's known results that resolved it; nothing if all are void.

        A repetition without a report of the task did not resolve it.
        """
        known = [one.resolved for one in self._results(task_id) if one.resolved is not None]
        return Fraction(sum(known), len(known)) if known else None

    def failure(self, task_id: str) -> str:
        """Kind of the first failure at a task, or nothing."""
        return next((one.failure for one in self._results(task_id) if one.failure), "")

    def tried(self, task_id: str) -> bool:
        """Whether any repetition has a report of a task."""
        return any(task_id in run for run in self.runs)

    def lacks(self, task_id: str) -> bool:
        """Whether a repetition has no report of a task."""
        return any(task_id not in run for run in self.runs)

    def summary(self, tasks: Iterable[str], unnamed: int) -> ArmSummary:
        """What was lost of it.

        Args:
            tasks: ids of the tasks by which it is measured.
            unnamed: number of further such tasks, of which no report is there.
        """
        held = [run.get(task, _NOT_THERE) for task in tasks for run in self.runs]
        held += [_NOT_THERE] * (unnamed * len(self.runs))
        missing = sum(one is _NOT_THERE for one in held)
        return ArmSummary(
            name=self.name,
            subject=self.subject,
            repetitions=len(self.runs),
            expected=len(held),
            resolved=sum(one.resolved is True for one in held),
            failed=sum(one.resolved is False for one in held) - missing,
            missing=missing,
            void=sum(one.resolved is None for one in held),
            hand_corrected=sum(one.hand_corrected for one in held),
            budgets=self.budgets,
        )

    def _results(self, task_id: str) -> list[Result]:
        return [run.get(task_id, _NOT_THERE) for run in self.runs]
