"""The first process of a container, with a socket to it; and a slot, where it is a supervisor."""

from __future__ import annotations

import os
import select
import signal
import socket
import struct
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from kcb_core.errors import MachineError
from kcb_core.roles import LaunchRequest
from kcb_runner.launch.child import END_S
from kcb_runner.launch.engine import SOCKET, Engine, Wanted, last_line
from kcb_runner.launch.supervisor import SlotProcess, SlotRefused, Supervisor
from kcb_runner.slot.plan import Plan

START_S = 60.0
"""How long an engine may take to start a container, on a busy machine."""

_SLICE_S = 0.05
_CREDENTIALS = struct.Struct("3i")


class ContainedProcess:
    """The first process of a container; see :class:`kcb_runner.launch.child.Process`.

    Attributes:
        pid: its process id as this machine sees it.
    """

    def __init__(
        self,
        engine: Engine,
        wanted: Wanted,
        kind: socket.SocketKind = socket.SOCK_SEQPACKET,
    ) -> None:
        """Start the container, and wait until its first process calls.

        Args:
            engine: starts it.
            wanted: the container.
            kind: of the socket that the first process calls by.

        Raises:
            SlotRefused: the engine does not start it, or nobody calls.
        """
        self._engine = engine
        self._name = wanted.name
        # Not a pipe, which could be filled and then hold the engine up.
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        self._handle: int | None = None
        with socket.socket(socket.AF_UNIX, kind) as listener:
            path = wanted.control / SOCKET
            listener.bind(os.fspath(path))
            os.chown(path, wanted.user, -1)
            listener.listen(1)
            self._process = subprocess.Popen(
                engine.run_words(wanted),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._said,
                start_new_session=True,
            )
            try:
                self.socket = self._accepted(listener)
                # Nobody else can call any more: not the candidate, who is the same user.
                os.unlink(path)
                self.pid = self._caller(wanted.user)
            except BaseException:
                self._end()
                raise

    def _accepted(self, listener: socket.socket) -> socket.socket:
        waiting = select.poll()
        waiting.register(listener, select.POLLIN)
        until = time.monotonic() + START_S
        while time.monotonic() < until:
            if waiting.poll(_SLICE_S * 1000):
                return listener.accept()[0]
            if self._process.poll() is not None:
                raise SlotRefused(f"{self._engine.name} run: {last_line(self._read())}")
        raise SlotRefused(f"{self._engine.name} starts no container within {START_S:g} s")

    def _caller(self, user: int) -> int:
        """Process id of the caller, with a handle on it that no other process can take over."""
        said = self.socket.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
        pid, uid, _ = _CREDENTIALS.unpack(said)
        if uid != user or pid == 0:
            self.socket.close()
            raise SlotRefused(f"user {uid} calls from the container, not user {user}")
        self._handle = os.pidfd_open(pid)
        return int(pid)

    def detach(self) -> None:
        """Nothing to let go of: what the engine says goes into a file."""

    def complaint(self) -> str:
        """What the engine or the first process said."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(END_S)
        return self._read().decode("utf-8", "replace")

    @property
    def status(self) -> int | None:
        """Exit status of the first process as its engine tells it, negative for a signal.

        None as long as the engine says nothing, as when it was killed itself.
        """
        said = self._process.poll()
        if said is None or said < 0:
            return None
        return 128 - said if said > 128 else said

    def ended(self, seconds: float) -> bool:
        """Whether the first process ends within so many seconds, whatever its engine says."""
        if self._handle is None:
            return True
        waiting = select.poll()
        waiting.register(self._handle, select.POLLIN)
        return bool(waiting.poll(seconds * 1000))

    def send(self, number: int) -> None:
        """Send the first process a signal; it gets only those that it has a handler for."""
        if self._handle is not None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, number)

    def kill(self) -> None:
        """End the first process of the container, and with it all others."""
        self.send(signal.SIGKILL)

    def close(self) -> None:
        """Hang up, upon which the container ends, and see to it that it is gone."""
        self.socket.close()
        self._end()

    def _end(self) -> None:
        try:
            # An engine that was itself killed is gone before its container is.
            if self._handle is not None and self._gone() and self.ended(0):
                return
            self.kill()
            with suppress(MachineError):
                self._engine.call("rm", "--force", self._name)
            if not self._gone():
                self._process.kill()
                self._process.wait()
        finally:
            if self._handle is not None:
                os.close(self._handle)
                self._handle = None
            self._said.close()

    def _gone(self) -> bool:
        """Whether the engine says within a while that the container has ended."""
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _read(self) -> bytes:
        self._said.seek(0)
        return self._said.read()


class ContainedSlot:
    """A slot in a container of its own; see :class:`kcb_core.roles.Slot`.

    Attributes:
        pid: of its supervisor as this machine sees it.
        wanted: bounds that the control groups of the container ought to set, by controller.
        version: of its Python.
        mechanisms: what its supervisor has put in force, by name.
    """

    quick = None
    quick_sessions = 0

    def __init__(self, plan: Plan, process: ContainedProcess, wanted: Wanted) -> None:
        """Have the slot set up.

        Args:
            plan: what the supervisor is told.
            process: the supervisor.
            wanted: what the container was asked to be; its folder is removed with the slot.

        Raises:
            SlotRefused: it cannot be set up like this.
        """
        self._folder = wanted.control
        self.wanted = {"memory": wanted.memory_bytes, "pids": wanted.processes}
        self.pid = process.pid
        self._supervisor = Supervisor(plan, process)
        self.owner = plan.user
        self.inside = Path(plan.box)
        self.outside = Path(f"/proc/self/fd/{self._supervisor.box}")
        if self.owner is not None:
            os.chown(self.outside, os.geteuid(), os.getegid())  # only what is in it is theirs
        self.python = self._supervisor.python
        self.version = self._supervisor.version
        self.mechanisms = self._supervisor.mechanisms

    def launch(self, request: LaunchRequest) -> SlotProcess:
        """Start one process; errors as in :class:`kcb_core.roles.Slot`."""
        return self._supervisor.start(request, fork=False)

    def close(self) -> None:
        """End the container."""
        self._supervisor.close()
        with suppress(OSError):
            os.rmdir(self._folder)
