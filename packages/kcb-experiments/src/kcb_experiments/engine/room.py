"""Whether the disk has room left: without any, what a subject does says nothing of it."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path

from kcb_core.errors import MachineError

LEAST_BYTES = 1 << 20
"""With less left where an experiment is kept, nothing that comes to be there is believed."""

HINT = "no finished attempt is lost: make room and run the same command again"

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class DiskFull(MachineError):
    """The disk is full, so that the whole run has to end."""


def require_room(folder: Path) -> None:
    """Make sure that there is room where an experiment is kept.

    Raises:
        DiskFull: there is hardly any.
    """
    if shutil.disk_usage(folder).free < LEAST_BYTES:
        raise DiskFull(f"{folder}: no space left on device; {HINT}")


def raise_if_full(error: Exception, folder: Path) -> None:
    """See whether a fault comes from a full disk.

    Args:
        error: the fault.
        folder: where the experiment is kept.

    Raises:
        DiskFull: it does.
    """
    if isinstance(error, DiskFull):
        raise error
    if any(isinstance(e, OSError) and e.errno in _FULL for e in (error, error.__cause__)):
        raise DiskFull(f"{error}; {HINT}") from error
    require_room(folder)
