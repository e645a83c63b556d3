"""From a judgement to the report that is stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from kcb_core.canary import CANARY
from kcb_core.provenance import revision
from kcb_core.report import (
    REPORT_VERSION,
    Calibration,
    Confinement,
    DatasetStamp,
    Failure,
    FailureKind,
    Host,
    Outcome,
    TaskReport,
)
from kcb_core.run_record import Making, RunRecord, missing_fields
from kcb_core.submission import Submission
from kcb_core.task import Task
from kcb_runner.judging import Bench, Judgement, now_label, source_stamp
from kcb_runner.machine import host

EVALUATOR = "kcb-runner"


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """What a report says beside the judgement, the same for all tasks of one run."""

    dataset: DatasetStamp
    bench: Bench
    jobs: int = 1
    calibration: Calibration | None = None
    subject: str = ""
    repetition: int = 0
    public_only: bool = False
    training: bool = False
    plugins: Mapping[str, str] = field(default_factory=dict)
    validation_receipt: str = ""


def rejected(reason: str, total: int) -> Judgement:
    """The judgement of a project whose files break a rule; nothing was started."""
    return Judgement(
        outcome=Outcome.FAILED,
        failure=Failure(kind=FailureKind.REJECTED, reason=reason),
        total=total,
    )


def compose(
    task: Task,
    judgement: Judgement,
    submission: Submission | None,
    about: Circumstances,
    making: Making | None = None,
) -> TaskReport:
    """The report of one judgement.

    Args:
        task: what was judged by.
        judgement: what came of it.
        submission: what was judged; None if it was rejected before it could be read.
        about: dataset, machine and caller.
        making: how the project was made, if the caller says so.
    """
    bench = about.bench
    confinement = bench.launcher.confinement()
    record, notes = how_made(making, submission)
    return TaskReport(
        kind="task-report",
        report_version=REPORT_VERSION,
        task_id=task.task_id,
        subset=task.subset,
        family=task.family,
        category=task.category,
        dataset=about.dataset,
        protocol_version=task.protocol_version,
        evaluator=revision(EVALUATOR),
        plugins=dict(about.plugins),
        outcome=judgement.outcome,
        failure=judgement.failure,
        void=judgement.void,
        voids=judgement.voids,
        passed=judgement.passed,
        total=judgement.total,
        scenarios=judgement.scenarios,
        source=source_stamp(submission) if submission else None,
        subject=about.subject,
        repetition=about.repetition,
        public_only=about.public_only,
        training=about.training,
        launcher=bench.launcher.name,
        confinement=confinement,
        limits=msgspec.structs.replace(bench.limits, session_s=task.timeout_seconds),
        host=_host_of(confinement),
        jobs=about.jobs,
        calibration=about.calibration,
        wall_s=judgement.wall_s,
        cpu_s=judgement.cpu_s,
        finished=now_label(),
        notes=judgement.notes + notes,
        validation_receipt=about.validation_receipt,
        **record,
        canary=CANARY,
    )


def _host_of(confinement: Confinement) -> Host:
    """This machine, with the Python that ran the candidate."""
    return msgspec.structs.replace(host(), python=confinement.python or host().python)


def how_made(
    making: Making | None, submission: Submission | None
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The run record with the fields it lacks, as a report holds both, and what is to be noted.

    The record is marked if the project is no longer the one that was made.
    """
    if making is None:
        return {}, ()
    made, judged = making.source_sha256, submission.sha256 if submission else ""
    if not made or made == judged:
        return _recorded(making.record), ()
    changed = msgspec.structs.replace(making.record, hand_corrected=True)
    note = "the project was changed after it was generated: its source hash differs"
    return _recorded(changed), (note,)


def _recorded(record: RunRecord) -> dict[str, Any]:
    return {
        "run_record": msgspec.to_builtins(record),
        "missing_fields": missing_fields(record),
    }
