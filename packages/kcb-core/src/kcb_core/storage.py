"""Files written whole or not at all, and read within bounds."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from kcb_core.errors import DataError, DeclarationError, MachineError

MAX_DOCUMENT_BYTES = 64 << 20
"""Largest report or other single document that is read."""


def write_whole(path: Path, data: bytes) -> None:
    """Put a file in place so that any reader finds the old content or the new, and never a part.

    Args:
        path: where the file is to stand; missing folders above it are made.
        data: all of its content.

    Raises:
        MachineError: the file cannot be written; what stood there before still does.
    """
    temporary = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name[:40]}.", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
        temporary = ""
    except OSError as error:
        raise MachineError(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        if temporary:
            with suppress(OSError):
                os.unlink(temporary)


def read_bounded(path: Path | str, limit: int = MAX_DOCUMENT_BYTES) -> bytes:
    """All of a regular file.

    Raises:
        DeclarationError: there is no such file, it is no regular file, or it may not be read.
        DataError: it holds more than ``limit`` bytes.
    """
    try:
        # Opened without waiting: a FIFO that nobody writes to answers too.
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                raise DeclarationError(f"{path}: not a regular file")
            data = _read(handle, status.st_size, limit)
        finally:
            os.close(handle)
    except OSError as error:
        raise DeclarationError(f"{path}: {error.strerror or error}") from None
    except ValueError as error:  # a NUL in the name
        raise DeclarationError(f"{str(path)!r}: {error}") from None
    if len(data) > limit:
        raise DataError(f"{path}: more than {limit} bytes")
    return data


def _read(handle: int, size: int, limit: int) -> bytes:
    """The whole of a file, or one byte more than the limit; of most in one piece."""
    pieces: list[bytes] = []
    left = limit + 1
    while left and (piece := os.read(handle, min(left, size + 1))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)
