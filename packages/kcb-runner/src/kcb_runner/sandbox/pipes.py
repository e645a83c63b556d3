"""The pipes of a running program: what goes in, and what comes out and is kept."""

from __future__ import annotations

import os
import select
import time
from contextlib import suppress

_CHUNK = 1 << 16


class Kept:
    """What a program writes into one pipe: the first bytes of it, and how many more there were.

    Attributes:
        data: what is kept.
        dropped: bytes that were read and not kept.
        open: whether anybody can still write into it.
    """

    def __init__(self, handle: int, most: int) -> None:
        """Nothing is read yet.

        Args:
            handle: the reading end, which does not block.
            most: bytes that are kept.
        """
        self.handle = handle
        self.data = bytearray()
        self.dropped = 0
        self.open = True
        self._most = most

    def read(self) -> None:
        """Take in what is there now."""
        with suppress(BlockingIOError):
            found = os.read(self.handle, _CHUNK)
            self.open = bool(found)
            room = self._most - len(self.data)
            self.data += found[:room]
            self.dropped += max(0, len(found) - room)


class Fed:
    """What a program is to read from its standard input.

    Attributes:
        open: whether there is more to come.
    """

    def __init__(self, handle: int, data: bytes) -> None:
        """Nothing is written yet.

        Args:
            handle: the writing end, which does not block.
            data: all of it.
        """
        self.handle = handle
        self.open = True
        self._left = memoryview(data)

    def write(self) -> None:
        """Hand over as much as is taken now; who reads no more gets no more."""
        with suppress(BlockingIOError):
            try:
                self._left = self._left[os.write(self.handle, self._left[:_CHUNK]) :]
            except BrokenPipeError:
                self._left = self._left[:0]
        self.open = bool(self._left)


def drain(pipes: list[Kept], patience_s: float) -> None:
    """Read pipes to their end, when all who wrote into them have been killed."""
    until = time.monotonic() + patience_s
    while (left := [pipe for pipe in pipes if pipe.open]) and time.monotonic() < until:
        waiting = select.poll()
        for pipe in left:
            waiting.register(pipe.handle, select.POLLIN)
        ready = {handle for handle, _ in waiting.poll((until - time.monotonic()) * 1000)}
        for pipe in left:
            if pipe.handle in ready:
                pipe.read()
