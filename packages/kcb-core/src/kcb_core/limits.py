"""The limits that hold for one candidate: one home for prompt, runner and documentation."""

from __future__ import annotations

from math import isfinite

import msgspec


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What one candidate may use. Every number is part of the protocol."""

    session_s: float = 10.0
    """Wall time of a session in seconds, from start to exit."""
    stdout_bytes: int = 1 << 20
    """Bytes on standard output in one session."""
    stderr_bytes: int = 8 << 10
    """Bytes of standard error that are kept, the last ones; the rest is read and dropped."""
    memory_bytes: int = 1 << 30
    """Resident memory of all processes of a session together."""
    processes: int = 64
    """Processes and threads of a session together."""
    open_files: int = 256
    """Open files of one process."""
    file_bytes: int = 64 << 20
    """Size of one file."""
    written_bytes: int = 256 << 20
    """Bytes in all files that a session writes."""
    submission_files: int = 2_000
    """Files of a project, without what is left out."""
    submission_bytes: int = 20_000_000
    """Bytes of a project, without what is left out."""
    submission_depth: int = 64
    """Nested folders of a project."""
    line_bytes: int = 256 << 10
    """Longest request line that a scenario may hold."""


LIMITS = Limits()
"""The limits of protocol 1.0."""


class TaskBudget(msgspec.Struct, frozen=True, kw_only=True):
    """The most that an agent may take at one task, where the task itself says it."""

    turns: int
    """Replies of the model."""
    dollars: float
    """US dollars, as far as prices are known."""
    seconds: float
    """Working time of the agent."""

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if not (isfinite(value) and value > 0):
                raise ValueError(f"field {name!r} must be greater than 0")
