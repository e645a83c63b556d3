"""The sandbox itself: a folder, a confinement around it, and the programs that run there."""

from __future__ import annotations

import json
import os
import socket
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType

from kcb_core.environment import clean_environment
from kcb_core.errors import DeclarationError, MachineError
from kcb_core.limits import Limits
from kcb_core.report import Confinement
from kcb_core.roles import LaunchRequest
from kcb_runner.cancel import Cancel
from kcb_runner.launch.remedy import remedy
from kcb_runner.launch.slots import SlotKeeper, SupervisedSlot
from kcb_runner.launch.supervisor import SlotRefused, Supervisor, Unwilling
from kcb_runner.launch.visible import refuse_own
from kcb_runner.launch.workspace import Workspace
from kcb_runner.machine import interpreter
from kcb_runner.sandbox.program import NOT_A_PROGRAM, Bounds, CommandResult, NotStarted, Program
from kcb_runner.slot.plan import HOME, LEVELS, MESSAGE_BYTES

_WATCHED = ("watched-memory", "watched-processes")
"""What is done at every level."""

_ROOM = 4096
"""Bytes of a start's message that are not the command."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What programs of one kind are given."""

    limits: Limits
    """Of each program: memory, processes, and how much of its output is kept; file size, open
    files, and what HOME holds. Time is set with each command."""
    network: bool
    """Whether they can use loopback and Unix sockets among themselves, at level ``full``."""


AGENT = Profile(
    limits=Limits(
        stdout_bytes=16 << 20,
        stderr_bytes=16 << 20,
        memory_bytes=4 << 30,
        processes=512,
        open_files=4096,
        file_bytes=2 << 30,
        written_bytes=1 << 30,
    ),
    network=True,
)
"""Commands of an agent, or an agent itself."""


class Sandbox:
    """A folder in which any programs can be run, confined; use it as a context manager.

    All programs share the folder, HOME and the network; none sees the processes of another. Any
    thread may use it. In the end everything is killed, and the folder is the caller's again.
    """

    def __init__(
        self,
        folder: Path,
        *,
        profile: Profile = AGENT,
        confine: str = "full",
        show: Sequence[Path] = (),
        environment: Mapping[str, str] | None = None,
        hosts: Mapping[str, str] | None = None,
        cancel: Cancel | None = None,
    ) -> None:
        """Say what is wanted; nothing is started before its block is entered.

        Args:
            folder: where programs start, and all that they can write to but HOME. What is in it is
                theirs meanwhile; at level ``full`` and for root it even changes its owner.
            profile: what they are given.
            confine: ``full``, ``basic`` or ``none``; at no level is less done than it says.
            show: files and folders that they can read, at the same place, besides the system's
                programs and libraries, such as toolchains.
            environment: variables besides PATH, LANG, HOME and TMPDIR, or in place of these.
            hosts: names that can be looked up inside, with their addresses, at level ``full``.
            cancel: ends every program with the run that it belongs to.

        Raises:
            DeclarationError: there is no such folder or level, or the evaluator's own packages
                would be visible.
        """
        if confine not in LEVELS:
            raise DeclarationError(f"unknown level {confine!r}; there are {', '.join(LEVELS)}")
        self._workspace = Workspace(folder)
        self._show = _shown(show)
        self._profile = profile
        self._level = confine
        self._environment = dict(environment or {})
        self._hosts = tuple((address, name) for name, address in (hosts or {}).items())
        self._cancel = cancel
        self._stack = ExitStack()
        self._lock = threading.Lock()
        self._idle: list[Supervisor] = []
        self._programs: set[Program] = set()
        self._slot: SupervisedSlot | None = None
        self.confinement = Confinement(level="none")

    def __enter__(self) -> Sandbox:
        """Set it up.

        Raises:
            MachineError: this machine cannot confine at the level that is asked for.
        """
        try:
            self._stack.callback(self._workspace.take_back)
            keeper = SlotKeeper(
                self._level,
                interpreter(),
                limits=self._profile.limits,
                network=self._profile.network and self._level != "basic",
                hosts=self._hosts,
                workspace=self._workspace,
                show=self._show,
            )
            self._stack.callback(keeper.close)
            self._slot = self._stack.enter_context(keeper.slot())
            self._stack.callback(self._end_programs)
            mechanisms = (*keeper.confinement.mechanisms, *_WATCHED)
            self.confinement = Confinement(level=self._level, mechanisms=mechanisms)
        except SlotRefused as error:
            self._stack.close()
            hint = remedy(Confinement(level="none"))
            raise MachineError(f"no sandbox at level {self._level!r}: {error}; {hint}") from None
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Kill everything, and give the folder back."""
        self._stack.close()

    @property
    def inside(self) -> Path:
        """The folder as programs see it."""
        return Path(self._opened().folders[0])

    @property
    def home(self) -> Path:
        """HOME and TMPDIR as programs see them: empty at first, and gone in the end."""
        return self._opened().inside / HOME

    @property
    def pid(self) -> int:
        """Process id, out here, of a process in the namespaces that all programs share."""
        return self._opened().pid

    def run(
        self,
        argv: Sequence[str],
        *,
        timeout_s: float,
        stdin: bytes = b"",
        environment: Mapping[str, str] | None = None,
    ) -> CommandResult:
        """Run a command to its end, and kill whatever it has left running.

        Args:
            argv: program and words; a name without a slash is looked for in PATH. No shell is
                involved.
            timeout_s: seconds after which it is killed.
            stdin: what it can read.
            environment: more variables for it alone.

        Raises:
            NotStarted: there is no such program in there, or its words are too long.
            Cancelled: the run was stopped.
            MachineError: the sandbox failed.
        """
        program = self.start(argv, timeout_s=timeout_s, stdin=stdin, environment=environment)
        result = program.wait()
        assert result is not None
        return result

    def start(
        self,
        argv: Sequence[str],
        *,
        timeout_s: float | None = None,
        stdin: bytes = b"",
        environment: Mapping[str, str] | None = None,
    ) -> Program:
        """Start a program that runs beside others; arguments and errors as in :meth:`run`."""
        slot = self._opened()
        home = slot.inside / HOME
        extra = {**self._environment, **(environment or {})}
        request = LaunchRequest(
            argv=tuple(argv),
            cwd=self.inside,
            environment=clean_environment(home=home, scratch=home, extra=extra),
            limits=self._profile.limits,
        )
        _refuse_unstartable(request)
        supervisor = self._supervisor(slot)
        try:
            process = supervisor.start(request, fork=False)
        except Unwilling as error:
            self._give_back(supervisor)
            if error.number and error.number in NOT_A_PROGRAM:
                raise NotStarted(f"{argv[0]}: {os.strerror(error.number)}") from None
            raise
        except BaseException:
            supervisor.close()
            raise
        bounds = Bounds(limits=request.limits, timeout_s=timeout_s, cancel=self._cancel)
        with self._lock:
            program = Program(process, stdin, bounds, partial(self._over, supervisor))
            self._programs.add(program)
        return program

    def listen(self, port: int = 0) -> socket.socket:
        """A socket that listens on 127.0.0.1 inside, for this process to accept from.

        So a service of the caller's can be reached from within, and nothing else of this machine.

        Args:
            port: its number; 0 for any that is free, which ``getsockname`` tells.

        Raises:
            MachineError: the port is taken, or there is no such network at this level.
        """
        slot = self._opened()
        if not self._profile.network or self._level == "basic":
            raise MachineError(f"a sandbox of this profile has no network at level {self._level!r}")
        with self._lock:
            return slot.listen(port)

    def _opened(self) -> SupervisedSlot:
        if self._slot is None:
            raise DeclarationError("this sandbox is not open; use it in a 'with' block")
        return self._slot

    def _supervisor(self, slot: SupervisedSlot) -> Supervisor:
        """One that has nothing to do."""
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return slot.another()

    def _give_back(self, supervisor: Supervisor) -> None:
        with self._lock:
            if self._slot is not None and not supervisor.broken:
                self._idle.append(supervisor)
                return
        supervisor.close()

    def _over(self, supervisor: Supervisor, program: Program) -> None:
        with self._lock:
            self._programs.discard(program)
        self._give_back(supervisor)

    def _end_programs(self) -> None:
        """Kill every program that runs, and end all supervisors but the slot's own."""
        with self._lock:
            self._slot = None
            programs, idle = list(self._programs), self._idle
            self._idle = []
        for program in programs:
            program.end()
        for supervisor in idle:
            supervisor.close()


def _shown(paths: Sequence[Path]) -> tuple[str, ...]:
    """Paths that shall be visible, with what they are links to."""
    shown: list[str] = []
    for path in paths:
        if not path.is_absolute() or not path.exists() or path == Path("/"):
            raise DeclarationError(f"{path}: only an absolute path that exists can be shown")
        real = path.resolve()
        refuse_own(real)
        shown += [str(path), str(real)]
    return tuple(dict.fromkeys(shown))


def _refuse_unstartable(request: LaunchRequest) -> None:
    """Raise :class:`NotStarted` for what can be no command line."""
    words = [*request.argv, *request.environment, *request.environment.values()]
    if not request.argv or not request.argv[0] or any("\0" in word for word in words):
        raise NotStarted("a command needs a program, and no zero byte")
    size = len(json.dumps(words))
    if size > MESSAGE_BYTES - _ROOM:
        raise NotStarted(f"a command of {size:,} bytes is too long; put it into a file")
