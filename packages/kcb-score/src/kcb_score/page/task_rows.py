"""The tasks of a page: one row each, with what every project of it came to."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from enum import StrEnum

from kcb_core.ids import TaskId
from kcb_core.page import PageData, SourcedReport
from kcb_core.report import Outcome, ScenarioOutcome, TaskReport

NEAR_SHARE = 0.95
"""Share of right assertions from which on a failed project is a near miss."""


class State(StrEnum):
    """What all projects of one subject for one task came to together."""

    RESOLVED = "resolved"
    SOME = "some"
    """Some of several projects resolved it."""
    NEAR = "near miss"
    FAILED = "failed"
    VOID = "void"
    MISSING = "missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One subject's projects for one task."""

    state: State
    reports: tuple[SourcedReport, ...] = ()
    """By repetition."""

    @property
    def share(self) -> float:
        """Right assertions of all that were judged, or 0."""
        judged = [s.report for s in self.reports if s.report.outcome is not Outcome.VOID]
        total = sum(report.total for report in judged)
        return sum(report.passed for report in judged) / total if total else 0.0

    @property
    def wall_s(self) -> float:
        """How long the evaluation of all took, in seconds."""
        return sum(sourced.report.wall_s for sourced in self.reports)

    @property
    def why(self) -> str:
        """The kind of the first failure, or the cause of the first void try."""
        for report in (sourced.report for sourced in self.reports):
            if _corrected(report):
                return "corrected by hand"
            if report.failure:
                return str(report.failure.kind).replace("_", " ")
            if report.void:
                return str(report.void.cause)
        return ""

    @property
    def topic(self) -> str:
        """The tags of the first scenario that did not pass, or its name."""
        for sourced in self.reports:
            for scenario in sourced.report.scenarios:
                if scenario.outcome is not ScenarioOutcome.PASSED:
                    return ", ".join(scenario.tags) or scenario.name
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskRow:
    """One task."""

    task_id: str
    tier: str
    number: int
    family: str
    category: str
    cells: tuple[Cell, ...]
    """One for each subject, in the order of the score."""


def task_rows(data: PageData) -> tuple[TaskRow, ...]:
    """Every task that any subject has a report of or is known to lack, by tier and number."""
    found: dict[str, dict[str, list[SourcedReport]]] = defaultdict(lambda: defaultdict(list))
    for sourced in data.reports:
        found[sourced.report.task_id][sourced.report.subject].append(sourced)
    subjects = data.score.subjects
    for subject in subjects:
        for run in subject.repetitions:
            for tally in run.tiers:
                for task_id in tally.missing_tasks:
                    found[task_id].setdefault(subject.subject, [])
    tiers = list(data.score.dataset.totals) if data.score.dataset else []
    categories = {s.report.family: s.report.category for s in data.reports}
    rows = (
        _row(TaskId.read(task_id), [by_subject.get(s.subject, []) for s in subjects], categories)
        for task_id, by_subject in found.items()
    )
    return tuple(sorted(rows, key=lambda row: (tiers.index(row.tier), row.number, row.task_id)))


def _row(task: TaskId, projects: list[list[SourcedReport]], categories: dict[str, str]) -> TaskRow:
    return TaskRow(
        task_id=str(task),
        tier=task.tier,
        number=task.number,
        family=task.slug,
        category=categories.get(task.slug, ""),
        cells=tuple(
            Cell(state=_state([s.report for s in reports]), reports=tuple(reports))
            for reports in projects
        ),
    )


def _state(reports: list[TaskReport]) -> State:
    outcomes = {Outcome.FAILED if _corrected(report) else report.outcome for report in reports}
    if not outcomes:
        return State.MISSING
    if outcomes == {Outcome.RESOLVED}:
        return State.RESOLVED
    if Outcome.RESOLVED in outcomes:
        return State.SOME
    if Outcome.FAILED not in outcomes:
        return State.VOID
    near = any(r.failure and r.total and r.passed >= NEAR_SHARE * r.total for r in reports)
    return State.NEAR if near else State.FAILED


def _corrected(report: TaskReport) -> bool:
    """Whether it would have resolved, had nobody changed the project by hand."""
    return report.outcome is Outcome.RESOLVED and report.run_record.get("hand_corrected") is True
