"""What crossed the boundary of a process in a trial: all that a check can ever look at.

Neither what an agent said nor the command lines that it wrote are in here, so no check can depend
on them, however it is written.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from kcb_core.trial import StepOutcome

MOST_BYTES = 8 << 20
"""Size of a file above which its content is not looked at."""


class Ending(StrEnum):
    """How a trial ended, as far as it matters to what may be said of it."""

    DONE = "done"
    """The agent ended it, or its trajectory was at its end."""
    STOPPED = "stopped"
    """A bound ended it; the stop itself is nobody's fault."""
    INVALID = "invalid"
    """The agent kept to no form of an action; that is a fault of its own."""
    PUT_OFF = "put_off"
    """The endpoint put it off; nothing can be blamed on anybody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenStep:
    """What one action left behind outside of the agent."""

    outcome: StepOutcome
    exit_status: int | None = None
    """Exit status of a command that ended, negative for a signal; None for any other."""
    stdout: bytes = field(default=b"", repr=False)
    stderr: bytes = field(default=b"", repr=False)

    @property
    def executed(self) -> bool:
        """Whether a process was started for it."""
        return self.outcome is not StepOutcome.NOT_SPAWNED


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """All of one trial that a check can look at."""

    steps: tuple[SeenStep, ...]
    before: Mapping[str, bytes | None]
    """Files that checks name, as they lay there before the first step; None for one that did not.
    """
    after: Mapping[str, bytes | None]
    """The same when the last process was gone."""
    ending: Ending = Ending.DONE

    @property
    def executed(self) -> int:
        """Number of steps for which a process was started."""
        return sum(step.executed for step in self.steps)

    @property
    def terminated(self) -> bool:
        """Whether a command was killed, so that files may have been left half-way."""
        return any(step.outcome is StepOutcome.TERMINATED for step in self.steps)

    @property
    def unspawned(self) -> int:
        """Number of steps without a process, but for one that a bound kept from being started."""
        last_by_bound = (
            self.ending is Ending.STOPPED and bool(self.steps) and not self.steps[-1].executed
        )
        return len(self.steps) - self.executed - last_by_bound


def look_at(folder: Path, paths: Iterable[str]) -> dict[str, bytes | None]:
    """The content of some files below a folder in which nothing runs any more.

    A link, a special file, or one behind a link counts as not being there, and so does one that is
    too large or that cannot be read: none of them is what a tool leaves.
    """
    return {path: _content(folder, path) for path in sorted(set(paths))}


def _content(folder: Path, path: str) -> bytes | None:
    place = folder
    parts = path.split("/")
    try:
        for number, part in enumerate(parts, 1):
            place = place / part
            mode = os.lstat(place).st_mode
            wanted = stat.S_ISREG(mode) if number == len(parts) else stat.S_ISDIR(mode)
            if not wanted:
                return None
        return place.read_bytes() if place.stat().st_size <= MOST_BYTES else None
    except OSError:
        return None
