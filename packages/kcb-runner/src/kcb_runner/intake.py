"""A project in memory, from wherever a program has it: a folder, a mapping, or taken already."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from kcb_core.limits import LIMITS, Limits
from kcb_core.submission import Submission, SubmittedFile
from kcb_runner.snapshot import Rejected, is_left_out, take

Project: TypeAlias = Path | Submission | Mapping[str, str | bytes]
"""A folder, files by their path below the project, or a project that was taken already."""

MAX_NAME_BYTES = 255
"""Longest file name; file systems hold no longer one."""

MAX_PATH_BYTES = 2_000
"""Longest path below a project, so that a copy of it fits below any folder."""


def submission_of(project: Project, limits: Limits = LIMITS) -> Submission:
    """A project as it is judged.

    Args:
        project: text in a mapping is stored as UTF-8; names that a folder's snapshot leaves out,
            such as ``__pycache__``, are left out of a mapping too.
        limits: how many files and bytes it may hold.

    Raises:
        Rejected: the project breaks a rule about its files; whoever wrote it is at fault.
        DeclarationError: a folder cannot be read.
    """
    if isinstance(project, Submission):
        return project
    if isinstance(project, Path):
        return take(project, limits)
    return _from_files(project, limits)


def _from_files(files: Mapping[str, str | bytes], limits: Limits) -> Submission:
    taken: dict[str, SubmittedFile] = {}
    size = 0
    for path, content in files.items():
        parts = _parts(path, limits)
        if any(map(is_left_out, parts)):
            continue
        # A lone surrogate is what a model wrote: it stays, and Python will call it no UTF-8.
        data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        size += len(data)
        taken[path] = SubmittedFile(path, bytes(data))
    if len(taken) > limits.submission_files:
        raise Rejected(f"more than {limits.submission_files:,} files")
    if size > limits.submission_bytes:
        raise Rejected(f"more than {limits.submission_bytes:,} bytes of files")
    for path in taken:
        above = path.rpartition("/")[0]
        while above:
            if above in taken:
                raise Rejected(f"{above!r} is both a file and a folder")
            above = above.rpartition("/")[0]
    return Submission(files=tuple(taken[path] for path in sorted(taken)))


def _parts(path: str, limits: Limits) -> list[str]:
    """The parts of a path that stays below the project and that any file system can hold."""
    parts = path.split("/")
    shown = ascii(path)[:400]
    if "\0" in path or any(part in ("", ".", "..") for part in parts):
        raise Rejected(f"{shown} is no path below the project")
    if len(parts) > limits.submission_depth:
        raise Rejected(f"folders nested deeper than {limits.submission_depth}, at {shown}")
    try:
        encoded = os.fsencode(path)
    except UnicodeEncodeError:
        raise Rejected(f"{shown} is no file name") from None
    if len(encoded) > MAX_PATH_BYTES or max(map(len, encoded.split(b"/"))) > MAX_NAME_BYTES:
        raise Rejected(f"{shown} is too long a path")
    return parts
