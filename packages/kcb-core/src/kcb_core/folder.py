"""A new folder of files: whole, and never among what somebody else has put there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kcb_core.errors import DeclarationError, MachineError
from kcb_core.storage import write_whole


def require_new(folder: Path) -> None:
    """Refuse a path that holds anything.

    Args:
        folder: a path that does not exist yet, or an empty folder.

    Raises:
        DeclarationError: there is something at the path already.
        MachineError: it cannot be looked at.
    """
    try:
        if not folder.exists() and not folder.is_symlink():
            return
        if not folder.is_dir():
            raise DeclarationError(f"{folder}: is no folder")
        if any(folder.iterdir()):
            raise DeclarationError(f"{folder}: is not empty; name a new or an empty folder")
    except OSError as error:
        raise MachineError(f"{folder}: cannot be written: {error.strerror or error}") from error


def fill(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a new folder.

    Args:
        folder: as in :func:`require_new`.
        files: the content of each file, by its path in the folder.

    Raises:
        DeclarationError: there is something in the folder already.
        MachineError: a file cannot be written.
    """
    require_new(folder)
    for name, data in files.items():
        write_whole(folder / name, data)
