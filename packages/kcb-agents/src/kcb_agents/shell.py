"""Where an agent's commands run: a seam, so that a loop knows nothing of how they are confined.

Whoever fills it keeps three promises: a command sees no secret and no other file of this machine
than it is meant to; its output is kept byte for byte, within bounds that are told; and when the
shell is closed, everything that was started is dead before the files are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

from kcb_core.submission import Submission


class Ending(StrEnum):
    """How a command ended."""

    EXITED = "exited"
    SIGNALLED = "signalled"
    TIMED_OUT = "timed_out"
    """It was killed when its time was over."""
    EXCEEDED = "exceeded"
    """It was killed because it had too much memory or too many processes."""


class NotRun(ValueError):
    """A command was not run at all: no such program, or a command line that is too long.

    Its message is what the model is told.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """One command that ended."""

    ending: Ending
    status: int
    """Exit status, or the number of the signal that ended it."""
    exceeded: str = ""
    """What it had too much of, such as ``memory``."""
    stdout: bytes = field(repr=False)
    stderr: bytes = field(repr=False)
    stdout_lost: int = 0
    """Bytes beyond those that were kept."""
    stderr_lost: int = 0
    wall_s: float


class Shell(Protocol):
    """A project's folder, and commands that run in it, one at a time."""

    @property
    def root(self) -> str:
        """Path of the project as commands see it."""
        ...

    @property
    def python(self) -> str:
        """Path of an interpreter as commands see it."""
        ...

    @property
    def confinement(self) -> dict[str, Any]:
        """What commands are kept from, for the record."""
        ...

    def run(self, argv: Sequence[str], *, timeout_s: float, stdin: bytes = b"") -> Ran:
        """Run one command in the project's folder, and wait for it.

        Args:
            argv: the command, without a shell between.
            timeout_s: after this it is killed, with all that it started.
            stdin: what it reads.

        Raises:
            NotRun: there is no such program, or the command line is too long.
            MachineError: the shell failed; nothing is said of whoever asked for it.
        """
        ...

    def hand_over(self) -> Submission:
        """Kill all that is left, then give the project's files; nothing can be run any more.

        Raises:
            Rejected: the files are no project; whoever left them is at fault.
            MachineError: something could not be killed, or the files not be read.
        """
        ...


OpenShell = Callable[[Path | None], AbstractContextManager[Shell]]
"""Opens a shell over a copy of a folder, or over an empty project where there is none.

Leaving it kills and removes all of it.

It raises MachineError where this machine cannot confine: it is never weakened instead.
"""


def sh(command: str) -> tuple[str, ...]:
    """A command line as an agent writes it."""
    return ("/bin/sh", "-c", command)
