"""Paths that a model names: below the project's folder, and plain files."""

from __future__ import annotations

import os
import stat

LARGEST = 8 << 20
"""Largest file in bytes that is read or changed as text."""


class Refused(Exception):
    """Something cannot be done; the message is what the model is told."""


def below(path: str) -> str:
    """A path as an absolute one, if it is below the folder that this runs in.

    Links on the way count as what they lead to.

    Raises:
        Refused: it leads elsewhere.
    """
    root = os.path.realpath(".")
    if not path or "\0" in path:
        raise Refused("a path is needed")
    real = os.path.realpath(os.path.join(root, path))
    if real != root and not real.startswith(root + os.sep):
        raise Refused(f"{path}: is outside of the project's folder {root}")
    return real


def shown(real: str) -> str:
    """A path as it is told to the model: relative to the project's folder."""
    return os.path.relpath(real, os.path.realpath("."))


def read_text(path: str) -> str:
    """The text of a file, its line ends as they are.

    Raises:
        Refused: it is no plain text file, or too large.
    """
    real = below(path)
    try:
        # A FIFO that nobody writes to would be waited for.
        handle = os.open(real, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise Refused(f"{path}: {error.strerror}") from None
    with open(handle, "rb") as file:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise Refused(f"{path}: is no plain file")
        if found.st_size > LARGEST:
            raise Refused(f"{path}: is larger than {LARGEST >> 20} MiB")
        data = file.read(LARGEST + 1)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused(f"{path}: is no text in UTF-8") from None


def write_text(path: str, text: str) -> str:
    """Write a file and the folders above it; a link that stands there is replaced, not followed.

    Returns:
        The path as it is told to the model.

    Raises:
        Refused: it cannot be written.
    """
    if not path or path.endswith("/"):
        raise Refused(f"{path!r}: is no path of a file")
    folder, name = os.path.split(path)
    above = below(folder or ".")
    target = os.path.join(above, name)
    if name in ("", ".", ".."):
        raise Refused(f"{path!r}: is no path of a file")
    temporary = os.path.join(above, f".{name[:100]}.part")
    try:
        os.makedirs(above, exist_ok=True)
        mode = _mode_of(path, target)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
        with open(os.open(temporary, flags, mode), "wb") as file:
            file.write(text.encode("utf-8", "surrogatepass"))
        os.replace(temporary, target)
    except OSError as error:
        raise Refused(f"{path}: {error.strerror}") from None
    return shown(target)


def remove(path: str) -> None:
    """Remove a file; a link is removed itself.

    Raises:
        Refused: it cannot be removed.
    """
    folder, name = os.path.split(path)
    try:
        os.unlink(os.path.join(below(folder or "."), name))
    except OSError as error:
        raise Refused(f"{path}: {error.strerror}") from None


def _mode_of(path: str, target: str) -> int:
    """The mode that a written file gets: that of the file it replaces."""
    try:
        found = os.lstat(target)
    except FileNotFoundError:
        return 0o644
    if not (stat.S_ISREG(found.st_mode) or stat.S_ISLNK(found.st_mode)):
        raise Refused(f"{path}: is there, and is no file")
    return stat.S_IMODE(found.st_mode) if stat.S_ISREG(found.st_mode) else 0o644
