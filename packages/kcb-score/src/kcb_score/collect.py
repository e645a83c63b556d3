"""From reports to one collection: all comparable, no two of the same project.

Nothing is counted here. Whatever gets a score went through :func:`collect`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from kcb_core.errors import DeclarationError
from kcb_core.report import Outcome, TaskReport
from kcb_core.score import SupersededVoid
from kcb_score.agreement import require_agreement
from kcb_score.reading import Filed, check_report

Project = tuple[str, int, str]
"""Subject, repetition and task: what a report is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """Reports that may be scored together. Build one with :func:`collect`."""

    filed: tuple[Filed, ...] = ()
    """By subject, repetition and task; never two of the same."""
    superseded: tuple[SupersededVoid, ...] = ()
    """Projects of which void reports were not counted, since another report stands for them."""

    @property
    def reports(self) -> tuple[TaskReport, ...]:
        """The reports, in the same order."""
        return tuple(filed.report for filed in self.filed)


def collect(filed: Iterable[Filed]) -> Collection:
    """Reports as one collection, in whatever order they come.

    A void report says nothing of a project, so any other report of the same project stands for it,
    and one void report for several. Two reports that do say something are refused: to choose
    between them would be best-of-n under the name of resolve@1.

    Raises:
        DataError: a report cannot be scored, or two reports are not comparable.
        DeclarationError: two reports are of the same project.
    """
    given = sorted(filed, key=lambda one: one.source)
    for one in given:
        check_report(one)
    require_agreement(given)
    groups: dict[Project, list[Filed]] = defaultdict(list)
    for one in given:
        groups[_project(one.report)].append(one)
    chosen = {project: _the_one(groups[project]) for project in sorted(groups)}
    return Collection(
        filed=tuple(chosen.values()),
        superseded=tuple(
            _superseded(one.report, len(groups[project]) - 1)
            for project, one in chosen.items()
            if len(groups[project]) > 1
        ),
    )


def _project(report: TaskReport) -> Project:
    return report.subject, report.repetition, report.task_id


def _the_one(group: list[Filed]) -> Filed:
    """The report that counts among all of one project; the list is sorted by source."""
    telling = [one for one in group if one.report.outcome is not Outcome.VOID]
    if len(telling) > 1:
        first, second = telling[:2]
        report = first.report
        subject = f"subject {report.subject!r}" if report.subject else "no subject"
        raise DeclarationError(
            f"{first.source} and {second.source} both report {report.task_id}, {subject}, "
            f"repetition {report.repetition}; to choose one would be best-of-n: keep one project "
            "a task, or evaluate further ones with --repetition"
        )
    return (telling or group)[0]


def _superseded(report: TaskReport, voids: int) -> SupersededVoid:
    return SupersededVoid(
        task_id=report.task_id,
        subject=report.subject,
        repetition=report.repetition,
        voids=voids,
        outcome=report.outcome,
    )
