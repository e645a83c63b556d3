"""What an attempt comes to, from what the executor saw: statuses and scores apart.

A fault of the machine never becomes a zero, and a fault of the subject never becomes a retry.
"""

from __future__ import annotations

from dataclasses import dataclass

from kcb_experiments.records import Cause, Status

_VOID_STOPS = {"rate_limited": Cause.RATE_LIMITED, "context_cut": Cause.INFRASTRUCTURE}
"""Stop reasons that say nothing of the subject: the endpoint refused, or cut its prompt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """What an executor saw of one attempt."""

    started: bool = True
    """Whether the subject's execution was called at all."""
    cancelled: bool = False
    """Whether the user ended it."""
    raised: bool = False
    """Whether the execution call itself failed."""
    timed_out: bool = False
    """Whether the framework cut it off."""
    killed: bool = False
    """Whether the wrapper around the subject was killed in the middle of its run."""
    returned: bool = False
    """Whether the subject's execution came back."""
    succeeded: bool | None = None
    """What the subject's own last message says; None if there was none that could be trusted."""
    stop_reason: str = ""
    admitted: int = 0
    """Model requests that were admitted."""
    score: float | None = None
    """What the verifier gave; None if it could not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """What is recorded of it."""

    status: Status
    cause: Cause | None = None
    score: float | None = None


def conclude(course: Course) -> Conclusion:
    """What an attempt comes to.

    A subject that was cut off keeps the verifier's score; only where there is none is it a fault of
    the infrastructure. One whose last message is missing has failed if model work was admitted and
    it had returned or was killed: its score is then the verifier's, or zero. If the execution call
    itself failed, nothing is said of the subject, whatever was paid.
    """
    if course.cancelled:
        return _void(Cause.CANCELLED)
    if not course.started:
        return _void(Cause.NEVER_STARTED)
    if course.raised:
        return _void(Cause.INFRASTRUCTURE)
    if course.stop_reason in _VOID_STOPS:
        return _void(_VOID_STOPS[course.stop_reason])
    if course.timed_out and course.score is not None:
        return Conclusion(status=Status.SUBJECT_FAILED, score=course.score)
    if course.succeeded is None and course.admitted and (course.killed or course.returned):
        return Conclusion(status=Status.SUBJECT_FAILED, score=course.score or 0.0)
    if course.succeeded is None or course.timed_out or course.score is None:
        return _void(Cause.INFRASTRUCTURE)
    status = Status.COMPLETED if course.succeeded else Status.SUBJECT_FAILED
    return Conclusion(status=status, score=course.score)


def _void(cause: Cause) -> Conclusion:
    return Conclusion(status=Status.VOID, cause=cause)
