"""Takes the files that were handed in into memory, within bounds and without trusting any of them.

The walk knows a folder only by its descriptor, follows no link, opens nothing but regular files,
and stops at the first limit; so neither a FIFO, a link to a device, an endless folder nor a file
that grows meanwhile can hold it up or lead it elsewhere.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from kcb_core.errors import DeclarationError
from kcb_core.limits import LIMITS, Limits
from kcb_core.submission import Submission, SubmittedFile

LEFT_OUT = frozenset({
    ".git", ".hg", ".svn", "__pycache__", ".venv", "node_modules",
    ".mypy_cache", ".pytest_cache", ".ruff_cache", ".tox", ".nox",
})  # fmt: skip
"""Names that are never looked into, copied or counted."""

CREDENTIALS = frozenset({".env", ".netrc", ".npmrc", ".pypirc", "id_rsa", "id_ed25519"})
"""Files that are never copied or counted, and neither is ``*.pem``."""

ENVIRONMENT_MARK = "pyvenv.cfg"
"""A folder that holds a file of this name is a virtual environment and left out."""

MAX_FOLDERS = 20_000
"""Most folders that are looked into, since empty ones count as no file."""

_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Rejected(Exception):
    """The project breaks a rule about its files: a verdict, and no error of this program.

    Attributes:
        reason: one line that names the rule and the path.
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


@dataclass(slots=True)
class _Walk:
    """What a walk has met so far."""

    limits: Limits
    files: list[SubmittedFile] = field(default_factory=list)
    size: int = 0
    folders: int = 0

    def admit_size(self, path: str, size: int) -> None:
        """Reject before reading: a sparse file of any size costs nothing."""
        if self.size + size > self.limits.submission_bytes:
            raise Rejected(
                f"more than {self.limits.submission_bytes:,} bytes of files, at {_show(path)}"
            )

    def add(self, file: SubmittedFile) -> None:
        self.admit_size(file.path, len(file.data))
        self.size += len(file.data)
        self.files.append(file)
        if len(self.files) > self.limits.submission_files:
            raise Rejected(f"more than {self.limits.submission_files:,} files")


def take(folder: Path, limits: Limits = LIMITS) -> Submission:
    """The project in a folder, as it is at this moment.

    Args:
        folder: the project; it is only read.
        limits: how many files and bytes it may hold.

    Raises:
        Rejected: the project breaks a limit, or holds a link to a file or a special file.
        DeclarationError: the folder, or something in it, cannot be read by this user.
    """
    walk = _Walk(limits)
    try:
        root = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise DeclarationError(f"{folder}: {error.strerror}; a project is a folder") from None
    try:
        _look_into(root, "", 1, walk)
    except OSError as error:
        where = folder / _show(str(error.filename or ""))
        raise DeclarationError(f"{where}: cannot be read: {error.strerror}") from None
    return Submission(files=tuple(sorted(walk.files)))


def _look_into(handle: int, prefix: str, depth: int, walk: _Walk) -> None:
    """Adds the files of one folder and of those in it; closes its descriptor."""
    try:
        for entry in _entries(handle, prefix, walk):
            path = prefix + entry.name
            info = entry.stat(follow_symlinks=False)
            if stat.S_ISDIR(info.st_mode):
                if depth >= walk.limits.submission_depth:
                    raise Rejected(f"folders nested deeper than {depth}, at {_show(path)}")
                inner = os.open(entry.name, _FOLDER_FLAGS, dir_fd=handle)
                _look_into(inner, path + "/", depth + 1, walk)
            elif stat.S_ISLNK(info.st_mode):
                if not _leads_to_folder(entry):
                    raise Rejected(f"{_show(path)} is a symbolic link to a file")
            elif stat.S_ISREG(info.st_mode):
                walk.admit_size(path, info.st_size)
                walk.add(_read(handle, entry.name, path, walk))
            else:
                raise Rejected(f"{_show(path)} is a {_kind(info.st_mode)}")
    finally:
        os.close(handle)


def _entries(handle: int, prefix: str, walk: _Walk) -> Iterator[os.DirEntry[str]]:
    """What a folder holds, in name order, without what is left out."""
    walk.folders += 1
    if walk.folders > MAX_FOLDERS:
        raise Rejected(f"more than {MAX_FOLDERS:,} folders")
    listed: list[os.DirEntry[str]] = []
    with os.scandir(handle) as entries:
        for entry in entries:
            if is_left_out(entry.name):
                continue
            if entry.name == ENVIRONMENT_MARK and prefix:
                return
            listed.append(entry)
            if len(listed) > walk.limits.submission_files + MAX_FOLDERS:
                raise Rejected(f"more than {walk.limits.submission_files:,} files")
    listed.sort(key=lambda entry: entry.name)
    yield from listed


def is_left_out(name: str) -> bool:
    """Whether a file or folder of this name is never looked into, copied or counted."""
    return name in LEFT_OUT or name in CREDENTIALS or name.endswith(".pem")


def _leads_to_folder(entry: os.DirEntry[str]) -> bool:
    """Whether a link leads to a folder; such a link is neither entered nor copied."""
    try:
        return entry.is_dir(follow_symlinks=True)
    except OSError:
        return False


def _read(handle: int, name: str, path: str, walk: _Walk) -> SubmittedFile:
    """The content of a file that was a regular one a moment ago."""
    try:
        opened = os.open(name, _FILE_FLAGS, dir_fd=handle)
    except OSError as error:
        error.filename = path
        raise
    with open(opened, "rb") as file:
        info = os.fstat(opened)
        if not stat.S_ISREG(info.st_mode):
            raise Rejected(f"{_show(path)} changed while it was read")
        # One byte more than may be, so that a file that grows is seen to.
        data = file.read(walk.limits.submission_bytes - walk.size + 1)
    return SubmittedFile(path, data, bool(info.st_mode & stat.S_IXUSR))


def _kind(mode: int) -> str:
    kinds = {
        stat.S_IFIFO: "FIFO",
        stat.S_IFSOCK: "socket",
        stat.S_IFCHR: "character device",
        stat.S_IFBLK: "block device",
    }
    return kinds.get(stat.S_IFMT(mode), "special file")


def _show(path: str) -> str:
    """A path as text that can be printed and stored, whatever bytes it is made of."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")[:400]
