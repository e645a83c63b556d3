"""Fixtures: the files that an agent starts from, their digest, and the workspace made of them.

A stored fixture is only ever read. A workspace is a folder of its own, with a git repository of one
commit, in which anything may be done.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kcb_core.errors import DataError, DeclarationError, MachineError
from kcb_core.submission import Submission, SubmittedFile
from kcb_core.submission import tree_sha256 as digest
from kcb_runner.scratch import write_files
from kcb_runner.tree import remove

LEFT_OUT = frozenset({"__pycache__"})
"""Never part of a tree: installers and interpreters put it beside modules."""

HISTORY = ".git"
DELETE = "DELETE"
"""File of an overlay that lists what is removed, one path a line."""

MAX_FILES, MAX_BYTES, MAX_DEPTH = 20_000, 256 << 20, 64

_GIT_TIMEOUT_S = 60.0
_GIT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    **{f"GIT_{who}_NAME": "Klein-Code-Bench" for who in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{who}_EMAIL": "suites@localhost" for who in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{who}_DATE": "2001-01-01T00:00:00+0000" for who in ("AUTHOR", "COMMITTER")},
}
"""No setting of this user or machine, and the same commit whenever it is made."""


class TooLarge(Exception):
    """A workspace has more files, bytes or levels than are ever looked at.

    Attributes:
        reason: one line that names the bound.
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


@dataclass(slots=True)
class _Room:
    """What a walk may still take."""

    files: int = MAX_FILES
    size: int = MAX_BYTES

    def take(self, size: int) -> None:
        """Count one file."""
        self.files -= 1
        self.size -= size
        if self.files < 0:
            raise TooLarge(f"more than {MAX_FILES:,} files")
        if self.size < 0:
            raise TooLarge(f"more than {MAX_BYTES:,} bytes")


def tree_sha256(folder: Path) -> str:
    """The digest of a tree: of every file its path, its bytes, and whether it is executable.

    Folders count only by what is in them; ``__pycache__`` does not count. Source:
    :func:`kcb_core.submission.tree_sha256`.

    Raises:
        DeclarationError: there is no such folder.
        DataError: it holds a link, a special file, a git repository, or nothing.
    """
    return digest_of(read_tree(folder))


def digest_of(files: Submission) -> str:
    """The digest of a tree that was read already."""
    return digest((file.path, file.data, file.executable) for file in files.files)


def read_tree(folder: Path) -> Submission:
    """The files of a tree that an author wrote; errors as in :func:`tree_sha256`."""
    if not folder.is_dir() or folder.is_symlink():
        raise DeclarationError(f"{folder}: there is no such folder")
    try:
        files = tuple(sorted(_walk(folder, "", _Room(), strict=True)))
    except TooLarge as error:
        raise DataError(f"{folder}: {error.reason}") from None
    if not files:
        raise DataError(f"{folder}: holds no file")
    return Submission(files=files)


def read_workspace(folder: Path) -> Submission:
    """The files that an agent left, in whatever state; links and special files are left out.

    The history of git is left out too, and so is what cannot be read.

    Raises:
        TooLarge: there is more of it than is ever looked at.
        DeclarationError: there is no such folder.
    """
    if not folder.is_dir():
        raise DeclarationError(f"{folder}: there is no such folder")
    return Submission(files=tuple(sorted(_walk(folder, "", _Room(), strict=False))))


def make_workspace(fixture: Path, target: Path, *, tree_sha256: str) -> None:
    """Copy a fixture into a new folder and make a git repository with one commit of it.

    Args:
        fixture: its folder, which is only read.
        target: the new folder.
        tree_sha256: the digest that it must have.

    Raises:
        DataError: it has another digest, which is named; nothing was written.
        DeclarationError: there is no such fixture, or ``target`` is there already.
        MachineError: the folder cannot be written, or git fails.
    """
    files = verified(fixture, tree_sha256)
    if os.path.lexists(target):
        raise DeclarationError(f"{target}: is there already")
    write_copy(files, target)
    _commit(target)


def verified(fixture: Path, tree_sha256: str) -> Submission:
    """The files of a fixture that has this digest.

    Raises:
        DataError: it has another one, which is named.
        DeclarationError: there is no such fixture.
    """
    files = read_tree(fixture)
    found = digest_of(files)
    if found != tree_sha256:
        raise DataError(
            f"{fixture}: its tree_sha256 is {found}, and the manifest says {tree_sha256}; if the "
            "fixture was changed on purpose, copy the new value into the manifest"
        )
    return files


def write_copy(files: Submission, target: Path) -> None:
    """Write files into a new folder.

    Raises:
        MachineError: they cannot be written.
    """
    try:
        target.mkdir(parents=True)
        write_files(files, target)
    except OSError as error:
        raise MachineError(f"{target}: cannot be written: {error.strerror}") from error


def overlay(folder: Path, workspace: Path) -> None:
    """Lay a tree over a workspace: its files take their places, and what DELETE lists goes.

    Args:
        folder: the overlay, such as a solution.
        workspace: a folder that nobody else works in.

    Raises:
        DataError: a path of DELETE leaves the workspace, or names nothing in it.
        DeclarationError: there is no such overlay.
    """
    files = read_tree(folder)
    for path in _deleted(files, folder):
        target = workspace / path
        if _leaves(path) or _through_link(workspace, path):
            raise DataError(f"{folder / DELETE}: {path!r} leaves the workspace")
        if not os.path.lexists(target):
            raise DataError(f"{folder / DELETE}: {path!r} is not in the workspace")
        remove(target)
    for file in files.files:
        if file.path != DELETE:
            _place(file, workspace)


def _walk(folder: Path, prefix: str, room: _Room, *, strict: bool) -> Iterator[SubmittedFile]:
    if prefix.count("/") > MAX_DEPTH:
        raise TooLarge(f"folders nested deeper than {MAX_DEPTH}")
    for entry in _listed(folder, strict=strict):
        path = prefix + entry.name
        if entry.name in LEFT_OUT:
            continue
        if entry.name == HISTORY:
            if strict:
                raise DataError(f"{folder}: holds a git repository; a tree has no history")
            continue
        info = entry.stat(follow_symlinks=False)
        if stat.S_ISDIR(info.st_mode):
            yield from _walk(Path(entry.path), path + "/", room, strict=strict)
        elif stat.S_ISREG(info.st_mode):
            room.take(info.st_size)
            yield from _read(Path(entry.path), path, info.st_mode, strict=strict)
        elif strict:
            kind = "a link" if stat.S_ISLNK(info.st_mode) else "a special file"
            raise DataError(f"{entry.path}: is {kind}; a tree is of files and folders")


def _listed(folder: Path, *, strict: bool) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        if strict:
            raise DeclarationError(f"{folder}: {error.strerror}") from None
        return []


def _read(place: Path, path: str, mode: int, *, strict: bool) -> Iterator[SubmittedFile]:
    try:
        handle = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(handle, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        if strict:
            raise DeclarationError(f"{place}: {error.strerror}") from None
        return
    yield SubmittedFile(path, data, bool(mode & stat.S_IXUSR))


def _deleted(files: Submission, folder: Path) -> list[str]:
    for file in files.files:
        if file.path == DELETE:
            try:
                return [line for line in file.data.decode("utf-8").splitlines() if line.strip()]
            except UnicodeDecodeError:
                raise DataError(f"{folder / DELETE}: is no UTF-8") from None
    return []


def _leaves(path: str) -> bool:
    return path.startswith("/") or any(step in ("", ".", "..") for step in path.split("/"))


def _through_link(workspace: Path, path: str) -> bool:
    return any((workspace / above).is_symlink() for above in Path(path).parents)


def _place(file: SubmittedFile, workspace: Path) -> None:
    """Put a file in its place, whatever lies there or on the way."""
    target = workspace / file.path
    for above in reversed(Path(file.path).parents):
        step = workspace / above
        if step.is_symlink() or (step.exists() and not step.is_dir()):
            step.unlink()
        step.mkdir(exist_ok=True)
    if os.path.lexists(target):
        remove(target)
    target.write_bytes(file.data)
    target.chmod(0o755 if file.executable else 0o644)


def _commit(workspace: Path) -> None:
    git = shutil.which("git")
    if git is None:
        raise DeclarationError("git is not installed, and every workspace is a git repository")
    home = {"HOME": str(workspace), "PATH": os.environ.get("PATH", os.defpath)}
    for words in (
        ("init", "--quiet", "--template=", "--initial-branch=main"),
        ("add", "--all", "--force"),
        ("commit", "--quiet", "--no-verify", "--no-gpg-sign", "--message=Start"),
    ):
        try:
            subprocess.run(
                [git, *words],
                cwd=workspace,
                env={**home, **_GIT},
                check=True,
                capture_output=True,
                stdin=subprocess.DEVNULL,
                timeout=_GIT_TIMEOUT_S,
            )
        except subprocess.CalledProcessError as error:
            said = error.stderr.decode("utf-8", "replace").strip()
            raise MachineError(f"git {words[0]} fails in {workspace}: {said}") from None
        except subprocess.TimeoutExpired:
            raise MachineError(f"git {words[0]} does not end in {workspace}") from None
