"""Folders that an evaluator makes for its slots, and what dead evaluators left of them.

A folder's name holds the process id of the evaluator that made it. While a process of that id is
alive the folder is let be, so one whose id was given to another process is found a little later.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from kcb_runner.tree import remove_tree

TMPFS = Path("/dev/shm")

_NAME = re.compile(r"kcb-(?:slot|supervisor|agent)-(\d+)-\w+")


def make_folder(kind: str, where: Path | None) -> Path:
    """A new folder of this process.

    Args:
        kind: ``slot``, ``supervisor`` or ``agent``.
        where: in which folder; None for the default place of temporary files.

    Raises:
        OSError: it could not be made.
    """
    return Path(tempfile.mkdtemp(prefix=f"kcb-{kind}-{os.getpid()}-", dir=where))


def left_behind() -> Iterator[Path]:
    """Folders of evaluators that are dead, of this user or, for root, of anyone."""
    user = os.geteuid()
    for place in dict.fromkeys((TMPFS, Path(tempfile.gettempdir()))):
        with suppress(OSError):
            for name in sorted(os.listdir(place)):
                match = _NAME.fullmatch(name)
                if match and user in (0, _owner(place / name)) and not _alive(int(match[1])):
                    yield place / name


def remove_left_behind() -> tuple[list[Path], list[str]]:
    """Remove what dead evaluators left: what is gone, and one line for each that is not."""
    removed, failed = [], []
    for folder in left_behind():
        try:
            remove_tree(folder)
        except OSError as error:
            failed.append(f"{folder}: {error.strerror or error}")
        else:
            removed.append(folder)
    return removed, failed


def _owner(path: Path) -> int:
    try:
        return os.lstat(path).st_uid
    except OSError:
        return -1


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
