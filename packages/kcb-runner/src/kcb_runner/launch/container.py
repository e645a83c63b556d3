"""The launcher for containers: one of its own for each try at a task."""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

from kcb_core.errors import DeclarationError, MachineError
from kcb_core.limits import LIMITS, Limits
from kcb_core.report import Confinement
from kcb_core.roles import Slot
from kcb_runner.launch.abandoned import container_name, own_labels, reap_containers
from kcb_runner.launch.box import roomy_folder
from kcb_runner.launch.bundle import write_bundle
from kcb_runner.launch.cgroups import bounds_of
from kcb_runner.launch.child import PROGRAM
from kcb_runner.launch.contained import ContainedProcess, ContainedSlot
from kcb_runner.launch.engine import CONTROL, SOCKET, Mount, Wanted, find_engine
from kcb_runner.launch.image import IMAGE
from kcb_runner.launch.leftovers import make_folder
from kcb_runner.launch.slots import own_user
from kcb_runner.launch.supervisor import SlotRefused
from kcb_runner.launch.way import Way, ways
from kcb_runner.slot.plan import INSIDE, NPROC_SLACK, Plan
from kcb_runner.tree import remove_tree

IMAGE_VARIABLE = "KCB_IMAGE"
"""Names the image, where not the one is wanted that ``image build`` makes."""

SUPERVISOR = "/kcb-supervisor"
"""Where the supervisor's program lies in a container."""

OLDEST_PYTHON = (3, 11)
"""What an image has to bring at least."""

_MEMORY_SLACK = 2
"""The kernel's bound on memory, as a multiple of the limit: below it, the limit is watched."""

_OWN_PROCESSES = 8
"""Processes and threads of a container beside those of a session."""


class ContainerLauncher:
    """Starts sessions in a container, one container for each slot that is taken.

    Engine and image are looked for when it is first asked for anything.
    """

    name = "container"

    def __init__(
        self, *, engine: str | None = None, image: str | None = None, limits: Limits = LIMITS
    ) -> None:
        """Set what is wanted.

        Args:
            engine: ``podman`` or ``docker``; if not given, what ``KCB_ENGINE`` names, or the first
                that answers.
            image: name of an image with Python; if not given, what ``KCB_IMAGE`` names, or the one
                that ``image build`` makes.
            limits: what one session may use.
        """
        self._engine = engine
        self._image = image
        self._limits = limits
        self._lock = threading.Lock()
        self._home: Path | None = None
        self._way: Way | None = None
        self._ready: ContainedSlot | None = None
        self._confinement: Confinement | None = None
        self._numbers = itertools.count()

    def at_level(self, level: str) -> Self:
        """This one, which confines at level ``full``; errors as in the role."""
        if level != "full":
            raise DeclarationError(f"launcher 'container' confines at level 'full', not {level!r}")
        return self

    def confinement(self) -> Confinement:
        """What is in force; errors as in the role."""
        with self._lock:
            if self._confinement is None:
                self._confinement = self._settle()
            return self._confinement

    @contextmanager
    def slot(self) -> Iterator[Slot]:
        """A slot in a new container; errors as in the role."""
        self.confinement()
        with self._lock:
            slot, self._ready = self._ready, None
            way = self._way
        assert way is not None
        slot = slot or self._open(way)
        try:
            yield slot
        finally:
            slot.close()

    def close(self) -> None:
        """End the container that is ready, if one is, and remove the supervisor's program."""
        with self._lock:
            slot, self._ready = self._ready, None
            home, self._home = self._home, None
            self._confinement = self._way = None
        if slot:
            slot.close()
        if home:
            with suppress(OSError):
                remove_tree(home)

    def __enter__(self) -> Self:
        """Close it at the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def _settle(self) -> Confinement:
        """Find an engine, an image, and the strongest way in which they work together here."""
        engine = find_engine(self._engine)
        named = self._image or os.environ.get(IMAGE_VARIABLE) or IMAGE
        image = engine.image_id(named)
        reap_containers(engine)
        self._home = self._home or _furnished_home()
        refusals: list[str] = []
        for way in ways(engine, image):
            try:
                slot = self._open(way)
            except SlotRefused as error:
                refusals.append(str(error))
                continue
            self._way, self._ready = way, slot
            _check_version(slot, named)
            return _confinement(way, slot, refusals)
        raise MachineError(f"no container can be started here: {'; '.join(refusals)}")

    def _open(self, way: Way) -> ContainedSlot:
        assert self._home is not None
        folder = self._home / f"control-{next(self._numbers)}"
        folder.mkdir(0o755)
        root = os.geteuid() == 0
        user = own_user() if root else os.geteuid()
        wanted = self._wanted(way, user, folder)
        try:
            process = ContainedProcess(way.engine, wanted)
            plan = _plan(self._limits, wanted, way, owner=user if root else None)
            return ContainedSlot(plan, process, wanted)
        except BaseException:
            with suppress(OSError):
                remove_tree(folder)
            raise

    def _wanted(self, way: Way, user: int, folder: Path) -> Wanted:
        assert self._home is not None
        box_bytes = self._limits.written_bytes + self._limits.submission_bytes
        return Wanted(
            image=way.image,
            name=container_name(),
            labels=own_labels(),
            program=(*PROGRAM, f"{CONTROL}/{SOCKET}"),
            workdir=SUPERVISOR,
            mounts=(Mount(self._home / "bundle", SUPERVISOR),),
            control=folder,
            user=user,
            group=user if os.geteuid() == 0 else os.getegid(),
            box=INSIDE,
            box_bytes=box_bytes,
            memory_bytes=_MEMORY_SLACK * self._limits.memory_bytes + box_bytes,
            processes=NPROC_SLACK * self._limits.processes + _OWN_PROCESSES,
            limited=way.limited,
            runtime=way.runtime,
        )


def _plan(limits: Limits, wanted: Wanted, way: Way, *, owner: int | None) -> Plan:
    # A user of this machine has processes outside, and only Podman counts them apart.
    counted = owner is not None or way.engine.name == "podman"
    return Plan(
        level="full",
        python="",
        box=wanted.box,
        user=owner,
        contained=True,
        box_bytes=wanted.box_bytes,
        file_bytes=limits.file_bytes,
        open_files=limits.open_files,
        processes=limits.processes if counted else 0,
    )


def _confinement(way: Way, slot: ContainedSlot, refusals: list[str]) -> Confinement:
    held = [name for name, bound in bounds_of(slot.pid).items() if bound <= slot.wanted[name]]
    why = ""
    if len(held) < len(slot.wanted):
        lacking = " and ".join(name for name in slot.wanted if name not in held)
        said = "; ".join(refusals) or f"{way.engine.name} sets no bounds of its control groups"
        why = f"{lacking}: watched, but not held by the kernel ({said})"
    runtime = way.runtime or way.engine.runtime
    cgroups = (f"{name}-cgroup" for name in sorted(held))
    return Confinement(
        level="full",
        mechanisms=("container", way.engine.name, runtime, *cgroups, *slot.mechanisms),
        reason=why,
        image=way.image,
        python=slot.version,
    )


def _check_version(slot: ContainedSlot, image: str) -> None:
    found = tuple(int(part) for part in slot.version.split(".")[:2])
    if found < OLDEST_PYTHON:
        oldest = ".".join(map(str, OLDEST_PYTHON))
        raise DeclarationError(f"image {image!r} has Python {slot.version}; {oldest} is needed")


def _furnished_home() -> Path:
    """A folder with the supervisor's program, for everyone to read."""
    home = make_folder("supervisor", roomy_folder())
    home.chmod(0o755)
    bundle = home / "bundle"
    bundle.mkdir(0o755)
    write_bundle(bundle)
    return home
