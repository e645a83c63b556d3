"""The executor ``harbor``: a cell is one trial of Harbor, played by its own command."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from kcb_core.codec import convert
from kcb_core.errors import DataError, DeclarationError, KcbError, MachineError
from kcb_core.execution import Casting, Errand, Left, Setup
from kcb_core.folder import fill
from kcb_experiments.harbor.command import HARBOR_VERSION, Harbor
from kcb_experiments.harbor.course import Course
from kcb_experiments.harbor.harbor_agent import NAME, ORACLE, read_options
from kcb_experiments.harbor.harbor_settings import Settings
from kcb_experiments.harbor.solution import solution_of
from kcb_experiments.harbor.task_folder import Kit, task_files
from kcb_experiments.harbor.wheels import read_wheels
from kcb_experiments.task_sets import DatasetTasks
from kcb_runner.launch.leftovers import make_folder
from kcb_runner.tree import remove_tree

NOT_METERED = (
    "in Harbor its own containers confine a subject, and no proxy of this project counts what it "
    "uses: records lack its usage"
)


class HarborExecutor:
    """Runs each cell as a trial of Harbor, which is neither imported nor installed here."""

    name = NAME
    enforces_proxy = False

    @property
    def version(self) -> str:
        """The version of Harbor; no other is run."""
        return HARBOR_VERSION

    @contextmanager
    def open(self, setup: Setup) -> Iterator[OpenHarbor]:
        """Ready it for a run; errors as in the role."""
        tasks, settings = _taken(setup)
        yield OpenHarbor(tasks=tasks, settings=settings)

    def check_setup(self, setup: Setup) -> None:
        """See whether settings and tasks are right; errors as in the role."""
        _taken(setup)


def _taken(setup: Setup) -> tuple[DatasetTasks, Settings]:
    settings = convert(dict(setup.settings), Settings, source="executor.settings")
    if not isinstance(setup.tasks, DatasetTasks):
        raise DeclarationError(
            f"executor {NAME!r} runs tasks of datasets, which {setup.tasks.stamp.name!r} is not"
        )
    return setup.tasks, settings


@dataclass(slots=True, kw_only=True)
class OpenHarbor:
    """The executor, open for a run."""

    tasks: DatasetTasks
    settings: Settings
    _harbor: Harbor | None = field(default=None, init=False)
    _kit: Kit | None = field(default=None, init=False)

    def preflight(self, castings: Sequence[Casting], prompt: str) -> tuple[str, ...]:
        """See whether every subject can be run, and whether Harbor and wheels are there."""
        agents = {_agent_of(casting) for casting in castings}
        settings = self.settings
        if ORACLE in agents and not (settings.solutions and Path(settings.solutions).is_dir()):
            raise DeclarationError(
                f"executor {NAME!r}: Harbor's agent {ORACLE!r} hands in what is in the folder "
                "'executor.settings.solutions', which is not there"
            )
        self._harbor = Harbor(settings.program, settings.environment, settings.image)
        self._harbor.require()
        wheels = read_wheels(settings.wheels_folder)
        manifest = self.tasks.dataset.manifest
        self._kit = Kit(manifest=manifest, wheels=wheels, image=settings.image)
        return (NOT_METERED,)

    def run(self, errand: Errand) -> Left:
        """Play one trial."""
        if self._harbor is None or self._kit is None:
            raise MachineError("nobody has looked for Harbor: there was no preflight")
        begun, course = time.monotonic(), Course(errand)
        errand.folder.mkdir(parents=True)
        # An exported task holds the acceptance tests, so that nobody else may read it.
        place = make_folder("agent", None)
        try:
            left = course.run(self._harbor, self._exported(errand, place, self._kit))
        except KcbError as error:
            left = Left(started=course.begun, raised=course.begun, reason=str(error))
        finally:
            remove_tree(place)
        # Only the agent's own time is its working time.
        waited_s = max(0.0, time.monotonic() - begun - course.agent_s)
        return replace(left, waited_s=waited_s, deployment=self._deployment)

    def _exported(self, errand: Errand, place: Path, kit: Kit) -> Path:
        """The folder of the task, as Harbor reads it."""
        task = self.tasks.dataset.task(errand.task.task_id)
        oracle = read_options(errand.casting.options).agent == ORACLE
        solution = solution_of(task.task_id, Path(self.settings.solutions)) if oracle else None
        folder = place / task.task_id
        fill(folder, task_files(task, replace(kit, agent_s=errand.seconds), solution))
        return folder

    @property
    def _deployment(self) -> dict[str, str]:
        known = {"harbor": HARBOR_VERSION, "environment": self.settings.environment}
        return known | ({"image": self.settings.image} if self.settings.image else {})


def _agent_of(casting: Casting) -> str:
    """Which of Harbor's agents a subject is.

    Raises:
        DeclarationError: it is none that can be run here.
    """
    if casting.agent != NAME:
        raise DeclarationError(
            f"subject {casting.subject!r}: agent {casting.agent!r} does not run in Harbor; the "
            f"agent {NAME!r} does, whose option 'agent' names one of Harbor's"
        )
    if casting.credentials:
        raise DeclarationError(f"subject {casting.subject!r}: no credential is sent to Harbor")
    try:
        return read_options(casting.options).agent
    except DataError as error:
        raise DeclarationError(f"subject {casting.subject!r}: {error}") from None
