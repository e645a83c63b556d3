"""Which processes hold a lock on a file, where the system says so: for people who wait for it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

_LOCKS = Path("/proc/locks")
_MOST = 3
"""Holders that are named; the rest is a number."""


def holders_of(handle: int) -> tuple[int, ...]:
    """Ids of the processes that hold a ``flock`` lock on an open file, in ascending order.

    Only Linux tells, in ``/proc/locks`` (proc_locks(5)); elsewhere, and of a process in another
    container, nothing is known.
    """
    try:
        found = os.fstat(handle)
        lines = _LOCKS.read_text("ascii", "replace").splitlines()
    except OSError:
        return ()
    file = f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}:{found.st_ino}"
    return tuple(sorted(set(_holding(lines, file))))


def _holding(lines: list[str], file: str) -> Iterator[int]:
    """Holders of one file; a line of somebody who waits has an arrow before the kind of lock."""
    for line in lines:
        words = line.split()
        if len(words) >= 6 and words[1] == "FLOCK" and words[5] == file:
            with suppress(ValueError):
                if (pid := int(words[4])) > 0:
                    yield pid


def named(pids: tuple[int, ...]) -> str:
    """Processes in words, by id and program: ``process 12, llama-server``; empty for none."""
    told = [f"process {pid}{_program(pid)}" for pid in pids[:_MOST]]
    if len(pids) > _MOST:
        told.append(f"{len(pids) - _MOST} more")
    return "; ".join(told)


def _program(pid: int) -> str:
    """What a process runs. Its arguments are left out, since they may hold secrets."""
    try:
        name = Path(f"/proc/{pid}/comm").read_text("utf-8", "replace").strip()
        line = Path(f"/proc/{pid}/cmdline").read_text("utf-8", "replace")
    except OSError:
        return ""
    if name.startswith("python"):
        name = _script(line.split("\0")[1:]) or name
    return f", {''.join(c if c.isprintable() else '?' for c in name)}"


def _script(words: list[str]) -> str:
    """What an interpreter with these arguments runs: a module, or a file; empty if neither."""
    for word, following in pairwise([*words, ""]):
        if word == "-m":
            return following
        if word == "-c":
            break
        if not word.startswith("-"):
            return Path(word).name
    return ""
