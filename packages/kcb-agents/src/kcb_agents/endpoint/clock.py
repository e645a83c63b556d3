"""Time, as a thing that is handed in: tests wait for nothing."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time and waits."""

    def monotonic(self) -> float:
        """Seconds since some moment; never set back."""
        ...

    def now(self) -> datetime:
        """The time of day in UTC, which somebody may set."""
        ...

    def sleep(self, seconds: float) -> None:
        """Wait; a signal handler that raises ends it."""
        ...


class SystemClock:
    """The clock of this machine."""

    def monotonic(self) -> float:
        """Seconds since some moment; never set back."""
        return time.monotonic()

    def now(self) -> datetime:
        """The time of day in UTC."""
        return datetime.now(UTC)

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)
