"""What of this machine the running process may use, and what it has used."""

from __future__ import annotations

import os
import resource
import sys


def usable_cpus() -> int:
    """CPUs that this process may use: as much runs at once by default."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def peak_memory() -> tuple[int, int]:
    """Most memory of this process, and of the largest of the processes that it has waited for.

    In bytes. A process counts with what it was copied from too, as large as that was then.
    """
    unit = 1 if sys.platform == "darwin" else 1024
    users = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    own, of_child = (resource.getrusage(who).ru_maxrss * unit for who in users)
    return own, of_child
