"""Brings the files of an attempt from one machine to another, whole and within bounds.

Whatever a subject leaves is carried as what it is: a link as a link that is never followed, and
what is neither file, folder nor link as a pipe, for a verifier to refuse it where it is judged.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from kcb_core.codec import digest
from kcb_core.errors import MachineError

MOST_BYTES = 256 << 20
"""Contents of one parcel."""

MOST_ENTRIES = 20_000

LEFT_BEHIND = "left-behind.txt"
"""The file at home that names what was too much."""

_NAMED = 100
"""Names in that file; of the rest there is the number."""

_FILE, _FOLDER, _LINK, _OTHER = "file", "folder", "link", "other"


@dataclass(frozen=True, slots=True)
class Entry:
    """One file, folder or link."""

    path: bytes
    """From the folder of the attempt."""
    kind: str
    data: bytes = b""
    """Contents of a file, or target of a link."""
    sha256: str = ""
    """Digest of these."""
    executable: bool = False


@dataclass(frozen=True, slots=True)
class Parcel:
    """What an attempt left."""

    entries: tuple[Entry, ...]
    left_behind: tuple[str, ...] = ()
    """What could not be read, or was too much, with its size."""


def pack(folder: Path, first: tuple[str, ...] = ()) -> Parcel:
    """All that is in a folder.

    Args:
        folder: of the attempt.
        first: names at its top that go first, so that nothing else takes their room.
    """
    entries: list[Entry] = []
    behind: list[str] = []
    room = MOST_BYTES
    for path, found in _walk(os.fsencode(folder), first):
        name = os.path.relpath(path, os.fsencode(folder))
        entry = _entry(path, name, found, room) if len(entries) < MOST_ENTRIES else None
        if entry is None:
            behind.append(f"{name.decode('utf-8', 'backslashreplace')} ({found.st_size} bytes)")
            continue
        room -= len(entry.data)
        entries.append(entry)
    return Parcel(tuple(entries), tuple(behind))


def unpack(parcel: Parcel, folder: Path) -> None:
    """Put a parcel into a new folder, which it does not leave.

    Raises:
        MachineError: it is not what was sent, or it cannot be written.
    """
    root = os.fsencode(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for entry in sorted(parcel.entries, key=_links_last):
            if digest(entry.data) != entry.sha256 or not _stays(entry.path):
                raise MachineError("files of an attempt arrived other than they were sent")
            _put(os.path.join(root, entry.path), entry)
        if parcel.left_behind:
            rest = len(parcel.left_behind) - _NAMED
            lines = [*parcel.left_behind[:_NAMED], *([f"and {rest} more"] if rest > 0 else [])]
            text = "".join(f"{' '.join(line.split())}\n" for line in lines)
            (folder / LEFT_BEHIND).write_text(text, encoding="utf-8")
    except OSError as error:
        raise MachineError(f"{folder}: {error.strerror or error}") from error


def _walk(folder: bytes, first: tuple[str, ...]) -> Iterator[tuple[bytes, os.stat_result]]:
    """Everything below a folder, each folder before what is in it; no link is followed."""
    wanted = [os.path.join(folder, os.fsencode(name)) for name in first]
    with suppress(OSError):
        others = sorted({entry.path for entry in os.scandir(folder)} - set(wanted))
        todo = [*reversed(others), *reversed(wanted)]
        while todo:
            path = todo.pop()
            with suppress(OSError):
                found = os.lstat(path)
                yield path, found
                if stat.S_ISDIR(found.st_mode):
                    todo += sorted((entry.path for entry in os.scandir(path)), reverse=True)


def _entry(path: bytes, name: bytes, found: os.stat_result, room: int) -> Entry | None:
    """One of them; None if it cannot be read or does not fit."""
    if stat.S_ISREG(found.st_mode):
        data = _read(path, room) if found.st_size <= room else None
        executable = bool(found.st_mode & stat.S_IXUSR)
        return None if data is None else Entry(name, _FILE, data, digest(data), executable)
    if stat.S_ISLNK(found.st_mode):
        target = os.readlink(path)
        return Entry(name, _LINK, target, digest(target))
    return Entry(name, _FOLDER if stat.S_ISDIR(found.st_mode) else _OTHER, sha256=digest(b""))


def _read(path: bytes, room: int) -> bytes | None:
    try:
        # Without following it, should it be a link by now; without waiting, should it be a pipe.
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(handle, "rb") as file:
            data = file.read(room + 1)
    except OSError:
        return None
    return data if len(data) <= room else None


def _links_last(entry: Entry) -> bool:
    """So that nothing is ever written through one."""
    return entry.kind == _LINK


def _stays(path: bytes) -> bool:
    """Whether a path leads to somewhere below where it starts."""
    return not path.startswith(b"/") and b".." not in path.split(b"/")


def _put(path: bytes, entry: Entry) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if entry.kind == _FOLDER:
        os.makedirs(path, exist_ok=True)
    elif entry.kind == _LINK:
        os.symlink(entry.data, path)
    elif entry.kind == _OTHER:
        os.mkfifo(path)
    else:
        mode = 0o755 if entry.executable else 0o644
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(entry.data)
