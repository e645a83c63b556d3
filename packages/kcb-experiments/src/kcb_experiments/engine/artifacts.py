"""What an attempt left, kept for ever: its project under its source hash, and its other files."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

from kcb_core.errors import MachineError
from kcb_core.submission import Submission
from kcb_experiments.records import Artifact
from kcb_runner.intake import submission_of
from kcb_runner.orders import store
from kcb_runner.snapshot import Rejected

ATTEMPTS_NAME = "attempts"
PROJECTS_NAME = "projects"
REPORT_NAME = "report.json"

MOST_FILES = 10_000
"""Files of one attempt that are recorded; a subject can make any number of them."""

_CHUNK = 1 << 20


def attempt_folder(folder: Path, key: str, term: int, attempt: int) -> Path:
    """Where the files of one attempt lie; no two attempts of any writer share a folder."""
    return folder / ATTEMPTS_NAME / key / f"{term}-{attempt}"


def keep_project(project: Path, folder: Path) -> Artifact | None:
    """Store a project under its source hash.

    Returns:
        Where it is now; None if its files break a rule, so that no project can be made of them.

    Raises:
        MachineError: it cannot be stored.
    """
    try:
        submission: Submission = submission_of(project)
    except Rejected:
        return None
    place = store(submission, folder / PROJECTS_NAME)
    name = place.relative_to(folder).as_posix()
    return Artifact(path=name, size=submission.size, sha256=submission.sha256)


def files_of(place: Path, folder: Path, *, without: Path) -> Iterator[Artifact]:
    """The regular files of an attempt, with what is needed to see that they are still the same.

    A subject may have made them so that they cannot be read; these are left out, and so are those
    beyond :data:`MOST_FILES`. No link is followed.

    Args:
        place: the attempt's folder.
        folder: the experiment's folder.
        without: the folder of the project, which is kept under its source hash.
    """
    yield from islice(_files_of(place, folder, without), MOST_FILES)


def _files_of(place: Path, folder: Path, without: Path) -> Iterator[Artifact]:
    for parent, folders, names in os.walk(place):
        here = Path(parent)
        folders[:] = sorted(name for name in folders if here / name != without)
        for name in sorted(names):
            path = here / name
            with suppress(OSError, MachineError):
                if stat.S_ISREG(path.lstat().st_mode):
                    yield described(path, folder)


def described(path: Path, folder: Path) -> Artifact:
    """A file as an artifact.

    Raises:
        MachineError: it cannot be read.
    """
    whole, size = hashlib.sha256(), 0
    try:
        with path.open("rb") as file:
            while piece := file.read(_CHUNK):
                whole.update(piece)
                size += len(piece)
    except OSError as error:
        raise MachineError(f"{path}: cannot be read: {error.strerror or error}") from error
    # A name may be any bytes, and a record is text.
    name = os.fsencode(path.relative_to(folder)).decode("utf-8", "backslashreplace")
    return Artifact(path=name, size=size, sha256=whole.hexdigest())
