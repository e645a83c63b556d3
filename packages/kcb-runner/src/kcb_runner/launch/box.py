"""The folder of a slot, where it is a folder of this machine like any other."""

from __future__ import annotations

import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path

from kcb_core.errors import MachineError
from kcb_runner.launch.leftovers import TMPFS, make_folder
from kcb_runner.slot.plan import FOLDERS
from kcb_runner.tree import remove_tree

_NEEDED_BYTES = 512 << 20


def make_box(owner: int | None = None) -> Path:
    """A new box, in memory where the machine has such a place.

    Args:
        owner: whom its folders are given to, if not to this user.

    Raises:
        MachineError: it could not be made.
    """
    try:
        box = make_folder("slot", roomy_folder())
        for name in FOLDERS:
            (box / name).mkdir(stat.S_IRWXU)
            if owner is not None:
                os.chown(box / name, owner, owner)
        if owner is not None:
            box.chmod(0o755)
    except OSError as error:
        raise MachineError(f"no scratch folder: {error}") from error
    return box


def remove_box(box: Path) -> None:
    """Remove a box with all that is in it.

    Raises:
        MachineError: something could not be removed.
    """
    try:
        remove_tree(box)
    except OSError as error:
        raise MachineError(f"{box}: could not be removed: {error.strerror or error}") from error


def roomy_folder() -> Path | None:
    """A tmpfs with room to spare, or None for the default place of temporary files."""
    with suppress(OSError):
        if os.access(TMPFS, os.W_OK) and shutil.disk_usage(TMPFS).free > _NEEDED_BYTES:
            return TMPFS
    return None
