"""Who plays the tasks of one run: this machine, a cluster, or a stranger's runner.

A runner is a name that a plug-in brings; opened for a run, it is a player.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import msgspec

from kcb_core.errors import DeclarationError
from kcb_core.report import TaskReport
from kcb_core.roles import Runner
from kcb_core.run_record import Making
from kcb_core.submission import Submission
from kcb_core.task import Task
from kcb_runner.evaluator import evaluate
from kcb_runner.judging import judge
from kcb_runner.report import Circumstances, compose, how_made


@dataclass(frozen=True, slots=True, kw_only=True)
class RunnerWish:
    """What the caller asks of a runner beside the circumstances of the reports."""

    jobs: int | None = None
    """Tasks at once, on each worker where there are several."""
    scheduler: str | None = None
    """Address of a cluster's scheduler."""
    confinement: str | None = None
    """The least level of confinement."""


class Player(Protocol):
    """A runner that is open for one run; any thread may use it."""

    @property
    def at_once(self) -> int:
        """How many tasks are worth having in play at the same time."""
        ...

    def play(self, task: Task, submission: Submission, making: Making | None) -> TaskReport:
        """Judge one project.

        Raises:
            Cancelled: the run was stopped.
            MachineError: what plays has failed; nothing is said of the project.
        """
        ...


@runtime_checkable
class OpenableRunner(Protocol):
    """A runner that holds something for as long as a run goes on."""

    def open(self, about: Circumstances, wish: RunnerWish) -> AbstractContextManager[Player]:
        """Ready it for a run.

        Raises:
            DeclarationError: the wish cannot be met.
            MachineError: what it needs has failed.
        """
        ...


class LocalRunner:
    """Plays on this machine."""

    name = "local"

    def evaluate(self, task: Task, submission: Submission) -> TaskReport:
        """Judge one project by one task."""
        return evaluate(task, submission)

    @contextmanager
    def open(self, about: Circumstances, wish: RunnerWish) -> Iterator[Player]:
        """Ready it for a run; the bench of the circumstances is the caller's to close."""
        if wish.scheduler:
            raise DeclarationError("--scheduler goes with --runner remote")
        yield LocalPlayer(about)


@dataclass(frozen=True, slots=True)
class LocalPlayer:
    """Plays on the bench of the circumstances."""

    about: Circumstances

    @property
    def at_once(self) -> int:
        """As many as the caller asked for."""
        return self.about.jobs

    def play(self, task: Task, submission: Submission, making: Making | None) -> TaskReport:
        """Judge one project; errors as in :class:`Player`."""
        judgement = judge(task, submission, self.about.bench, public_only=self.about.public_only)
        return compose(task, judgement, submission, self.about, making)


@dataclass(frozen=True, slots=True)
class PlainPlayer:
    """A runner that knows tasks and projects alone; what the caller says is added here."""

    runner: Runner
    about: Circumstances

    @property
    def at_once(self) -> int:
        """As many as the caller asked for."""
        return self.about.jobs

    def play(self, task: Task, submission: Submission, making: Making | None) -> TaskReport:
        """Judge one project; errors as in :class:`Player`."""
        about = self.about
        if about.public_only:
            raise DeclarationError(f"runner {self.runner.name!r} knows no --public-only")
        report = self.runner.evaluate(task, submission)
        record, notes = how_made(making, submission)
        return msgspec.structs.replace(
            report,
            dataset=about.dataset,
            subject=about.subject,
            repetition=about.repetition,
            plugins=dict(about.plugins),
            validation_receipt=about.validation_receipt,
            notes=report.notes + notes,
            **record,
        )


@contextmanager
def open_player(runner: Runner, about: Circumstances, wish: RunnerWish) -> Iterator[Player]:
    """A runner, ready for a run; errors as in :class:`OpenableRunner`."""
    if isinstance(runner, OpenableRunner):
        with runner.open(about, wish) as player:
            yield player
        return
    if wish.scheduler:
        raise DeclarationError("--scheduler goes with --runner remote")
    if wish.confinement:
        raise DeclarationError(f"runner {runner.name!r} does not answer for its confinement")
    yield PlainPlayer(runner, about)
