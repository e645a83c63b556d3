"""Judging from another program: one project in, one report out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TypeAlias

from kcb_core.dataset import Dataset
from kcb_core.report import DatasetStamp, TaskReport, dataset_stamp
from kcb_core.roles import Launcher
from kcb_core.submission import Submission
from kcb_core.task import Task
from kcb_runner.cancel import Cancel
from kcb_runner.intake import Project, submission_of
from kcb_runner.judging import Bench, judge
from kcb_runner.launch.interpreter import InterpreterLauncher
from kcb_runner.report import Circumstances, compose, rejected
from kcb_runner.snapshot import Rejected
from kcb_runner.training import Training

MakeLauncher: TypeAlias = Callable[[], Launcher]
"""Makes the launcher that an evaluation or a pool uses, and closes when it is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """How projects are judged; the same for all of one pool."""

    training: Training | None = None
    """For a training loop; None for a report that can be scored."""
    dataset: Dataset | None = None
    """Where the tasks are from; without it a report names no manifest and cannot be scored."""
    public_only: bool = False
    """Whether only the prompt's examples are played."""
    subject: str = ""
    """Who wrote the projects."""
    keep_answers: bool = True
    """Whether reports hold requests and responses."""
    jobs: int = 1
    """Projects that are judged at the same time."""


def evaluate(
    task: Task,
    project: Project,
    *,
    terms: Terms = Terms(),
    launcher: MakeLauncher = InterpreterLauncher,
) -> TaskReport:
    """Judge one project by one task, as ``klein-bench evaluate`` does; nothing is left on disk.

    For many projects use a :class:`kcb_runner.Pool`, which starts its launcher once.

    Args:
        task: whose scenarios are played.
        project: a folder, a mapping of paths to contents, or a project taken already.
        terms: how it is judged.
        launcher: makes what starts candidates; it is closed at the end.

    Raises:
        DeclarationError: a folder cannot be read.
    """
    with open_bench(launcher, terms) as bench:
        return report_on(task, project, bench, terms)


@contextmanager
def open_bench(launcher: MakeLauncher, terms: Terms) -> Iterator[Bench]:
    """Where projects are played, with a launcher and a switch that are closed at the end."""
    cancel = Cancel()
    made, owner = launcher(), os.getpid()
    try:
        yield Bench(launcher=made, cancel=cancel, keep_answers=terms.keep_answers)
    finally:
        if os.getpid() == owner:  # a forked child shares the switch, and must not throw it
            cancel.throw()
            made.close()
            cancel.close()


def report_on(task: Task, project: Project, bench: Bench, terms: Terms) -> TaskReport:
    """The report of one project on a bench that is open.

    Raises:
        Cancelled: the bench's switch was thrown.
        DeclarationError: a folder cannot be read.
    """
    training = terms.training
    if training:
        task = training.shorten(task)
    scenarios = task.public_tests if terms.public_only else task.acceptance_tests
    submission: Submission | None = None
    try:
        submission = submission_of(project, bench.limits)
    except Rejected as error:
        total = sum(scenario.assertions for scenario in scenarios)
        judgement = rejected(error.reason, total)
    else:
        if training:
            bench = replace(bench, confirmation=training.confirmation(task, submission))
        judgement = judge(
            task,
            submission,
            bench,
            public_only=terms.public_only,
            until_failure=training is not None,
        )
    about = Circumstances(
        dataset=stamp_of(task, terms.dataset),
        bench=bench,
        jobs=terms.jobs,
        subject=terms.subject,
        public_only=terms.public_only,
        training=training is not None,
    )
    return compose(task, judgement, submission, about)


def stamp_of(task: Task, dataset: Dataset | None) -> DatasetStamp:
    """Which dataset a task is from; only its name where the caller does not say."""
    if dataset:
        return dataset_stamp(dataset)
    return DatasetStamp(name=task.id.dataset, version="", manifest_sha256="", totals={})
