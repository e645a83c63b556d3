"""Evaluations for a training loop: they stop at the first failure, and a hang costs little.

What they promise of a timeout stands at :class:`Training`. Scored runs know nothing of this module.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from kcb_core.errors import DeclarationError
from kcb_core.report import FailureKind, Play
from kcb_core.submission import Submission
from kcb_core.task import Task
from kcb_runner.judging import Confirm
from kcb_runner.strain import forks, waited_s

LOST_SHARE = 0.25
"""Share of a session's limit that the machine may have kept from a session that timed out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """How strict an evaluation for training is.

    The first failed session ends it. A timeout counts after one playing if the machine kept at most
    a quarter of the limit from the session: so much it waited at most, by what the system says of
    its processes and by the CPU time that the session used. A project is then called too slow
    only if it needs more than three quarters of the limit on a machine of its own. Any other
    timeout, and a sample of those that count, is played once more alone, as in a scored run.
    The bound takes a session to use one CPU at a time.
    """

    session_s: float | None = None
    """Limit for one session in seconds, as :func:`kcb_runner.calibrate` gives it; the task's own
    if there is none."""
    confirm_share: float = 0.05
    """Share of the timeouts that is confirmed though it need not be."""
    seed: int = 0
    """Which of them: decided by this, the task and the project, and by nothing else."""

    def __post_init__(self) -> None:
        if self.session_s is not None and not self.session_s > 0:
            raise DeclarationError(f"session_s must be above 0, not {self.session_s!r}")
        if not 0 <= self.confirm_share <= 1:
            raise DeclarationError(f"confirm_share must lie in 0..1, not {self.confirm_share!r}")

    def shorten(self, task: Task) -> Task:
        """The task with this session limit, never a longer one than its own."""
        if self.session_s is None or self.session_s >= task.timeout_seconds:
            return task
        return msgspec.structs.replace(task, timeout_seconds=self.session_s)

    def sampled(self, task: Task, submission: Submission) -> bool:
        """Whether a timeout of this project belongs to the sample that is confirmed."""
        name = f"{self.seed} {task.task_id} {submission.sha256}".encode()
        number = int.from_bytes(hashlib.sha256(name).digest()[:8])
        return number < self.confirm_share * 2**64

    def confirmation(self, task: Task, submission: Submission) -> Callable[[], Confirm]:
        """Asked before each playing for what decides, after it, whether it is played again."""
        sampled = self.sampled(task, submission)

        def begin() -> Confirm:
            before, forked = waited_s(), forks()

            def confirm(play: Play) -> bool:
                if sampled or not play.failure or play.failure.kind is not FailureKind.TIMEOUT:
                    return True
                after = waited_s()
                waited = None if before is None or after is None else after - before
                lost = lost_s(play, waited)
                return forks() != forked or lost > LOST_SHARE * task.timeout_seconds

            return confirm

        return begin


def lost_s(play: Play, waited: float | None) -> float:
    """Most seconds of a playing that the machine can have kept from it.

    Args:
        play: what came of it.
        waited: how long some process of this machine waited meanwhile, or None if nobody knows.
    """
    idle = max(0.0, play.wall_s - play.cpu_s)
    return idle if waited is None else min(idle, waited)
