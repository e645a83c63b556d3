"""Folders for sessions: made fresh, and removed however they were left."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from kcb_core.errors import MachineError
from kcb_core.submission import Submission

_TMPFS = Path("/dev/shm")
_NEEDED_BYTES = 512 << 20
_FOLDER_MODE = stat.S_IRWXU


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where one session runs."""

    project: Path
    """Its own copy of the project."""
    home: Path
    """An empty folder, for HOME and TMPDIR."""


class Scratch:
    """A folder of one evaluation, in memory where the machine has such a place.

    Use it as a context manager; leaving it removes everything.
    """

    def __init__(self, submission: Submission) -> None:
        self._submission = submission
        self._folders = sorted(
            {"/".join(parts[:n]) for parts in _parts(submission) for n in range(1, len(parts))}
        )
        self._numbers = count()
        self._root = Path()
        self.leftovers: list[str] = []
        """Paths that could not be removed."""

    def __enter__(self) -> Scratch:
        try:
            self._root = Path(tempfile.mkdtemp(prefix="kcb-", dir=roomy_folder()))
        except OSError as error:
            raise MachineError(f"no scratch folder: {error}") from error
        return self

    def __exit__(self, *_: object) -> None:
        self._remove(self._root)

    @contextmanager
    def place(self) -> Iterator[Place]:
        """A fresh, writable copy of the project and an empty home, for one session.

        Raises:
            MachineError: they could not be made.
        """
        folder = self._root / f"session-{next(self._numbers)}"
        try:
            yield self._fill(folder)
        finally:
            self._remove(folder)

    @contextmanager
    def state(self) -> Iterator[Path]:
        """An empty state directory, for one scenario.

        Raises:
            MachineError: it could not be made.
        """
        folder = self._root / f"state-{next(self._numbers)}"
        try:
            with _machine_at_fault(folder):
                folder.mkdir(_FOLDER_MODE)
            yield folder
        finally:
            self._remove(folder)

    def _fill(self, folder: Path) -> Place:
        place = Place(project=folder / "project", home=folder / "home")
        with _machine_at_fault(folder):
            folder.mkdir(_FOLDER_MODE)
            place.project.mkdir(_FOLDER_MODE)
            place.home.mkdir(_FOLDER_MODE)
            write_files(self._submission, place.project, self._folders)
        return place

    def _remove(self, folder: Path) -> None:
        try:
            remove_tree(folder)
        except OSError as error:
            self.leftovers.append(f"{folder}: {error.strerror or error}")


def write_files(submission: Submission, folder: Path, folders: list[str] | None = None) -> None:
    """Write a submission's files below a folder that exists.

    Args:
        submission: the files.
        folder: where they go.
        folders: the folders that they need, parents first; found out if not given.
    """
    base = os.fspath(folder) + "/"
    if folders is None:
        parts = _parts(submission)
        folders = sorted({"/".join(p[:n]) for p in parts for n in range(1, len(p))})
    for name in folders:
        os.mkdir(base + name, _FOLDER_MODE)
    for file in submission.files:
        mode = 0o755 if file.executable else 0o644
        handle = os.open(base + file.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            view = memoryview(file.data)
            while view:
                view = view[os.write(handle, view) :]
        finally:
            os.close(handle)


def remove_tree(folder: Path) -> None:
    """Remove a folder with all that is in it, however deep, read-only or oddly named.

    Nested folders are first moved up beside each other, so that no depth, path length or number of
    open files is ever reached. A folder that does not exist is none to remove.

    Raises:
        OSError: something could not be removed; as much as possible is gone.
    """
    root = os.fsencode(folder)
    if not os.path.lexists(root):
        return
    prefix = os.path.join(root, os.urandom(8).hex().encode())  # no name that is there already
    names = count()
    pending = [root]
    while pending:
        current = pending.pop()
        os.chmod(current, _FOLDER_MODE)
        with os.scandir(current) as entries:
            found = list(entries)
        for entry in found:
            if not entry.is_dir(follow_symlinks=False):
                os.unlink(entry.path)
                continue
            with suppress(OSError):
                os.chmod(entry.path, _FOLDER_MODE)
                os.rmdir(entry.path)
                continue
            aside = prefix + b"-%d" % next(names)
            os.rename(entry.path, aside)
            pending.append(aside)
        if current != root:
            os.rmdir(current)
    os.rmdir(root)


@contextmanager
def _machine_at_fault(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise MachineError(f"{folder}: cannot be written: {error.strerror}") from error


def _parts(submission: Submission) -> list[list[str]]:
    return [file.path.split("/") for file in submission.files]


def roomy_folder() -> Path | None:
    """A tmpfs with room to spare, or None for the default place of temporary files."""
    with suppress(OSError):
        if os.access(_TMPFS, os.W_OK) and shutil.disk_usage(_TMPFS).free > _NEEDED_BYTES:
            return _TMPFS
    return None
