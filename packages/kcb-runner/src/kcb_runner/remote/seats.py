"""How many calls are under way at once, and whose turn is next."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

WAKE_S = 0.5
"""How often whoever waits looks whether there is still something to wait for."""


class Seats:
    """A queue for as many seats as there are at the moment; who came first is let in first.

    Without an order, what came last could overtake all others for as long as nothing ends.

    Attributes:
        queue: those who wait, the first one first.
    """

    def __init__(self, count: Callable[[], int], idle: Callable[[], None]) -> None:
        """Nobody is there yet.

        Args:
            count: how many seats there are now; it must not block.
            idle: called now and then by those who wait; what it raises ends their waiting.
        """
        self._count = count
        self._idle = idle
        self._changed = threading.Condition()
        self.queue: deque[object] = deque()
        self._taken = 0

    @contextmanager
    def seat(self) -> Iterator[None]:
        """Wait for a seat and have it; errors are those of ``idle``."""
        ticket = object()
        with self._changed:
            self.queue.append(ticket)
        try:
            while not self._sits_down(ticket):
                self._idle()  # without the lock: it may ask others, and they may be slow
        except BaseException:
            with self._changed:
                self.queue.remove(ticket)
                self._changed.notify_all()
            raise
        try:
            yield
        finally:
            with self._changed:
                self._taken -= 1
                self._changed.notify_all()

    def _sits_down(self, ticket: object) -> bool:
        """Whether it is this one's turn within a while."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._is_next(ticket), WAKE_S):
                return False
            self.queue.popleft()
            self._taken += 1
            self._changed.notify_all()
            return True

    def _is_next(self, ticket: object) -> bool:
        return self.queue[0] is ticket and self._taken < self._count()
