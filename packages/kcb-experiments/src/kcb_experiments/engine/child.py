"""A worker's process in the hands of whoever started it: listened to, ended, waited for."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Lock, Thread
from typing import IO

import msgspec

from kcb_core.codec import canonical, decode
from kcb_core.errors import DataError, MachineError
from kcb_experiments.engine.descendants import descendants, kill_known
from kcb_experiments.engine.orders import Signal, WorkOrder

GRACE_S = 3.0
"""How long a worker has to end in order before it is killed, in seconds."""

MAX_LINE = 1 << 20
"""Longest line of a worker that is listened to, in bytes."""

KEPT_LINES = 40
"""Lines of a worker's errors that are kept, the last ones."""

_JOIN_S = 2.0
_MODULE = "kcb_experiments.engine.worker"

_alive: set[Child] = set()
_alive_lock = Lock()


class Child:
    """One worker, which leads a session of its own so that no signal of a terminal reaches it."""

    def __init__(
        self, order: WorkOrder, environment: Mapping[str, str], heard: Callable[[Signal], None]
    ) -> None:
        """Start a worker.

        Args:
            order: what it is to do.
            environment: all of its environment.
            heard: called with all that it says, in a thread of its own.

        Raises:
            MachineError: it cannot be started.
        """
        self._heard = heard
        self._errors: deque[str] = deque(maxlen=KEPT_LINES)
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", _MODULE],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=dict(environment),
                start_new_session=True,
            )
        except OSError as error:
            raise MachineError(f"no worker can be started: {error.strerror or error}") from error
        with _alive_lock:
            _alive.add(self)
        self._threads = [
            Thread(target=self._listen, args=(self._process.stdout,), daemon=True),
            Thread(target=self._drain, args=(self._process.stderr,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        self._hand_over(order)

    @property
    def status(self) -> int | None:
        """Its exit status if it has ended, negative for a signal; else None."""
        return self._process.poll()

    @property
    def errors(self) -> str:
        """The last lines that it wrote to standard error."""
        return "".join(self._errors)

    def wait(self, seconds: float) -> bool:
        """Whether it ends within so many seconds."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        return self._process.returncode is not None

    def interrupt(self) -> None:
        """Ask it to end in order, and kill it when it does not."""
        below = descendants(self._process.pid)
        with suppress(OSError):
            self._process.send_signal(signal.SIGTERM)
        if not self.wait(GRACE_S):
            self.kill()
        kill_known(below)

    def kill(self) -> None:
        """Kill it and all that it has started, in whatever session that is now."""
        below = descendants(self._process.pid)
        with suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        kill_known(below)

    def close(self) -> None:
        """End what is left of it, and hear it out."""
        if self.status is None:
            self.kill()
            self.wait(GRACE_S)
        with suppress(OSError):
            if self._process.stdin:
                self._process.stdin.close()
        for thread in self._threads:
            thread.join(_JOIN_S)  # a descendant may hold the pipe open; it is not waited for
        with _alive_lock:
            _alive.discard(self)
        for stream, thread in zip(
            (self._process.stdout, self._process.stderr), self._threads, strict=True
        ):
            if stream and not thread.is_alive():
                stream.close()

    def _hand_over(self, order: WorkOrder) -> None:
        line = canonical(msgspec.to_builtins(order))
        with suppress(OSError):  # it has died already, which is seen soon
            if self._process.stdin:
                self._process.stdin.write(line.rstrip(b"\n") + b"\n")
                self._process.stdin.flush()

    def _listen(self, stream: IO[bytes]) -> None:
        while line := stream.readline(MAX_LINE):
            with suppress(DataError):  # what is no signal is an agent's own noise
                self._heard(decode(line, Signal, source="worker"))

    def _drain(self, stream: IO[bytes]) -> None:
        while line := stream.readline(MAX_LINE):
            self._errors.append(line.decode("utf-8", "replace"))


def kill_children() -> None:
    """Kill every worker that is running right now; for the last moment of a process."""
    for child in tuple(_alive):
        child.kill()
