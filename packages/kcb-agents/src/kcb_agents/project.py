"""A project as an agent hands it in: which paths and how much may be in it, and writing it down."""

from __future__ import annotations

import os
import stat
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from kcb_core.errors import MachineError
from kcb_core.limits import LIMITS, Limits
from kcb_core.submission import Submission, SubmittedFile
from kcb_runner.snapshot import is_left_out

MAX_NAME_BYTES = 255
MAX_PATH_BYTES = 1024

_LEFT_OUT = frozenset({"__pycache__", "node_modules"})


def path_fault(path: str, limits: Limits = LIMITS, *, hidden: bool = False) -> str:
    """Why a path may not be in a project; empty if it may.

    What is allowed means the same file on every system, lies inside the project, and is one that a
    person sees in a listing.

    Args:
        path: with ``/`` between its parts.
        limits: bounds how deep it may lead.
        hidden: whether parts may start with a dot, as in a repository; its history never is.
    """
    if not path.isprintable():
        return "a path holds a control character"
    shown = path[:120]
    if not path or path.startswith(("/", "~")) or "\\" in path or ":" in path:
        return f"{shown!r} is no relative path with / between its parts"
    parts = path.split("/")
    if ".." in parts:
        return f"{shown!r} leads out of the project"
    if any(not part or part[-1] in ". " or (part[0] == "." and not hidden) for part in parts):
        return f"{shown!r} has a part that is empty, hidden, or ends with a dot or blank"
    if left_out := [p for p in parts if p in _LEFT_OUT or (hidden and is_left_out(p))]:
        return f"{shown!r}: {min(left_out)} is left out of every project"
    if len(path.encode()) > MAX_PATH_BYTES or any(len(p.encode()) > MAX_NAME_BYTES for p in parts):
        return f"{shown!r} is too long"
    if len(parts) > limits.submission_depth:
        return f"{shown!r} is nested deeper than {limits.submission_depth}"
    return ""


def project_fault(submission: Submission, limits: Limits = LIMITS) -> str:
    """Why some files are no project; empty if they are one."""
    for file in submission.files:
        if fault := path_fault(file.path, limits):
            return fault
    return tree_fault(submission, limits)


def tree_fault(submission: Submission, limits: Limits = LIMITS) -> str:
    """Why some files, each of which may be there, may not be there together; empty if they may."""
    paths = [file.path for file in submission.files]
    if len(paths) > limits.submission_files:
        return f"more than {limits.submission_files:,} files"
    if submission.size > limits.submission_bytes:
        return f"more than {limits.submission_bytes:,} bytes of files"
    return _clash(paths)


def write_project(submission: Submission, folder: Path) -> None:
    """Write a project's files into an empty folder, so that they outlast a loss of power.

    Raises:
        MachineError: they cannot be written.
    """
    try:
        for submitted in submission.files:
            path = folder / submitted.path
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                file.write(submitted.data)
                if submitted.executable:
                    os.fchmod(file.fileno(), 0o755)
                file.flush()
                os.fsync(file.fileno())
    except OSError as error:
        raise MachineError(f"{folder}: cannot be written: {error.strerror or error}") from error


def read_project(folder: Path) -> Submission:
    """The files that an agent left in a folder; links are not followed, and are no files.

    Raises:
        MachineError: they cannot be read.
    """
    try:
        files = [
            SubmittedFile(
                path=path.relative_to(folder).as_posix(),
                data=path.read_bytes(),
                executable=bool(path.stat().st_mode & stat.S_IXUSR),
            )
            for path in sorted(folder.rglob("*"))
            if path.is_file() and not path.is_symlink()
        ]
    except OSError as error:
        raise MachineError(f"{folder}: cannot be read: {error.strerror or error}") from error
    return Submission(files=tuple(sorted(files)))


def _clash(paths: Iterable[str]) -> str:
    """Two paths that cannot both be there, on this system or on one that ignores case."""
    seen: dict[str, tuple[str, bool]] = {}
    for path in paths:
        parts = path.split("/")
        for end in range(1, len(parts) + 1):
            place, is_file = "/".join(parts[:end]), end == len(parts)
            folded = unicodedata.normalize("NFC", place).casefold()
            if seen.setdefault(folded, (place, is_file)) != (place, is_file):
                return f"{seen[folded][0]!r} and {place!r} cannot both be there"
    return ""
