"""Putting a file or a folder in the place of another in one step, and at once."""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

_HERE = -100  # AT_FDCWD
_EXCHANGE = 2  # RENAME_EXCHANGE


def put_in_place(new: Path, path: Path) -> None:
    """Rename a file over another: any reader finds the old one or the new one, and whole.

    On ext4 a plain rename over a file waits until the new one's data are on their way to the disk,
    milliseconds in which nothing else would be served; an exchange of names does not. So the two
    are exchanged where the system can, and then the old one is removed.

    Raises:
        OSError: it cannot be renamed; what stood there before still does.
    """
    if exchange(new, path):
        with suppress(OSError):
            new.unlink()
    else:
        # There is no old file yet, or no such call on this system or file system.
        os.replace(new, path)


def exchange(one: Path, other: Path) -> bool:
    """Let two files or folders change places, if both are there and the system can."""
    rename = _renameat2()
    if not rename:
        return False
    done: int = rename(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE)
    return done == 0


@cache
def _renameat2() -> Any:
    """The system's call, or None. Source: renameat2(2), Linux 3.15 and glibc 2.28."""
    return getattr(ctypes.CDLL(None), "renameat2", None)
