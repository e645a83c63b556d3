"""What a worker runs in, as whoever started it sees it: a process here, or one in a container."""

from __future__ import annotations

from typing import BinaryIO, Protocol

GRACE_S = 3.0
"""How long a worker has to end in order before it is killed, in seconds."""


class Vessel(Protocol):
    """A worker that was started. It ends when its input is closed, however that comes about."""

    @property
    def input(self) -> BinaryIO:
        """Where it reads its order from."""
        ...

    @property
    def output(self) -> BinaryIO:
        """What it says."""
        ...

    @property
    def errors(self) -> BinaryIO:
        """What it, and what it starts, complains of."""
        ...

    @property
    def status(self) -> int | None:
        """Its exit status, negative for a signal; None as long as that is not known."""
        ...

    def wait(self, seconds: float) -> bool:
        """Whether it ends within so many seconds."""
        ...

    def interrupt(self) -> None:
        """Ask it to end in order, and kill it, with all that it has started, when it does not."""
        ...

    def kill(self) -> None:
        """Kill it and all that it has started."""
        ...

    def close(self) -> None:
        """Give back what it was started with; it has ended, or is given up."""
        ...
