"""``checksums.sha256``: which files a tree has, by their digests, in the form of ``sha256sum``.

What the list says is a tree of regular files in real folders. Its own digest is the tree's
fingerprint. Modes, times and owners are no part of it.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from kcb_core.errors import DataError, MachineError
from kcb_core.storage import MAX_DOCUMENT_BYTES, write_whole

LIST = "checksums.sha256"

_LINE = re.compile(r"([0-9a-f]{64})  ([^\x00-\x1f\x7f\\]+)")
"""Names that ``sha256sum`` would have to escape are refused, so there is one spelling of a list."""


def write_list(root: Path) -> str:
    """List all regular files of a tree, and give the fingerprint.

    Raises:
        DataError: something in it is neither a folder nor a regular file, or has an odd name.
        MachineError: it cannot be read or written.
    """
    lines = []
    for path in sorted(entries(root)):
        if path == LIST or _is_folder(root / path):
            continue
        line = f"{_digest_of(root, path)}  {path}"
        if not _LINE.fullmatch(line) or not _plain(path):
            raise DataError(f"{root}: {path!a}: such a name cannot be listed")
        lines.append(line)
    data = "".join(f"{line}\n" for line in lines).encode()
    write_whole(root / LIST, data)
    return hashlib.sha256(data).hexdigest()


def read_list(root: Path) -> tuple[dict[str, str], str]:
    """The digest of each listed file by its path, and the fingerprint: the digest of the list.

    Raises:
        DataError: there is no such list, or it is malformed; its line is named.
        MachineError: it cannot be read.
    """
    with _opened(root, LIST) as file:
        data = file.read(MAX_DOCUMENT_BYTES + 1)
    if len(data) > MAX_DOCUMENT_BYTES:
        raise DataError(f"{root / LIST}: more than {MAX_DOCUMENT_BYTES} bytes")
    try:
        lines = data.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        raise DataError(f"{root / LIST}: is no UTF-8") from None
    if lines.pop():
        raise DataError(f"{root / LIST}: its last line is not whole")
    listed: dict[str, str] = {}
    before = ""
    for number, line in enumerate(lines, 1):
        match = _LINE.fullmatch(line)
        if match is None or not _plain(match[2]) or match[2] <= before or match[2] == LIST:
            raise DataError(
                f"{root / LIST}: line {number} must be a digest and the path of a file in the "
                "tree, behind the path before it"
            )
        before = match[2]
        listed[match[2]] = match[1]
    return listed, hashlib.sha256(data).hexdigest()


def check_files(root: Path, listed: dict[str, str]) -> None:
    """Read every listed file, and hold it against its digest.

    Raises:
        DataError: one is missing, is a link or no regular file, lies behind a link, or differs.
        MachineError: one cannot be read.
    """
    for folder in sorted(_folders(listed)):
        if not _is_folder(root / folder):
            raise DataError(f"{root / folder}: is no folder of its own")
    for path, expected in listed.items():
        if _digest_of(root, path) != expected:
            raise DataError(f"{root / path}: differs from what {LIST} says")


def check_closed(root: Path, listed: Iterable[str]) -> None:
    """Refuse a tree that holds anything but the listed files, their folders and the list.

    Raises:
        DataError: there is something else; the first of it is named.
        MachineError: the tree cannot be read.
    """
    names = set(listed)
    known = names | _folders(names) | {LIST}
    if others := sorted(set(entries(root)) - known):
        more = f", and {len(others) - 1} more" if len(others) > 1 else ""
        raise DataError(f"{root / others[0]}: is not listed in {LIST}{more}")


def entries(root: Path) -> Iterator[str]:
    """The path of everything in a tree, folders and links too; no link is followed.

    Raises:
        MachineError: a folder cannot be read.
    """
    folders = [""]
    while folders:
        folder = folders.pop()
        try:
            with os.scandir(root / folder) as found:
                for entry in found:
                    path = f"{folder}/{entry.name}" if folder else entry.name
                    yield path
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(path)
        except OSError as error:
            raise _unreadable(root / folder, error) from None


def _folders(paths: Iterable[str]) -> set[str]:
    """All folders above some paths, but for the root."""
    above = (parent.as_posix() for path in paths for parent in Path(path).parents)
    return set(above) - {"."}


def _plain(path: str) -> bool:
    """Whether a path stays below its root and has one spelling."""
    return not {"", ".", ".."} & set(path.split("/"))


def _is_folder(path: Path) -> bool:
    """Whether there is a folder, and no link to one."""
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise _unreadable(path, error) from None


def _digest_of(root: Path, path: str) -> str:
    with _opened(root, path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def _opened(root: Path, path: str) -> Iterator[io.BufferedReader]:
    """A regular file, opened; never what a link in its place leads to."""
    place = root / path
    try:
        handle = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise DataError(f"{place}: is no regular file")
            yield file
    except IsADirectoryError:
        raise DataError(f"{place}: is no regular file") from None
    except (FileNotFoundError, NotADirectoryError):
        raise DataError(f"{place}: is missing") from None
    except OSError as error:
        if place.is_symlink():
            raise DataError(f"{place}: is a link, and no regular file") from None
        raise _unreadable(place, error) from None


def _unreadable(path: Path, error: OSError) -> MachineError:
    return MachineError(f"{path}: cannot be read: {error.strerror or error}")
