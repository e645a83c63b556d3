"""Lets a playing that hangs on time have the evaluator to itself."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class QuietGate:
    """Many may play at once, or one alone; who wants to be alone is let in before new ones."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._playing = 0
        self._alone = False
        self._waiting = 0

    @contextmanager
    def shared(self) -> Iterator[None]:
        """Play beside others."""
        with self._changed:
            self._changed.wait_for(lambda: not self._alone and self._waiting == 0)
            self._playing += 1
        try:
            yield
        finally:
            with self._changed:
                self._playing -= 1
                self._changed.notify_all()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Play while nobody else does; every other playing is bounded, and so is this wait."""
        with self._changed:
            self._waiting += 1
            try:
                self._changed.wait_for(lambda: not self._alone and self._playing == 0)
                self._alone = True
            finally:
                self._waiting -= 1
        try:
            yield
        finally:
            with self._changed:
                self._alone = False
                self._changed.notify_all()
