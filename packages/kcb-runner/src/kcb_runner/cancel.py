"""Stopping a run from outside: one signal that every wait can see."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from kcb_core.errors import ExitStatus


class Cancelled(Exception):
    """Raised in a session that is stopped because the whole run is; it is no verdict."""


class Cancel:
    """A switch that is thrown once, with a descriptor that is readable from then on."""

    def __init__(self) -> None:
        self.fd, self._write_fd = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self._thrown = threading.Event()

    @property
    def thrown(self) -> bool:
        """Whether the run is to stop."""
        return self._thrown.is_set()

    def throw(self) -> None:
        """Stop the run; safe in a signal handler, and as often as one likes."""
        if not self._thrown.is_set():
            self._thrown.set()
            os.write(self._write_fd, b"!")

    def close(self) -> None:
        """Give back the descriptors."""
        os.close(self.fd)
        os.close(self._write_fd)


@contextmanager
def cancel_on_signals(last_resort: Callable[[], None]) -> Iterator[Cancel]:
    """A switch that SIGINT and SIGTERM throw; a second signal ends the process at once.

    Outside the main thread no signal can be caught, and the switch is only thrown by hand.

    Args:
        last_resort: what is still to be done when the process ends at once.
    """
    cancel = Cancel()

    def handle(number: int, frame: FrameType | None) -> None:
        if cancel.thrown:
            last_resort()
            sys.stderr.flush()
            os._exit(ExitStatus.INTERRUPTED)
        cancel.throw()

    before = {}
    if threading.current_thread() is threading.main_thread():
        before = {number: signal.signal(number, handle) for number in _SIGNALS}
    try:
        yield cancel
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        cancel.close()


_SIGNALS = (signal.SIGINT, signal.SIGTERM)
