"""A session limit for training, from the time that a known-good project takes on this machine."""

from __future__ import annotations

import math
import statistics
from itertools import repeat

from kcb_core.errors import DeclarationError, MachineError
from kcb_core.report import Outcome, TaskReport
from kcb_core.task import Task
from kcb_runner.evaluator import MakeLauncher, Terms
from kcb_runner.evaluator_pool import Pool
from kcb_runner.intake import Project, submission_of
from kcb_runner.launch.interpreter import InterpreterLauncher

FACTOR = 10.0
"""How much slower than the reference a project may be."""

FLOOR_S = 0.5
"""Shortest limit: below it the start of a process on a busy machine would decide."""


def calibrate(
    task: Task,
    reference: Project,
    *,
    jobs: int | None = None,
    rounds: int = 3,
    factor: float = FACTOR,
    launcher: MakeLauncher = InterpreterLauncher,
) -> float:
    """The session limit in seconds for :class:`kcb_runner.Training`.

    It is ``factor`` times the reference's slowest session, times the noise of this machine: how
    much slower the slowest playing of that scenario was than its median. It is never below half
    a second nor above the task's own limit. The reference is played as the rollouts will be, with
    ``jobs`` at once, so that neighbours are in the measurement. A scenario of several sessions
    counts evenly for each of them.

    Args:
        task: whose sessions are measured.
        reference: a project that resolves it.
        jobs: projects that the training loop judges at once; one a CPU if not given.
        rounds: how often each of them is played.
        factor: how much slower than the reference a project may be.
        launcher: the one that the training loop uses.

    Raises:
        DeclarationError: the reference does not resolve the task.
        MachineError: this machine failed.
    """
    submission = submission_of(reference)
    with Pool(jobs=jobs, terms=Terms(keep_answers=False), launcher=launcher) as pool:
        rows = [
            _session_times(task, report)
            for report in pool.map(repeat((task, submission), rounds * pool.jobs))
        ]
    columns: list[tuple[float, ...]] = list(zip(*rows, strict=True))
    slowest = max(columns, key=max)
    noise = max(slowest) / statistics.median(slowest)
    limit = math.ceil(100 * factor * max(slowest) * noise) / 100
    return min(task.timeout_seconds, max(FLOOR_S, limit))


def _session_times(task: Task, report: TaskReport) -> list[float]:
    """Seconds for a session of each scenario."""
    if report.void:
        raise MachineError(f"{task.task_id}: cannot be calibrated: {report.void.reason}")
    if report.outcome is not Outcome.RESOLVED:
        reason = report.failure.reason if report.failure else ""
        raise DeclarationError(f"{task.task_id}: the reference does not resolve it: {reason}")
    return [
        sum(play.wall_s for play in played.plays) / len(scenario.sessions)
        for scenario, played in zip(task.acceptance_tests, report.scenarios, strict=True)
    ]
