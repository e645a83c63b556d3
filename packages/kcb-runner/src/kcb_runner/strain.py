"""What the machine kept from its processes: the time in which some of them waited for it."""

from __future__ import annotations

import os
from pathlib import Path

_PRESSURE = tuple(Path("/proc/pressure", kind) for kind in ("cpu", "io", "memory"))
_STAT = Path("/proc/stat")
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")
_STEAL = 8
"""Place of the time that a hypervisor took in the first line of /proc/stat. Source: proc(5)."""


def waited_s() -> float | None:
    """Seconds, since some moment in the past, in which a process had to wait for this machine.

    The difference of two calls bounds from above how long any one process waited in between for a
    CPU, a disk or memory. It is the sum of the ``some`` lines of pressure stall information and of
    the time stolen by a hypervisor. Source: Documentation/accounting/psi.rst of Linux.

    Returns:
        None where the system does not tell.
    """
    try:
        stalled = sum(_some_us(path) for path in _PRESSURE) / 1e6
        stolen = int(_STAT.read_bytes().split(maxsplit=_STEAL + 1)[_STEAL]) / _TICKS_PER_S
    except (OSError, ValueError, IndexError):
        return None
    return stalled + stolen


def _some_us(path: Path) -> int:
    """The total of ``some avg10=0.00 avg60=0.00 avg300=0.00 total=12345``, in microseconds."""
    line = path.read_bytes().partition(b"\n")[0]
    return int(line.rpartition(b"total=")[2])


def forks() -> int:
    """How often this process has forked, since a fork hands the pipes of candidates to its child.

    Such a child keeps a candidate's input open, and the candidate waits for an end that does not
    come. Processes that execute another program, as all of the evaluator's do, do not count.
    """
    return _forked


_forked = 0


def _count_fork() -> None:
    global _forked
    _forked += 1


os.register_at_fork(after_in_parent=_count_fork)
