"""The evaluator's end of the conversation with a supervisor, wherever that was started."""

from __future__ import annotations

import array
import json
import os
import select
import signal
import socket
import subprocess
import threading
from contextlib import suppress
from typing import Any

from kcb_core.errors import MachineError
from kcb_core.roles import LaunchRequest
from kcb_runner.launch.child import Process
from kcb_runner.slot.plan import MESSAGE_BYTES, Plan

START_S = 20.0
"""How long a supervisor may take to set its slot up, on a busy machine."""

ANSWER_S = 10.0
"""How long a supervisor may take to answer, before the machine is at fault."""

_MOST_DESCRIPTORS = 4

_live: set[Supervisor] = set()
_live_lock = threading.Lock()


class SlotRefused(MachineError):
    """A supervisor says that it cannot set its slot up; the message tells why."""


class Unwilling(MachineError):
    """A supervisor could not do what it was asked for, and goes on.

    Attributes:
        number: the system's number of the error, if it was one.
    """

    def __init__(self, message: str, number: int | None) -> None:
        super().__init__(message)
        self.number = number


class Supervisor:
    """A process that was told a plan, and starts sessions.

    Attributes:
        pid: of the process that was started; at level ``full`` the first of its namespace is
            another.
        box: descriptor of its box at level ``full``, if it has one of its own.
        mechanisms: what is in force, by name.
        loaded: top-level modules that a forked session finds loaded.
        python: real path of its interpreter, as a candidate sees it.
        version: version of that.
        broken: whether it failed to answer, so that it must not be used again.
    """

    def __init__(self, plan: Plan, process: Process) -> None:
        """Wait until its slot is set up.

        Args:
            plan: what to set up.
            process: a supervisor that was started and knows nothing yet; it is closed with this.

        Raises:
            SlotRefused: it cannot be set up here.
        """
        self._process = process
        self._socket = process.socket
        self._session: int | None = None
        self.pid = process.pid
        self.box: int | None = None
        self.broken = False
        with _live_lock:
            _live.add(self)
        try:
            self._greet(plan)
        except BaseException:
            self.close()
            raise

    def _greet(self, plan: Plan) -> None:
        try:
            self._socket.send(plan.encode())
            said, descriptors = self._receive(START_S)
        except (MachineError, OSError) as error:
            raise SlotRefused(f"{error}{self._complaint()}") from None
        self.box = descriptors[0] if descriptors else None
        self._leads_all = plan.level == "full"
        self.mechanisms: tuple[str, ...] = tuple(said["mechanisms"])
        self.loaded = frozenset(said["loaded"])
        self.python: str = said["python"]
        self.version: str = said["version"]
        self._process.detach()

    def start(self, request: LaunchRequest, *, fork: bool) -> SlotProcess:
        """Start a session.

        Args:
            request: what to start.
            fork: whether by forking, else as a new program.

        Raises:
            MachineError: it could not be started.
        """
        words = {
            "argv": request.argv,
            "environment": dict(request.environment),
            "fork": fork,
        }
        pipes = [os.pipe2(os.O_CLOEXEC) for _ in range(3)]
        (stdin, to_stdin), (from_stdout, stdout), (from_stderr, stderr) = pipes
        ours, theirs = (to_stdin, from_stdout, from_stderr), (stdin, stdout, stderr)
        try:
            said, descriptors = self.ask({"start": words}, theirs)
        except BaseException:
            _close(*ours)
            raise
        finally:
            _close(*theirs)
        if not self._leads_all:
            self._session = said["pid"]
        return SlotProcess(self, said["pid"], descriptors[0], ours)

    def end(self) -> dict[str, Any]:
        """End the session: its status, its CPU seconds, and how many others were alive still.

        Raises:
            MachineError: the supervisor is gone, or does not answer.
        """
        said, _ = self.ask({"end": True})
        self._session = None
        return said

    def listen(self, port: int) -> socket.socket:
        """A socket that listens on loopback where sessions run, at level ``full`` in there alone.

        Args:
            port: its number; 0 for any that is free.

        Raises:
            MachineError: it could not be made.
        """
        _, descriptors = self.ask({"listen": port})
        return socket.socket(fileno=descriptors[0])

    def ask(
        self, message: dict[str, Any], descriptors: tuple[int, ...] = ()
    ) -> tuple[dict[str, Any], list[int]]:
        """Send a message and wait for its answer.

        Raises:
            MachineError: the supervisor is gone, does not answer, or could not do it.
        """
        sent = array.array("i", descriptors).tobytes()
        extra = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, sent)] if descriptors else []
        try:
            self._socket.sendmsg([json.dumps(message).encode()], extra)
        except OSError as error:
            self.broken = True
            raise MachineError(f"the supervisor of a slot is gone: {error.strerror}") from None
        return self._receive(ANSWER_S)

    def _receive(self, patience_s: float) -> tuple[dict[str, Any], list[int]]:
        if not readable(self._socket.fileno(), patience_s):
            self.broken = True
            self.kill()
            raise MachineError(f"the supervisor of a slot says nothing for {patience_s:g} s")
        try:
            message, descriptors, _, _ = socket.recv_fds(
                self._socket, MESSAGE_BYTES, _MOST_DESCRIPTORS, socket.MSG_CMSG_CLOEXEC
            )
        except ConnectionError:
            message, descriptors = b"", []
        if not message:
            self.broken = True
            raise MachineError("the supervisor of a slot is gone")
        said: dict[str, Any] = json.loads(message)
        if "error" in said:
            _close(*descriptors)
            raise Unwilling(said["error"], said.get("number"))
        return said, descriptors

    def kill(self) -> None:
        """End it the hard way; the first process of its namespace follows it.

        Without a namespace the process group of the session, which has nobody to end it any more,
        is killed too.
        """
        self._process.kill()
        self._kill_session()

    def close(self) -> None:
        """End it, and with it whatever it started."""
        self._process.close()
        self._kill_session()
        if self.box is not None:
            os.close(self.box)
            self.box = None
        with _live_lock:
            _live.discard(self)

    def _kill_session(self) -> None:
        if self._session is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._session, signal.SIGKILL)

    def _complaint(self) -> str:
        """The last line that a supervisor without a plan left on its standard error."""
        self.kill()
        lines = self._process.complaint().strip().splitlines()
        return f": {lines[-1]}" if lines else ""


class SlotProcess:
    """A candidate's process in a slot; see :class:`kcb_core.roles.Launched`."""

    def __init__(
        self, supervisor: Supervisor, pid: int, exit_fd: int, pipes: tuple[int, int, int]
    ) -> None:
        self._supervisor = supervisor
        self.pid = pid
        self._exit_fd = exit_fd
        self.stdin, self.stdout, self.stderr = pipes
        self._stdin_open = True
        self._ended: dict[str, Any] | None = None
        for handle in pipes:
            os.set_blocking(handle, False)

    @property
    def exit_fd(self) -> int:
        """Readable when the process has ended."""
        return self._exit_fd

    @property
    def survivors(self) -> int:
        """Other processes of the session that were alive when the first had ended."""
        return int(self._ended["survivors"]) if self._ended else 0

    def poll(self) -> int | None:
        """The exit status, negative for a signal, or None while the process lives.

        With the first process the session ends: whatever else it started is killed.
        """
        if self._ended is None and readable(self._exit_fd, 0):
            self.end()
        return int(self._ended["status"]) if self._ended else None

    def close_stdin(self) -> None:
        """End the process's input; a second time does nothing."""
        if self._stdin_open:
            self._stdin_open = False
            os.close(self.stdin)

    def usage(self) -> tuple[int, int]:
        """Resident bytes, and processes and threads, of the session."""
        said, _ = self._supervisor.ask({"usage": True})
        return said["resident"], said["tasks"]

    def end(self) -> dict[str, Any]:
        """Kill all that the session started; what it has written can still be read.

        Returns:
            What the supervisor says of it: see :meth:`Supervisor.end`.
        """
        if self._ended is None:
            self._ended = self._supervisor.end()
        return self._ended

    def stop(self) -> float:
        """Kill all that the session started; errors as in :class:`kcb_core.roles.Launched`."""
        try:
            self.end()
        finally:
            self.close_stdin()
            _close(self.stdout, self.stderr, self._exit_fd)
        return float(self._ended["cpu_s"]) if self._ended else 0.0


def kill_supervisors() -> None:
    """Kill every slot of this process right now; for the last moment of a process."""
    with _live_lock:
        for supervisor in _live:
            supervisor.kill()


def readable(handle: int, patience_s: float) -> bool:
    """Whether there is something to read, or an end, within so many seconds."""
    waiting = select.poll()  # unlike select() it takes any descriptor
    waiting.register(handle, select.POLLIN)
    return bool(waiting.poll(patience_s * 1000))


def _close(*descriptors: int) -> None:
    for handle in descriptors:
        with suppress(OSError):
            os.close(handle)


def kill_user(user: int, python: str) -> None:
    """Kill whatever a user of a slot's own has running; for when its supervisor may be gone.

    Args:
        user: whose processes are killed.
        python: an interpreter that the user may run.
    """
    program = "import os; os.kill(-1, 9)"
    with suppress(OSError, subprocess.TimeoutExpired):
        subprocess.run(
            (python, "-I", "-S", "-c", program),
            user=user,
            group=user,
            extra_groups=[],
            stderr=subprocess.DEVNULL,  # it complains if there is nobody
            timeout=ANSWER_S,
            check=False,
        )


__all__ = ["SlotProcess", "SlotRefused", "Supervisor", "kill_supervisors", "kill_user"]
