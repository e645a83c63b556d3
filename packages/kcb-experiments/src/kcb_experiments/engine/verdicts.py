"""Has judged what a subject left, now or in a later run, and says what the attempt comes to."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from kcb_core.console import plain
from kcb_core.errors import MachineError
from kcb_core.execution import Verdict, Verification
from kcb_experiments.amount import Amount
from kcb_experiments.attempts import Attempt
from kcb_experiments.cells import Cell
from kcb_experiments.conclusion import Conclusion, Course, conclude
from kcb_experiments.engine.artifacts import REPORT_NAME, attempt_folder, files_of
from kcb_experiments.engine.makings import making_of
from kcb_experiments.engine.orders import PROJECT_NAME
from kcb_experiments.engine.room import raise_if_full
from kcb_experiments.engine.workshop import Workshop
from kcb_experiments.records import Artifact, AttemptEnd, Cause, Generated, Status

DONE = "done"
"""The one stop reason by which a subject says that it has done what it was asked for."""

MAX_REASON = 500


class UnjudgedAttempt:
    """An attempt of a writer that is gone, which lacks a verdict and nothing else.

    Nobody is asked or paid, so that it needs no budget: what it has cost is charged already.
    """

    def __init__(self, workshop: Workshop, cell: Cell, attempt: Attempt) -> None:
        self.cell = cell
        self.last_sign = time.monotonic()
        """When it was last heard of, on the monotonic clock."""
        self._workshop = workshop
        self._attempt = attempt

    def run(self) -> AttemptEnd | None:
        """Have it judged; None if everything was to end before.

        Raises:
            MachineError: the disk is full, or the log cannot be written any more.
        """
        try:
            end = verdict_on(self._workshop, self.cell, self._attempt)
            return self._workshop.log.append(end) if end else None
        finally:
            self._workshop.budget.settle(self.cell.id, Amount())


def verdict_on(workshop: Workshop, cell: Cell, attempt: Attempt) -> AttemptEnd | None:
    """The end of an attempt whose subject has had its turn; None if everything was to end before.

    An attempt without an end is judged by the next run.

    Raises:
        MachineError: the disk is full.
    """
    generated, start = attempt.generated, attempt.start
    assert generated is not None
    place = attempt_folder(workshop.folder, cell.key, start.term, start.attempt)
    verdict, cause = _verdict(workshop, cell, attempt, place / REPORT_NAME)
    if verdict.score is None and workshop.stopped():
        return None
    course = course_of(generated, admitted=attempt.requests, score=verdict.score)
    conclusion = Conclusion(status=Status.VOID, cause=cause) if cause else conclude(course)
    return end_of(
        generated,
        conclusion,
        generated.reason or verdict.reason,
        artifacts=files_at(place, workshop.folder, generated),
        begun_in=start.term if start.term != workshop.log.term else 0,
        verifier=workshop.verifier.stamp if verdict.score is not None else "",
    )


def _verdict(
    workshop: Workshop, cell: Cell, attempt: Attempt, report: Path
) -> tuple[Verdict, Cause | None]:
    """What the verifier says; a fault of its own is none of the subject.

    Raises:
        MachineError: the disk is full.
    """
    try:
        return workshop.verifier.verify(_verification(workshop, cell, attempt, report)), None
    except MachineError as error:
        raise_if_full(error, workshop.folder)
        return Verdict(score=None, reason=str(error)), Cause.INFRASTRUCTURE
    except Exception as error:  # noqa: BLE001 - as said above
        raise_if_full(error, workshop.folder)
        reason = f"unexpected {type(error).__name__}: {error}"
        return Verdict(score=None, reason=reason), Cause.UNKNOWN


def _verification(workshop: Workshop, cell: Cell, attempt: Attempt, report: Path) -> Verification:
    """What the verifier is asked; errors as in :func:`making_of`."""
    generated = attempt.generated
    assert generated is not None
    record = workshop.folder / generated.making if generated.making else None
    return Verification(
        task_id=cell.task_id,
        project=workshop.folder / generated.project if generated.project else None,
        report=report,
        subject=cell.subject,
        repetition=cell.repetition,
        record=record,
        making=making_of(workshop.experiment.subject_at(cell), attempt, record),
    )


def course_of(generated: Generated, *, admitted: int, score: float | None) -> Course:
    """What was seen of a subject that has had its turn."""
    stop_reason = generated.stop_reason
    return Course(
        timed_out=generated.timed_out,
        killed=generated.killed,
        returned=generated.returned,
        succeeded=stop_reason == DONE if stop_reason else None,
        stop_reason=stop_reason,
        admitted=admitted,
        score=score,
    )


def files_at(place: Path, folder: Path, generated: Generated) -> tuple[Artifact, ...]:
    """All that an attempt has left on disk by now: its project first.

    Args:
        place: the attempt's folder.
        folder: the experiment's folder.
        generated: what its subject left.
    """
    kept = (generated.kept,) if isinstance(generated.kept, Artifact) else ()
    return kept + tuple(files_of(place, folder, without=place / PROJECT_NAME))


def end_of(
    generated: Generated,
    conclusion: Conclusion,
    reason: str,
    *,
    artifacts: tuple[Artifact, ...],
    begun_in: int = 0,
    verifier: str = "",
) -> AttemptEnd:
    """The end record of an attempt.

    Args:
        generated: what is known of its subject's turn.
        conclusion: what it comes to.
        reason: what went wrong, if anything did.
        artifacts: its files.
        begun_in: the term of the writer that began it, if that is another one.
        verifier: what judged it, with its version, if anything did.
    """
    return AttemptEnd(
        cell=generated.cell,
        attempt=generated.attempt,
        begun_in=begun_in,
        status=conclusion.status,
        cause=conclusion.cause or msgspec.UNSET,
        score=msgspec.UNSET if conclusion.score is None else conclusion.score,
        reason=told(reason),
        stop_reason=generated.stop_reason,
        duration_s=generated.duration_s,
        waited_s=generated.waited_s,
        usage=generated.usage,
        spent=generated.spent,
        cost_at_least=generated.cost_at_least,
        artifacts=artifacts,
        verifier=verifier,
        deployment=generated.deployment,
        suspended=generated.suspended,
        clock_s=time.monotonic(),
        at=label(),
    )


def told(reason: str) -> str:
    """A reason as one line of bounded length, without control characters."""
    return " ".join(plain(reason).split())[:MAX_REASON]


def label() -> str:
    """This moment as ISO 8601 in UTC; a label, by which nothing is ordered."""
    return datetime.now(UTC).isoformat(timespec="seconds")
