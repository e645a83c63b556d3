"""What this host is, since timing depends on it."""

from __future__ import annotations

import os
import platform
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

from kcb_core.report import Host
from kcb_core.resources import usable_cpus


@cache
def host() -> Host:
    """The hardware, operating system and Python of this machine."""
    return Host(
        system=f"{platform.system()} {platform.release()}",
        machine=platform.machine(),
        cpus=usable_cpus(),
        memory_bytes=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        python=platform.python_version(),
        python_implementation=platform.python_implementation(),
        cpu_model=_cpu_model(),
    )


@cache
def interpreter() -> str:
    """Absolute path of the evaluator's own Python, never a shell script that stands in for it."""
    return os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)


def _cpu_model() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor()
