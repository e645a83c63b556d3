"""Ctrl-C and SIGTERM while a model is asked: at once, but never in the middle of handing in."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupts:
    """Raises ``KeyboardInterrupt`` for either signal, put off while something must be finished."""

    def __init__(self) -> None:
        self._shielded = False
        self._pending = False

    @contextmanager
    def caught(self) -> Iterator[None]:
        """Both signals interrupt. Outside the main thread none can be caught, and none is."""
        before = {}
        if threading.current_thread() is threading.main_thread():
            before = {number: signal.signal(number, self._handle) for number in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    @contextmanager
    def shielded(self) -> Iterator[None]:
        """One signal waits until this is over; a second one does not."""
        self._shielded = True
        try:
            yield
        finally:
            self._shielded = False
            if self._pending:
                self._pending = False
                raise KeyboardInterrupt

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self._shielded and not self._pending:
            self._pending = True
            return
        raise KeyboardInterrupt
