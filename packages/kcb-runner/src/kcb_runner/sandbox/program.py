"""One program that runs in a sandbox, from its start until all that it started is gone."""

from __future__ import annotations

import errno
import select
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from kcb_core.errors import KcbError, MachineError
from kcb_core.limits import Limits
from kcb_runner.cancel import Cancel, Cancelled
from kcb_runner.launch.supervisor import SlotProcess
from kcb_runner.sandbox.pipes import Fed, Kept, drain

LOOK_S = 0.1
"""How often a program's memory and processes are looked at."""

_DRAIN_S = 2.0

NOT_A_PROGRAM = frozenset(
    {errno.ENOENT, errno.EACCES, errno.ENOEXEC, errno.ENOTDIR, errno.ELOOP, errno.E2BIG}
    | {errno.EINVAL, errno.EISDIR, errno.ENAMETOOLONG, errno.EPERM, errno.ETXTBSY}
)
"""Errors of the system that are the command's fault, and not this machine's."""


class NotStarted(KcbError):
    """A command names no program that can be started in the sandbox: nothing was executed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandResult:
    """What became of one command. It was executed; what was not raises :class:`NotStarted`."""

    status: int | None
    """Exit status; None if a signal ended it."""
    signal: int | None
    """Number of the signal that ended it; None if it exited."""
    timed_out: bool
    """Whether it was killed because its time was over."""
    exceeded: str
    """``memory`` or ``processes`` if it was killed because it had too much; else empty."""
    stopped: bool
    """Whether it was killed because the caller said so."""
    stdout: bytes
    """What it wrote, byte for byte, as far as it was kept."""
    stderr: bytes
    """The same of its standard error."""
    stdout_dropped: int
    """Bytes after these that were read and not kept."""
    stderr_dropped: int
    """The same of its standard error."""
    survivors: int
    """Processes of it that were alive when the first had ended; they were killed."""
    wall_s: float
    """Seconds from start to end."""
    cpu_s: float
    """CPU seconds of all its processes."""

    @property
    def truncated(self) -> bool:
        """Whether there was more output than was kept."""
        return bool(self.stdout_dropped or self.stderr_dropped)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """When a program is ended though it goes on."""

    limits: Limits
    """Memory and processes; how much of each output is kept."""
    timeout_s: float | None
    """Seconds that it may run."""
    cancel: Cancel | None
    """Ends it with the run that it belongs to."""


class Program:
    """A program that runs; a thread of its own feeds it, reads it and watches it."""

    def __init__(
        self, process: SlotProcess, stdin: bytes, bounds: Bounds, over: Callable[[Program], None]
    ) -> None:
        """Watch it from now on.

        Args:
            process: what was just started.
            stdin: what it can read.
            bounds: when it is ended.
            over: called with this once everything it started is gone, or could not be ended.
        """
        self._process = process
        self._bounds = bounds
        self._over = over
        self._in = Fed(process.stdin, stdin)
        self._out = Kept(process.stdout, bounds.limits.stdout_bytes)
        self._err = Kept(process.stderr, bounds.limits.stderr_bytes)
        self._stop = Cancel()
        self._closed = False
        self._lock = threading.Lock()
        self._result: CommandResult | None = None
        self._error: Exception | None = None
        self._started = time.monotonic()
        self._thread = threading.Thread(target=self._run, name="kcb-sandbox", daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether it has not ended yet."""
        return self._thread.is_alive()

    @property
    def stdout(self) -> bytes:
        """What it has written so far, as far as it is kept."""
        return bytes(self._out.data)

    @property
    def stderr(self) -> bytes:
        """The same of its standard error."""
        return bytes(self._err.data)

    @property
    def written(self) -> int:
        """Bytes of both together so far, kept or not."""
        return sum(len(pipe.data) + pipe.dropped for pipe in (self._out, self._err))

    def wait(self, patience_s: float | None = None) -> CommandResult | None:
        """Wait until it ends; None if it has not within so many seconds.

        Raises:
            Cancelled: the run that it belonged to was stopped.
            MachineError: it could not be watched or ended.
        """
        self._thread.join(patience_s)
        if self._thread.is_alive():
            return None
        if self._error:
            raise self._error
        return self._result

    def stop(self) -> CommandResult:
        """Kill it with all that it started, if it still runs; errors as in :meth:`wait`."""
        self.end()
        result = self.wait()
        assert result is not None
        return result

    def end(self) -> None:
        """Kill it as :meth:`stop` does, whatever may come of it."""
        with self._lock:
            if not self._closed:
                self._stop.throw()
        self._thread.join()

    def _run(self) -> None:
        try:
            why = self._watch()
            said = self._process.end()
            drain([self._out, self._err], _DRAIN_S)
            self._result = self._conclude(why, said["status"], said["cpu_s"], said["survivors"])
            if why == "cancelled":
                raise Cancelled
        except Exception as error:  # noqa: BLE001 - raised again in the thread that asks
            self._error = error
        finally:
            self._close()

    def _close(self) -> None:
        try:
            self._process.stop()
        except MachineError as error:
            self._error = self._error or error
        finally:
            with self._lock:
                self._closed = True
                self._stop.close()
            self._over(self)

    def _conclude(self, why: str, status: int, cpu_s: float, survivors: int) -> CommandResult:
        return CommandResult(
            status=status if status >= 0 else None,
            signal=-status if status < 0 else None,
            timed_out=why == "timeout",
            exceeded=why if why in ("memory", "processes") else "",
            stopped=why == "stopped",
            stdout=bytes(self._out.data),
            stderr=bytes(self._err.data),
            stdout_dropped=self._out.dropped,
            stderr_dropped=self._err.dropped,
            survivors=survivors,
            wall_s=round(time.monotonic() - self._started, 4),
            cpu_s=round(cpu_s, 4),
        )

    def _watch(self) -> str:
        """Feed and read it until it has ended or has to end; why it has to, or empty."""
        timeout_s = self._bounds.timeout_s
        until = float("inf") if timeout_s is None else self._started + timeout_s
        look = self._started + LOOK_S
        while True:
            now = time.monotonic()
            ready = self._ready(max(0.0, min(until, look) - now))
            if self._process.exit_fd in ready:
                return ""
            if self._stop.thrown:
                return "stopped"
            if self._bounds.cancel and self._bounds.cancel.thrown:
                return "cancelled"
            now = time.monotonic()
            if now >= until:
                return "timeout"
            if now >= look:
                look = now + LOOK_S
                exceeded = self._exceeded()
                if exceeded:
                    return exceeded

    def _ready(self, patience_s: float) -> set[int]:
        """Wait until something can be done, and do it; the descriptors that were ready."""
        waiting = select.poll()
        waiting.register(self._process.exit_fd, select.POLLIN)
        for switch in (self._stop, self._bounds.cancel):
            if switch:
                waiting.register(switch.fd, select.POLLIN)
        for pipe in (self._out, self._err):
            if pipe.open:
                waiting.register(pipe.handle, select.POLLIN)
        if self._in.open:
            waiting.register(self._in.handle, select.POLLOUT)
        ready = {handle for handle, _ in waiting.poll(patience_s * 1000)}
        for pipe in (self._out, self._err):
            if pipe.handle in ready:
                pipe.read()
        if self._in.handle in ready and self._in.open:
            self._in.write()
            if not self._in.open:
                self._process.close_stdin()
        return ready

    def _exceeded(self) -> str:
        """What it has too much of; empty if nothing."""
        resident, tasks = self._process.usage()
        if resident > self._bounds.limits.memory_bytes:
            return "memory"
        return "processes" if tasks > self._bounds.limits.processes else ""
