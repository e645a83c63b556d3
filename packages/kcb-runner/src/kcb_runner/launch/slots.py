"""Slots that supervisors keep: opened at one level, and used for project after project.

A slot holds nothing of the candidate before: its processes are killed, its folders emptied, and
nothing else can be written.
"""

from __future__ import annotations

import copy
import itertools
import os
import socket
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from kcb_core.errors import MachineError
from kcb_core.limits import LIMITS, Limits
from kcb_core.report import Confinement
from kcb_core.roles import LaunchRequest
from kcb_runner.launch.box import make_box, remove_box, roomy_folder
from kcb_runner.launch.bundle import write_bundle
from kcb_runner.launch.child import Child
from kcb_runner.launch.leftovers import make_folder
from kcb_runner.launch.supervisor import SlotProcess, SlotRefused, Supervisor, kill_user, readable
from kcb_runner.launch.visible import hidden
from kcb_runner.launch.visible import readable as visible
from kcb_runner.launch.workspace import Workspace
from kcb_runner.slot.plan import INSIDE, LEVELS, PROJECT, Plan
from kcb_runner.tree import remove_tree

WORN_AFTER = 256
"""Quick sessions after which a slot is replaced: what one supervisor forks shares a hash seed."""

_FIRST_USER = 0x6000_0000
_SLOTS_OF_PROCESS = 64
_PROCESSES = 1 << 22

_numbers = itertools.count()


class SupervisedSlot:
    """A slot with its supervisors; see :class:`kcb_core.roles.Slot`."""

    python = None

    def __init__(self, plan: Plan, bundle: Path, supervisors: int = 1) -> None:
        """Open it.

        Args:
            plan: how it is set up.
            bundle: the folder with the program of its supervisors.
            supervisors: how many take turns.

        Raises:
            SlotRefused: it cannot be opened like this here.
        """
        self._plan = plan
        self._bundle = bundle
        self.level = plan.level
        self.owner = plan.user
        self._folder = None if plan.level == "full" else make_box(plan.user)
        if self._folder:
            plan.box = str(self._folder)
        self.inside = Path(plan.box)
        self._supervisors: list[Supervisor] = []
        try:
            for _ in range(supervisors):
                self._supervisors.append(self.another())
        except BaseException:
            self.close()
            raise
        box = self._supervisors[0].box
        self.outside = self._folder or Path(f"/proc/self/fd/{box}")
        self._turns = 0
        loaded = frozenset[str]().union(*(s.loaded for s in self._supervisors))
        self.quick = loaded if plan.preload else None
        self.quick_sessions = len(self._supervisors) if plan.preload else 0

    @property
    def mechanisms(self) -> tuple[str, ...]:
        """What is in force, by name."""
        return self._supervisors[0].mechanisms

    @property
    def pid(self) -> int:
        """Process id of the first supervisor, whose namespaces all sessions share."""
        return self._supervisors[0].pid

    @property
    def usable(self) -> bool:
        """Whether another project can be played here."""
        return self._turns < WORN_AFTER and not any(s.broken for s in self._supervisors)

    def launch(self, request: LaunchRequest) -> SlotProcess:
        """Start one process; errors as in :class:`kcb_core.roles.Slot`."""
        fork = self.quick is not None and not request.fresh
        if fork:
            self._turns += 1
        supervisor = self._supervisors[self._turns % len(self._supervisors)]
        return supervisor.start(request, fork=fork)

    def another(self) -> Supervisor:
        """One more supervisor over the same box and network, for sessions beside the others.

        Who asks for it closes it, before the slot. It kills none but its own sessions.

        Raises:
            SlotRefused: it cannot be started.
        """
        plan = copy.copy(self._plan)
        if self.level == "full" and self._supervisors:
            plan.join = self._supervisors[0].pid
        return Supervisor(plan, Child(plan.python, self._bundle))

    @property
    def folders(self) -> list[str]:
        """What sessions can write to, as they see it; they start in the first."""
        return self._plan.folders

    def listen(self, port: int) -> socket.socket:
        """A socket that listens where sessions run; errors as in :meth:`Supervisor.listen`."""
        return self._supervisors[0].listen(port)

    def close(self) -> None:
        """End its supervisors, and remove what it held."""
        for supervisor in reversed(self._supervisors):
            supervisor.close()
        if self.owner is not None and self.level != "full":
            kill_user(self.owner, self._plan.python)
        if self._folder:
            remove_box(self._folder)


class SlotKeeper:
    """Opens slots at one level, and keeps those that are not in use."""

    def __init__(
        self,
        level: str,
        python: str,
        *,
        limits: Limits = LIMITS,
        preload: tuple[str, ...] = (),
        network: bool = False,
        hosts: tuple[tuple[str, str], ...] = (),
        workspace: Workspace | None = None,
        show: tuple[str, ...] = (),
    ) -> None:
        """Find out how this machine allows the level.

        Args:
            level: one of ``full``, ``basic`` and ``none``.
            python: real path of the interpreter that candidates run on.
            limits: what one session may use.
            preload: modules that forked sessions find loaded; none to start each as a program.
            network: whether sockets of this machine can be used inside.
            hosts: addresses and their names that can be looked up inside, at level ``full``.
            workspace: a folder that takes the place of the project's copy; with one there is only
                one slot at a time.
            show: files and folders that can be read besides.

        Raises:
            SlotRefused: it does not allow it.
        """
        self.level = level
        self._python = python
        self._limits = limits
        self._preload = preload
        self._network = network
        self._hosts = hosts
        self._workspace = workspace
        self._show = show
        self._own_user = self._drop_first = False
        self._idle: list[SupervisedSlot] = []
        self._lock = threading.Lock()
        self._home = make_folder("supervisor", roomy_folder())
        self._home.chmod(0o755)
        (self._home / "root").mkdir()
        write_bundle(self._home)
        try:
            self._idle.append(self._first())
        except BaseException:
            self.close()
            raise
        self.confinement = Confinement(level=level, mechanisms=self._idle[0].mechanisms)

    @contextmanager
    def slot(self) -> Iterator[SupervisedSlot]:
        """A slot that nobody else uses meanwhile.

        Raises:
            MachineError: none could be opened.
        """
        with self._lock:
            slot = self._idle.pop() if self._idle else None
        slot = slot or self._open()
        try:
            yield slot
        except BaseException:
            slot.close()
            raise
        if slot.usable:
            with self._lock:
                self._idle.append(slot)
        else:
            slot.close()

    def close(self) -> None:
        """End all slots that are not in use."""
        with self._lock:
            idle, self._idle = self._idle, []
        for slot in idle:
            slot.close()
        with suppress(OSError):
            remove_tree(self._home)

    def _first(self) -> SupervisedSlot:
        """The first slot, opened in the way that works, and shown to run the interpreter."""
        refusals = []
        for way in _ways(self.level, many=self._workspace is not None):
            self._own_user, self._drop_first = way
            try:
                slot = self._open()
            except SlotRefused as error:
                refusals.append(str(error))
                continue
            problem = _prefix_problem(slot, self._python, self._limits)
            if not problem:
                return slot
            slot.close()
            refusals.append(problem)
        raise SlotRefused("; ".join(refusals))

    def _open(self) -> SupervisedSlot:
        user = own_user() if self._own_user else None
        if self._workspace:
            self._workspace.give_to(user)
        # Only in namespaces can one supervisor be spared when another ends a session.
        count = 2 if self._preload and self.level == "full" else 1
        return SupervisedSlot(self._plan(user), self._home, count)

    def _plan(self, user: int | None) -> Plan:
        limits = self._limits
        return Plan(
            level=self.level,
            python=self._python,
            box=INSIDE,
            mount_point=str(self._home / "root"),
            read=visible(self._python, *self._show),
            hide=hidden(self._python),
            user=user,
            drop_first=self._drop_first,
            network=self._network,
            hosts=self._hosts,
            workspace=str(self._workspace.folder) if self._workspace else "",
            preload=self._preload,
            box_bytes=limits.written_bytes + limits.submission_bytes,
            file_bytes=limits.file_bytes,
            open_files=limits.open_files,
            processes=limits.processes,
        )


def own_user() -> int:
    """User and group id for one more slot of this process, which nobody else has."""
    block = os.getpid() % _PROCESSES * _SLOTS_OF_PROCESS
    return _FIRST_USER + block + next(_numbers) % _SLOTS_OF_PROCESS


def _ways(level: str, *, many: bool) -> Sequence[tuple[bool, bool]]:
    """How a level may be reached: with a user of the slot's own or not, and before all else or not.

    The interpreter of root may lie where no other user can go, so that it has to be bound first;
    and root in a container may have less to give than a user namespace. Where ``many`` supervisors
    are of one user and see each other, each would kill all others with its session.
    """
    if os.geteuid() != 0 or level == "none" or (many and level == "basic"):
        return ((False, False),)
    return ((True, False), (True, True)) if level == "full" else ((True, False), (False, False))


def _prefix_problem(slot: SupervisedSlot, python: str, limits: Limits) -> str:
    """Why the interpreter is not itself in a slot; empty if it is."""
    expected = f"{os.path.realpath(sys.base_prefix)}\n"
    program = "import os, json, sys; print(os.path.realpath(sys.prefix))"
    request = LaunchRequest(
        argv=(python, "-E", "-s", "-S", "-c", program),
        cwd=slot.inside / PROJECT,
        environment={"LANG": "C.UTF-8"},
        limits=limits,
    )
    try:
        process = slot.launch(request)
    except MachineError as error:
        return str(error)
    try:
        readable(process.exit_fd, limits.session_s)
        with suppress(BlockingIOError):
            said = os.read(process.stdout, 4096).decode("utf-8", "replace")
            if said == expected:
                return ""
        with suppress(BlockingIOError):
            said = os.read(process.stderr, 4096).decode("utf-8", "replace")
    except MachineError as error:
        return str(error)
    finally:
        process.stop()
    lines = said.strip().splitlines() or ["it says nothing"]
    return f"{python} does not work in there: {lines[-1]}"


__all__ = ["LEVELS", "SlotKeeper", "SupervisedSlot"]
