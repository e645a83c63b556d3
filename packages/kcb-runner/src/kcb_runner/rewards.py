"""What a training loop learns from a report."""

from __future__ import annotations

import math
from dataclasses import dataclass

from kcb_core.report import Failure, FailureKind, Outcome, TaskReport
from kcb_core.task import Task
from kcb_runner.evaluator import MakeLauncher, Terms, evaluate
from kcb_runner.intake import Project
from kcb_runner.launch.interpreter import InterpreterLauncher
from kcb_runner.training import Training


@dataclass(frozen=True, slots=True, kw_only=True)
class Reward:
    """What came of one project, its parts apart so that none stands in for another."""

    resolved: bool
    """Whether every response was right; False also where nothing is known."""
    fraction: float
    """Right responses up to the first failure over all that are expected, 0 to 1. It depends on the
    order of scenarios and is no score. NaN where nothing is known, so that it cannot pass for 0."""
    first_failure: Failure | None
    """What went wrong first: its kind, and one line that says where."""
    valid: bool
    """Whether anything is known of the project. Mask a sample that is not valid: this machine
    failed, and the project may be right."""
    confirmed: bool
    """False for a timeout that was played once and counts by the promise of ``Training``."""

    @classmethod
    def of(cls, report: TaskReport) -> Reward:
        """The reward that a report gives."""
        valid = report.outcome is not Outcome.VOID
        return cls(
            resolved=report.outcome is Outcome.RESOLVED,
            fraction=report.passed / report.total if valid else math.nan,
            first_failure=report.failure,
            valid=valid,
            confirmed=not any(
                scenario.failure.kind is FailureKind.TIMEOUT and len(scenario.plays) == 1
                for scenario in report.scenarios
                if scenario.failure
            ),
        )


def reward(
    task: Task,
    files: Project,
    *,
    training: Training = Training(),  # noqa: B008 - it is frozen
    launcher: MakeLauncher = InterpreterLauncher,
) -> Reward:
    """Judge one project for a training loop.

    For many use ``Reward.of`` on what a :class:`kcb_runner.Pool` gives.

    Args:
        task: whose scenarios are played.
        files: contents by path, such as ``{"main.py": "..."}``; or a folder.
        training: the session limit, and which timeouts are confirmed.
        launcher: makes what starts candidates; it is closed at the end.
    """
    terms = Terms(training=training, keep_answers=False)
    return Reward.of(evaluate(task, files, terms=terms, launcher=launcher))
