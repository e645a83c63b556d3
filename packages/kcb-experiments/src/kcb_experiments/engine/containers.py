"""Starts workers in containers: which engine, which image, and what of this machine is seen."""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from kcb_core.environment import clean_environment
from kcb_core.errors import DeclarationError, MachineError
from kcb_core.quiet import lock_folder
from kcb_experiments.engine.castings import FIXED
from kcb_experiments.engine.contained_worker import Boarding, ContainedWorker
from kcb_experiments.engine.doors import Door
from kcb_experiments.engine.provisions import provide
from kcb_runner.launch.abandoned import container_name, own_labels, reap_containers
from kcb_runner.launch.cgroups import bounds_of
from kcb_runner.launch.container import IMAGE_VARIABLE
from kcb_runner.launch.engine import Mount, Wanted, find_engine
from kcb_runner.launch.image import IMAGE
from kcb_runner.launch.supervisor import SlotRefused
from kcb_runner.launch.way import Way, ways

PACKAGES, ATTEMPT, LOCKS = "/kcb-packages", "/kcb-attempt", "/kcb-run"
"""Where in a container its packages, its attempt and the locks are."""

CERTIFICATES, BOX = "/kcb-certificates.pem", "/kcb"
"""Where certificates are, if this machine names some; and the scratch space, in memory."""

PYTHON = ".".join(map(str, sys.version_info[:2]))
"""The Python whose packages are brought into a container."""

_PROGRAM = ("-P", "-s", "-m", "kcb_experiments.engine.aboard")
_LOW_PORTS = 1024
_FIRST_USER, _USERS = 0x5000_0000, 1 << 22
"""Users of this machine that nobody is, one for each process that starts containers as root."""


class Bounds(msgspec.Struct, frozen=True, kw_only=True):
    """What one container may take."""

    memory_bytes: int
    processes: int
    scratch_bytes: int


class Containers:
    """Starts them, once it is ready; any thread may ask.

    Attributes:
        image: name of the image: of this machine, and no digest.
        user: user and group id of the workers, in their containers and outside.
    """

    def __init__(self, home: Path, image: str, engine: str, bounds: Bounds) -> None:
        """Look for nothing yet.

        Args:
            home: a folder of this process that everybody may read.
            image: name of the image; empty for what ``KCB_IMAGE`` names, or the usual one.
            engine: its name; empty for what ``KCB_ENGINE`` names, or the first that answers.
            bounds: what one container may take.
        """
        self.image = image or os.environ.get(IMAGE_VARIABLE) or IMAGE
        root = os.geteuid() == 0
        self.user = _FIRST_USER + os.getpid() % _USERS if root else os.geteuid()
        self._home = home
        self._engine = engine
        self._bounds = bounds
        self._way: Way | None = None
        self._numbers = itertools.count()

    @property
    def engine(self) -> str:
        """Name of the engine; empty as long as it is not ready."""
        return self._way.engine.name if self._way else ""

    def ready(self, agents: Mapping[str, str], *, third_party: bool) -> list[str]:
        """Find out how containers are started here, by starting one that loads some agents.

        Args:
            agents: modules of the agents, by name.
            third_party: whether workers load the plug-ins of others.

        Returns:
            Warnings, one line each.

        Raises:
            DeclarationError: an agent cannot be run in a container, or Python does not fit.
            MachineError: there is no engine or no image, or no container can be started.
        """
        engine = find_engine(self._engine or None)
        image = engine.image_id(self.image)
        reap_containers(engine)
        packages = self._home / "packages"
        if not packages.exists():
            provide(agents.values(), packages)
        boarding = Boarding(
            environment=self._environment({}),
            agents=tuple(agents),
            third_party=third_party,
            fits=self._fits,
        )
        refusals: list[str] = []
        for way in ways(engine, image):
            wanted = self._wanted(way, ())
            try:
                worker = ContainedWorker(engine, wanted, boarding)
            except SlotRefused as error:
                refusals.append(str(error))
                continue
            self._way = way
            return _lacking(wanted, worker, refusals)
        raise MachineError(f"no container can be started here: {'; '.join(refusals)}")

    def start(
        self,
        folder: Path,
        secrets: Mapping[str, str],
        doors: tuple[Door, ...],
        *,
        third_party: bool,
    ) -> ContainedWorker:
        """Start a worker.

        Args:
            folder: of its attempt, which is all that it can write to and that stays.
            secrets: its credentials.
            doors: the endpoints that it reaches.
            third_party: whether it loads the plug-ins of others.

        Raises:
            DeclarationError: its packages do not load.
            MachineError: it cannot be started, or nothing was made ready.
        """
        if self._way is None:
            raise MachineError("nobody has looked for a container engine: there was no preflight")
        boarding = Boarding(
            environment=self._environment(secrets), doors=doors, third_party=third_party
        )
        attempt = Mount(folder.absolute(), ATTEMPT, writable=True)
        wanted = self._wanted(self._way, (attempt, *self._local()))
        wanted = replace(
            wanted,
            own_names=tuple(sorted({door.host for door in doors if not door.is_loopback})),
            low_ports=any(door.port < _LOW_PORTS for door in doors),
        )
        return ContainedWorker(self._way.engine, wanted, boarding)

    def _wanted(self, way: Way, mounts: Iterable[Mount]) -> Wanted:
        control = self._home / f"control-{next(self._numbers)}"
        control.mkdir(0o755)
        root = os.geteuid() == 0
        return Wanted(
            image=way.image,
            name=container_name(),
            labels=own_labels(),
            program=_PROGRAM,
            workdir=BOX,
            mounts=(Mount(self._home / "packages", PACKAGES), *mounts),
            control=control,
            user=self.user,
            group=self.user if root else os.getegid(),
            box=BOX,
            box_bytes=self._bounds.scratch_bytes,
            memory_bytes=self._bounds.memory_bytes,
            processes=self._bounds.processes,
            limited=way.limited,
            runtime=way.runtime,
            environment={"PYTHONPATH": PACKAGES},
        )

    def _local(self) -> Iterator[Mount]:
        """What has to be the same as in this process: locks, and the certificates that it names."""
        folder = lock_folder()
        if folder and self.user == os.geteuid():
            yield Mount(folder, f"{LOCKS}/{folder.name}", writable=True)
        else:  # not ours to share: then they agree at least among themselves
            own = self._home / "locks"
            own.mkdir(0o700, exist_ok=True)
            os.chown(own, self.user, self.user)
            yield Mount(own, f"{LOCKS}/klein-bench-{self.user}", writable=True)
        if certificates := os.environ.get("SSL_CERT_FILE"):
            yield Mount(Path(certificates).absolute(), CERTIFICATES)

    def _environment(self, secrets: Mapping[str, str]) -> dict[str, str]:
        extra = {**FIXED, "PYTHONPATH": PACKAGES, "XDG_RUNTIME_DIR": LOCKS}
        if os.environ.get("SSL_CERT_FILE"):
            extra["SSL_CERT_FILE"] = CERTIFICATES
        home, scratch = Path(ATTEMPT, "home"), Path(BOX, "home")
        return clean_environment(home=home, scratch=scratch, extra={**extra, **secrets})

    def _fits(self, version: str) -> None:
        if version.split(".")[:2] != PYTHON.split("."):
            raise DeclarationError(
                f"image {self.image!r} has Python {version}, and packages of Python {PYTHON} are "
                f"brought into it: name an image with Python {PYTHON} in "
                f"'executor.settings.image' or {IMAGE_VARIABLE}"
            )


def _lacking(wanted: Wanted, worker: ContainedWorker, refusals: Sequence[str]) -> list[str]:
    """Which bounds the kernel does not hold, in one line; the worker is ended."""
    held = bounds_of(worker.pid)
    worker.input.close()
    worker.close()
    asked = {"memory": wanted.memory_bytes, "pids": wanted.processes}
    lacking = [name for name, most in asked.items() if held.get(name, most + 1) > most]
    if not lacking:
        return []
    why = "; ".join(refusals) or "the engine sets no bounds of its control groups"
    return [f"{' and '.join(lacking)} of a container: not held by the kernel ({why})"]
