"""The files that were handed in, frozen in memory, and the digest that names them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, order=True)
class SubmittedFile:
    """One regular file of a project."""

    path: str
    """Path below the project, parts joined by ``/``; bytes that are no UTF-8 as surrogates."""
    data: bytes = field(repr=False)
    """Its content."""
    executable: bool = False
    """Whether its owner may execute it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """A project as it is judged: no later change of the folder it came from can reach it."""

    files: tuple[SubmittedFile, ...]
    """Its files, sorted by path."""

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(len(file.data) for file in self.files)

    @property
    def sha256(self) -> str:
        """The source hash: of relative paths and bytes, and of nothing that a host adds."""
        return tree_sha256((file.path, file.data, False) for file in self.files)

    def has(self, path: str) -> bool:
        """Whether there is a file at this path."""
        return any(file.path == path for file in self.files)


def tree_sha256(files: Iterable[tuple[str, bytes, bool]]) -> str:
    """The SHA-256 of a tree of files.

    Depends on the paths, the bytes and the executable bit alone: not on the order of the files, on
    modification times, the host or its locale. Source: each file contributes the length of its
    path, its path, ``x`` or ``-``, the length of its content, and its content, by sorted path.

    Args:
        files: path with ``/`` between its parts, content, and whether it is executable.
    """
    whole = hashlib.sha256()
    encoded = sorted((path.encode("utf-8", "surrogateescape"), d, x) for path, d, x in files)
    for path, data, executable in encoded:
        whole.update(b"%d:%b%b%d:" % (len(path), path, b"x" if executable else b"-", len(data)))
        whole.update(data)
    return whole.hexdigest()
