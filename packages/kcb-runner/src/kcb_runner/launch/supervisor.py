"""The evaluator's end of a supervisor: one process, one conversation."""

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
from pathlib import Path
from typing import Any

from kcb_core.errors import MachineError
from kcb_core.roles import LaunchRequest
from kcb_runner.slot.plan import MESSAGE_BYTES, Plan

START_S = 20.0
"""How long a supervisor may take to set its slot up, on a busy machine."""

ANSWER_S = 10.0
"""How long a supervisor may take to answer, before the machine is at fault."""

_ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
_MOST_DESCRIPTORS = 4

_live: set[int] = set()
_live_lock = threading.Lock()


class SlotRefused(MachineError):
    """A supervisor says that it cannot set its slot up; the message tells why."""


class Supervisor:
    """A process that was told a plan, and starts sessions.

    Attributes:
        pid: of the process that was started; at level ``full`` the first of its namespace is
            another.
        box: descriptor of its box at level ``full``, if it has one of its own.
        broken: whether it failed to answer, so that it must not be used again.
    """

    def __init__(self, plan: Plan, bundle: Path) -> None:
        """Start it, and wait until its slot is set up.

        Args:
            plan: what to set up.
            bundle: the folder with its program.

        Raises:
            SlotRefused: it cannot be set up here.
            MachineError: it could not be started, or says nothing.
        """
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket = ours
        self.box: int | None = None
        self.broken = False
        argv = (plan.python, "-E", "-s", "-S", "main.py")
        try:
            self._process = subprocess.Popen(
                argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=bundle,
                env=_ENVIRONMENT,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        except OSError as error:
            ours.close()
            raise MachineError(f"cannot start {plan.python}: {error.strerror}") from error
        finally:
            theirs.close()
        self.pid = self._process.pid
        with _live_lock:
            _live.add(self.pid)
        try:
            self._greet(plan)
        except BaseException:
            self.close()
            raise

    def _greet(self, plan: Plan) -> None:
        try:
            self._socket.send(plan.encode())
            said, descriptors = self._receive(START_S)
        except MachineError as error:
            raise SlotRefused(f"{error}{self._complaint()}") from None
        self.box = descriptors[0] if descriptors else None
        self.mechanisms: tuple[str, ...] = tuple(said["mechanisms"])
        self.loaded = frozenset(said["loaded"])
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe:
                pipe.close()

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
        return SlotProcess(self, said["pid"], descriptors[0], ours)

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
            raise MachineError(said["error"])
        return said, descriptors

    def kill(self) -> None:
        """End it the hard way; the first process of its namespace follows it."""
        _kill(self.pid)

    def close(self) -> None:
        """End it, and with it whatever it started."""
        self._socket.close()
        try:
            self._process.wait(ANSWER_S)
        except subprocess.TimeoutExpired:
            self.kill()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(ANSWER_S)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe:
                pipe.close()
        if self.box is not None:
            os.close(self.box)
            self.box = None
        with _live_lock:
            _live.discard(self.pid)

    def _complaint(self) -> str:
        """The last line that a supervisor without a plan left on its standard error."""
        pipe = self._process.stderr
        self.kill()
        if pipe is None or not readable(pipe.fileno(), 1):
            return ""
        lines = os.read(pipe.fileno(), 1 << 16).decode("utf-8", "replace").strip().splitlines()
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
            self._end()
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

    def stop(self) -> float:
        """Kill all that the session started; errors as in :class:`kcb_core.roles.Launched`."""
        try:
            if self._ended is None:
                self._end()
        finally:
            self.close_stdin()
            _close(self.stdout, self.stderr, self._exit_fd)
        return float(self._ended["cpu_s"]) if self._ended else 0.0

    def _end(self) -> None:
        self._ended, _ = self._supervisor.ask({"end": True})


def kill_supervisors() -> None:
    """Kill every slot of this process right now; for the last moment of a process."""
    with _live_lock:
        for pid in _live:
            _kill(pid)


def readable(handle: int, patience_s: float) -> bool:
    """Whether there is something to read, or an end, within so many seconds."""
    waiting = select.poll()  # unlike select() it takes any descriptor
    waiting.register(handle, select.POLLIN)
    return bool(waiting.poll(patience_s * 1000))


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def _close(*descriptors: int) -> None:
    for handle in descriptors:
        with suppress(OSError):
            os.close(handle)


__all__ = ["SlotProcess", "SlotRefused", "Supervisor", "kill_supervisors"]
