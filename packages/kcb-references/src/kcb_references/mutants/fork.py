"""Runs code that may hang or crash in a forked process with bounded means."""

from __future__ import annotations

import io
import math
import os
import resource
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from kcb_core.errors import MachineError
from kcb_core.limits import LIMITS

MEMORY_BYTES = 2 * LIMITS.memory_bytes
"""Address space of the process; what it has from its parent is a small part of that."""

WALL_FACTOR = 20
"""How many times its limit of CPU time the process may take before it is killed as it waits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a forked process ended."""

    said: bytes
    """What its work gave; nothing if it was killed."""
    cpu_s: float
    """CPU time that it took."""


def forked(work: Callable[[], bytes], limit_s: float) -> Ended:
    """Do some work in a process of its own. A process that forks must have no threads.

    Args:
        work: gives at least one byte.
        limit_s: CPU time for it in seconds; the process is killed when it is over.

    Raises:
        MachineError: the process ended by itself without having done its work.
    """
    reading, writing = os.pipe()
    process = os.fork()
    if not process:
        status = 1
        try:
            os.close(reading)
            _restrain(limit_s)
            _write_all(writing, work())
            status = 0
        except BaseException:  # noqa: BLE001 - nothing may leave this process but its end
            os.write(2, traceback.format_exc().encode("utf-8", "backslashreplace"))
        finally:
            os._exit(status)
    os.close(writing)
    try:
        said = _read_all(reading, time.monotonic() + WALL_FACTOR * limit_s)
    finally:
        os.close(reading)
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
        _, status, usage = os.wait4(process, 0)
    if not said and os.WIFEXITED(status):
        raise MachineError("a forked process ended without a result")
    return Ended(said=said, cpu_s=usage.ru_utime + usage.ru_stime)


def _restrain(limit_s: float) -> None:
    """Bound what this process may use, and take its standard error from it."""
    for kind, value in (
        (resource.RLIMIT_CPU, math.ceil(limit_s)),
        (resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_FSIZE, LIMITS.file_bytes),
        (resource.RLIMIT_CORE, 0),
    ):
        with suppress(ValueError, OSError):  # not every system has every limit
            resource.setrlimit(kind, (value, value))
    sys.stderr = io.StringIO()


def _write_all(writing: int, data: bytes) -> None:
    while data:
        data = data[os.write(writing, data) :]


def _read_all(reading: int, until: float) -> bytes:
    """What a pipe gives until its end; what there is of it when the time is over."""
    said = b""
    while select.select([reading], [], [], max(0.0, until - time.monotonic()))[0]:
        piece = os.read(reading, 1 << 16)
        if not piece:
            break
        said += piece
    return said
