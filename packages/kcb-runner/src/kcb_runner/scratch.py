"""What a session finds in its slot: a fresh copy of the project, a home, a state directory."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from kcb_core.errors import MachineError
from kcb_core.roles import Slot
from kcb_core.submission import Submission
from kcb_runner.slot.plan import FOLDERS, HOME, PROJECT, STATE
from kcb_runner.tree import empty_tree, remove, renew

_FOLDER_MODE = stat.S_IRWXU


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where one session runs, as the candidate sees it."""

    project: Path
    """Its own copy of the project."""
    home: Path
    """An empty folder, for HOME and TMPDIR."""


class Scratch:
    """Fills and empties the box of a slot, for the sessions of one project."""

    def __init__(self, submission: Submission, slot: Slot) -> None:
        """Take the slot over, and empty what is in it.

        Args:
            submission: the project.
            slot: where its sessions are played.

        Raises:
            MachineError: its folders cannot be emptied.
        """
        self._submission = submission
        self._folders = folders_of(submission)
        self._slot = slot
        self.add_bytecode(Submission(files=()))
        self.modules = modules_of(submission)
        """Names that an import would take from the project."""
        inside = slot.inside
        self._place = Place(project=inside / PROJECT, home=inside / HOME)
        self._state = inside / STATE
        self._mode = stat.S_IMODE(os.stat(slot.outside).st_mode)
        for name in (PROJECT, HOME, STATE):
            self._empty(name)

    def add_bytecode(self, files: Submission) -> None:
        """Put these files beside the project's in the copies of quick sessions."""
        self._bytecode = files
        self._bytecode_folders = [
            folder for folder in folders_of(files) if folder not in self._folders
        ]

    @contextmanager
    def place(self, *, bytecode: bool = False) -> Iterator[Place]:
        """A fresh, writable copy of the project and an empty home, for one session.

        Args:
            bytecode: whether the copy holds the bytecode that was added, if there is any.

        Raises:
            MachineError: they could not be made, or not be removed.
        """
        project = self._slot.outside / PROJECT
        with _machine_at_fault(project):
            write_files(self._submission, project, self._folders, self._slot.owner)
            if bytecode and self._bytecode.files:
                write_files(self._bytecode, project, self._bytecode_folders, self._slot.owner)
        try:
            yield self._place
        finally:
            self._empty(PROJECT)
            self._empty(HOME)
            self._sweep()

    @contextmanager
    def state(self) -> Iterator[Path]:
        """An empty state directory as the candidate sees it, for one scenario.

        Raises:
            MachineError: it could not be emptied.
        """
        try:
            yield self._state
        finally:
            self._empty(STATE)

    def _sweep(self) -> None:
        """Remove what a session may have put beside its folders, and done to the box itself."""
        box = self._slot.outside
        with _machine_at_fault(box):
            os.chmod(box, self._mode)
            for name in os.listdir(box):
                if name not in FOLDERS:
                    remove(box / name)
            renew(box)

    def _empty(self, name: str) -> None:
        folder = self._slot.outside / name
        with _machine_at_fault(folder):
            empty_tree(folder)


def folders_of(submission: Submission) -> list[str]:
    """The folders that a submission's files need, parents first."""
    parts = [file.path.split("/") for file in submission.files]
    return sorted({"/".join(p[:n]) for p in parts for n in range(1, len(p))})


def modules_of(submission: Submission) -> frozenset[str]:
    """Top-level module names that a submission's files take, whatever their kind."""
    return frozenset(file.path.split("/")[0].split(".")[0] for file in submission.files)


def write_files(
    submission: Submission,
    folder: Path,
    folders: list[str] | None = None,
    owner: int | None = None,
) -> None:
    """Write a submission's files below a folder that exists.

    Args:
        submission: the files.
        folder: where they go.
        folders: what :func:`folders_of` says, if it was asked already.
        owner: whom all of it is given to, if not to this user.
    """
    base = os.fspath(folder) + "/"
    for name in folders_of(submission) if folders is None else folders:
        os.mkdir(base + name, _FOLDER_MODE)
        if owner is not None:
            os.chown(base + name, owner, owner)
    for file in submission.files:
        mode = 0o755 if file.executable else 0o644
        handle = os.open(base + file.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            if owner is not None:
                os.fchown(handle, owner, owner)
            view = memoryview(file.data)
            while view:
                view = view[os.write(handle, view) :]
        finally:
            os.close(handle)


@contextmanager
def _machine_at_fault(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise MachineError(f"{folder.name}: cannot be written: {error.strerror}") from error
