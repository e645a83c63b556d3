"""The executor ``container``: an agent in a container of its own, without a network."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from kcb_core.codec import convert
from kcb_core.errors import DeclarationError, KcbError, MachineError
from kcb_core.execution import Casting, Errand, Left, Setup
from kcb_core.provenance import revision
from kcb_experiments.engine.castings import (
    order_of,
    require_credentials,
    secrets_of,
    tried_out,
)
from kcb_experiments.engine.contained_worker import ContainedWorker
from kcb_experiments.engine.containers import ATTEMPT, Bounds, Containers
from kcb_experiments.engine.doors import Door, doors_of
from kcb_experiments.engine.following import followed
from kcb_experiments.engine.start import laid_out
from kcb_runner.launch.box import roomy_folder
from kcb_runner.launch.leftovers import make_folder
from kcb_runner.launch.workspace import Workspace
from kcb_runner.tree import remove_tree

NOT_QUIET = (
    "containers that root starts share no locks with this process: judging does not wait for a "
    "model that writes on this machine"
)


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a spec may set of the executor ``container``."""

    image: str = ""
    """Name of the image; if not given, what ``KCB_IMAGE`` names, or the one of ``image build``."""
    engine: str = ""
    """``podman`` or ``docker``; if not given, what ``KCB_ENGINE`` names, or the first that
    answers."""
    memory_bytes: int = 4 << 30
    """Most memory of one container."""
    processes: int = 512
    """Most processes and threads in it."""
    scratch_bytes: int = 1 << 30
    """Room for temporary files, in memory."""
    endpoints: tuple[str, ...] = ()
    """URLs that every subject reaches, besides those in its own settings."""
    check_endpoints: bool = True
    """Whether an agent that can try out its endpoint does so before the first cell."""

    def __post_init__(self) -> None:
        for name in ("memory_bytes", "processes", "scratch_bytes"):
            if getattr(self, name) < 1:
                raise ValueError(f"field {name!r} must be greater than 0")

    @property
    def bounds(self) -> Bounds:
        """What one container may take."""
        return Bounds(
            memory_bytes=self.memory_bytes,
            processes=self.processes,
            scratch_bytes=self.scratch_bytes,
        )


class ContainerExecutor:
    """Runs each subject in a container of its own, as a user that is nobody on this machine.

    It has no network but the endpoints that its subject declares, sees nothing of this machine but
    the attempt's folder and the packages that it is made of, and is gone when the cell is done.
    """

    name = "container"
    enforces_proxy = False

    @property
    def version(self) -> str:
        """The version of kcb-experiments."""
        return revision("kcb-experiments").version

    @contextmanager
    def open(self, setup: Setup) -> Iterator[OpenContainers]:
        """Ready it for a run; engine and image are looked for by the preflight."""
        settings = _settings(setup)
        home = make_folder("agent", roomy_folder())
        home.chmod(0o755)
        try:
            containers = Containers(home, settings.image, settings.engine, settings.bounds)
            yield OpenContainers(setup=setup, settings=settings, containers=containers)
        finally:
            with suppress(OSError):
                remove_tree(home)

    def check_setup(self, setup: Setup) -> None:
        """See whether its settings are right; errors as in the role."""
        _settings(setup)


def _settings(setup: Setup) -> Settings:
    return convert(dict(setup.settings), Settings, source="executor.settings")


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenContainers:
    """The executor, open for a run."""

    setup: Setup
    settings: Settings
    containers: Containers

    def preflight(self, castings: Sequence[Casting], prompt: str) -> tuple[str, ...]:
        """See whether every subject can be run here; errors as in the role.

        A container is started, which loads every agent and ends.
        """
        require_credentials(castings)
        nearby = any(door.is_loopback for casting in castings for door in self._doors(casting))
        modules = {agent.name: type(agent).__module__ for agent in self.setup.agents}
        agents = {casting.agent: modules[casting.agent] for casting in castings}
        try:
            warnings = self.containers.ready(agents, third_party=self.setup.third_party)
        except MachineError as error:
            raise DeclarationError(f"executor 'container': {error}") from error
        if nearby and self.containers.user != os.geteuid():
            warnings.append(NOT_QUIET)
        if self.settings.check_endpoints:
            warnings += tried_out(castings, self.setup.agents, prompt, self.setup.tell)
        return tuple(warnings)

    def run(self, errand: Errand) -> Left:
        """Run one subject in a container of its own."""
        (errand.folder / "home").mkdir(parents=True)
        deployment = {"engine": self.containers.engine, "image": self.containers.image}
        with laid_out(errand), self._given(errand.folder):
            try:
                worker = self._started(errand)
            except KcbError as error:
                return Left(started=False, reason=str(error), deployment=deployment)
            order = order_of(errand, Path(ATTEMPT), third_party=self.setup.third_party)
            return replace(followed(worker, order, errand), deployment=deployment)

    @contextmanager
    def _given(self, folder: Path) -> Iterator[None]:
        """An attempt's folder in the hands of the containers' user, and taken back in the end."""
        space = Workspace(folder)
        space.give_to(self.containers.user if os.geteuid() == 0 else None)
        try:
            yield
        finally:
            space.take_back()

    def _started(self, errand: Errand) -> ContainedWorker:
        casting = errand.casting
        return self.containers.start(
            errand.folder,
            secrets_of(casting),
            self._doors(casting),
            third_party=self.setup.third_party,
        )

    def _doors(self, casting: Casting) -> tuple[Door, ...]:
        return doors_of(casting.settings, self.settings.endpoints)
