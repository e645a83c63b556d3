"""What a process has started, wherever it went: a session or group of its own hides nobody.

Signalling a process group misses shells with a terminal of their own and whatever was started with
``setsid``. On Linux the process table tells; elsewhere nothing is found here, and the group is all.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_ROUNDS = 50
"""How often what appears while others are killed is looked for."""


class Known(NamedTuple):
    """A process, so that no later one with its number can be taken for it."""

    pid: int
    started: str
    """In clock ticks since the machine started."""


def adopt_orphans() -> None:
    """Make whatever loses its parent below this process a child of this one, where that can be."""
    if sys.platform != "linux":
        return
    from kcb_runner.slot import kernel  # noqa: PLC0415 - its calls are there on Linux alone

    with suppress(OSError):
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1, "adopting orphans")


def descendants(pid: int) -> list[Known]:
    """All processes below one, in no order that means anything."""
    below: dict[int, list[Known]] = {}
    for parent, known in _table():
        below.setdefault(parent, []).append(known)
    found: list[Known] = []
    open_ = [pid]
    while open_:
        for known in below.pop(open_.pop(), ()):
            found.append(known)
            open_.append(known.pid)
    return found


def kill_known(known: Iterable[Known]) -> None:
    """Kill those of some processes that are still the same."""
    for process in known:
        line = _stat(process.pid)
        if line and line[1].started == process.started:
            with suppress(OSError):
                os.kill(process.pid, signal.SIGKILL)


def kill_below(pid: int) -> None:
    """Kill all that is below a process, and what that starts meanwhile; not the process itself."""
    for _ in range(_ROUNDS):
        alive = [known for known in descendants(pid) if not _is_dead(known.pid)]
        if not alive:
            return
        kill_known(alive)


def _table() -> Iterator[tuple[int, Known]]:
    for place in Path("/proc").glob("[0-9]*"):
        if line := _stat(int(place.name)):
            yield line


def _stat(pid: int) -> tuple[int, Known] | None:
    """Parent and identity of a process; None if there is none."""
    fields = _fields(pid)
    return (int(fields[1]), Known(pid, fields[19])) if len(fields) > 19 else None


def _is_dead(pid: int) -> bool:
    return _fields(pid)[:1] in ([], ["Z"], ["X"])


def _fields(pid: int) -> list[str]:
    """The status of a process from its third field on; the name before may hold anything."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    return []
