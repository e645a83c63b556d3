"""From a grade to a task report: the same document as for tasks of a dataset."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from kcb_core.canary import CANARY
from kcb_core.execution import Verification
from kcb_core.ids import WHOLE
from kcb_core.provenance import revision
from kcb_core.report import (
    REPORT_KIND,
    REPORT_VERSION,
    Confinement,
    DatasetStamp,
    Failure,
    FailureKind,
    Outcome,
    Play,
    ScenarioOutcome,
    ScenarioReport,
    TaskReport,
    Void,
    VoidCause,
)
from kcb_core.submission import Submission
from kcb_runner.judging import now_label, source_stamp
from kcb_runner.machine import host
from kcb_runner.report import how_made
from kcb_runner.sandbox.sandbox import AGENT
from kcb_suites.grading import TIMEOUT_S, Grade
from kcb_suites.manifest import SuiteTask

EVALUATOR = "kcb-suites"
PROTOCOL = "grader 1"
"""The contract between a grader and whoever calls it."""

SCENARIO = "grader"
LAUNCHER = "sandbox"

_OUTCOMES = {Outcome.RESOLVED: ScenarioOutcome.PASSED, Outcome.FAILED: ScenarioOutcome.FAILED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Grading:
    """One workspace that was judged."""

    task: SuiteTask
    suite: DatasetStamp
    grade: Grade
    submission: Submission | None
    """Its files; None if they break a rule, so that nothing was graded."""
    confinement: Confinement
    jobs: int
    plugins: Mapping[str, str]


def rejected(reason: str) -> Grade:
    """The grade of a workspace whose files break a rule."""
    return Grade(outcome=Outcome.FAILED, kind=FailureKind.REJECTED, reasons=(reason,))


def compose(grading: Grading, asked: Verification) -> TaskReport:
    """The report of one workspace.

    A grader gives one verdict, which is the one assertion of the one scenario of its task; what it
    names as wrong stands there line by line.
    """
    grade, task = grading.grade, grading.task
    record, notes = how_made(asked.making, grading.submission)
    failure = _failure(grade)
    return TaskReport(
        kind=REPORT_KIND,
        report_version=REPORT_VERSION,
        task_id=task.id,
        subset=WHOLE,
        family=task.id,
        category=task.tags[0] if task.tags else "",
        dataset=grading.suite,
        protocol_version=PROTOCOL,
        evaluator=revision(EVALUATOR),
        plugins=dict(grading.plugins),
        outcome=grade.outcome,
        failure=failure,
        void=_voids(grade)[-1] if grade.outcome is Outcome.VOID else None,
        voids=_voids(grade),
        passed=int(grade.passed),
        total=1,
        scenarios=_scenarios(grading, failure),
        source=source_stamp(grading.submission) if grading.submission else None,
        subject=asked.subject,
        repetition=asked.repetition,
        launcher=LAUNCHER,
        confinement=grading.confinement,
        limits=msgspec.structs.replace(AGENT.limits, session_s=TIMEOUT_S),
        host=host(),
        jobs=grading.jobs,
        wall_s=grade.wall_s,
        finished=now_label(),
        notes=notes,
        **record,
        canary=CANARY,
    )


def _failure(grade: Grade) -> Failure | None:
    if grade.outcome is not Outcome.FAILED:
        return None
    kind = grade.kind if isinstance(grade.kind, FailureKind) else FailureKind.WRONG_RESPONSE
    more = len(grade.reasons) - 1
    first = grade.reasons[0] if grade.reasons else "the grader gave no reason"
    return Failure(kind=kind, reason=f"{first} (and {more} more)" if more > 0 else first)


def _voids(grade: Grade) -> tuple[Void, ...]:
    cause = grade.cause if isinstance(grade.cause, VoidCause) else VoidCause.MACHINE
    return tuple(Void(cause=cause, reason=reason) for reason in grade.voids)


def _scenarios(grading: Grading, failure: Failure | None) -> tuple[ScenarioReport, ...]:
    """The grading as a scenario; none where there was no verdict of a grader."""
    grade = grading.grade
    if grade.outcome is Outcome.VOID or isinstance(grade.kind, FailureKind):
        return ()
    play = Play(
        failure=failure,
        wall_s=grade.wall_s,
        passed=int(grade.passed),
        stderr_tail=grade.stderr,
        stderr_bytes=len(grade.stderr.encode()),
    )
    return (
        ScenarioReport(
            name=SCENARIO,
            tags=grading.task.tags,
            outcome=_OUTCOMES[grade.outcome],
            passed=int(grade.passed),
            total=1,
            failure=failure,
            problems=grade.reasons,
            plays=(play,),
        ),
    )
