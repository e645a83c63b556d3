"""A worker in the hands of whoever started it: told what to do, listened to, ended, waited for."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread
from typing import BinaryIO

import msgspec

from kcb_core.codec import canonical, decode
from kcb_core.errors import DataError
from kcb_experiments.engine.orders import Signal, WorkOrder
from kcb_experiments.engine.vessel import GRACE_S, Vessel

MAX_LINE = 1 << 20
"""Longest line of a worker that is listened to, in bytes."""

KEPT_LINES = 40
"""Lines of a worker's errors that are kept, the last ones."""

_JOIN_S = 2.0

_alive: set[Child] = set()
_alive_lock = Lock()


class Child:
    """One worker with its order."""

    def __init__(self, vessel: Vessel, order: WorkOrder, heard: Callable[[Signal], None]) -> None:
        """Hand over the order.

        Args:
            vessel: what the worker runs in; it is closed with this.
            order: what it is to do.
            heard: called with all that it says, in a thread of its own.
        """
        self._vessel = vessel
        self._heard = heard
        self._errors: deque[str] = deque(maxlen=KEPT_LINES)
        with _alive_lock:
            _alive.add(self)
        self._threads = [
            Thread(target=self._listen, args=(vessel.output,), daemon=True),
            Thread(target=self._drain, args=(vessel.errors,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        line = canonical(msgspec.to_builtins(order))
        with suppress(OSError):  # it has died already, which is seen soon
            vessel.input.write(line.rstrip(b"\n") + b"\n")
            vessel.input.flush()

    @property
    def status(self) -> int | None:
        """Its exit status, negative for a signal; None as long as that is not known."""
        return self._vessel.status

    @property
    def errors(self) -> str:
        """The last lines that it wrote to standard error."""
        return "".join(self._errors)

    def wait(self, seconds: float) -> bool:
        """Whether it ends within so many seconds."""
        return self._vessel.wait(seconds)

    def interrupt(self) -> None:
        """Ask it to end in order, and kill it when it does not."""
        self._vessel.interrupt()

    def kill(self) -> None:
        """Kill it and all that it has started."""
        self._vessel.kill()

    def close(self) -> None:
        """End what is left of it, and hear it out."""
        vessel = self._vessel
        if not vessel.wait(0):
            vessel.kill()
            vessel.wait(GRACE_S)
        with suppress(OSError):
            vessel.input.close()
        for thread in self._threads:
            thread.join(_JOIN_S)  # a descendant may hold the pipe open; it is not waited for
        with _alive_lock:
            _alive.discard(self)
        vessel.close()
        for stream, thread in zip((vessel.output, vessel.errors), self._threads, strict=True):
            if not thread.is_alive():
                stream.close()

    def _listen(self, stream: BinaryIO) -> None:
        with suppress(OSError, ValueError):  # its other end was cut, or closed from here
            while line := stream.readline(MAX_LINE):
                with suppress(DataError):  # what is no signal is an agent's own noise
                    self._heard(decode(line, Signal, source="worker"))

    def _drain(self, stream: BinaryIO) -> None:
        with suppress(OSError, ValueError):
            while line := stream.readline(MAX_LINE):
                self._errors.append(line.decode("utf-8", "replace"))


def kill_children() -> None:
    """Kill every worker that is running right now; for the last moment of a process."""
    for child in tuple(_alive):
        child.kill()
