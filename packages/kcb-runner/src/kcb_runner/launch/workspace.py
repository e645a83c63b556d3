"""A folder of the evaluator's machine in which confined programs work for a while."""

from __future__ import annotations

import os
import stat
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from kcb_core.errors import DeclarationError, MachineError
from kcb_runner.launch.visible import refuse_own


class Workspace:
    """Such a folder, handed to a user of the slot's own and taken back in the end.

    Attributes:
        folder: its real path.
    """

    def __init__(self, folder: Path) -> None:
        """Look it over.

        Args:
            folder: all that is in it will be within the programs' reach.

        Raises:
            DeclarationError: it is no folder, or a place of the whole system or user; it holds the
                evaluator's own packages; or it holds another name of a file outside, which would be
                within reach too.
        """
        if not folder.is_dir():
            raise DeclarationError(f"{folder}: is no folder")
        self.folder = folder.resolve()
        if any(place.resolve().is_relative_to(self.folder) for place in _shared_places()):
            raise DeclarationError(f"{folder}: is more than a folder to work in")
        refuse_own(self.folder)
        found = self.folder.stat()
        self._owner = self._given = (found.st_uid, found.st_gid)
        names: Counter[tuple[int, int]] = Counter()
        links: dict[tuple[int, int], tuple[int, str]] = {}
        for path, found in _walk(self.folder):
            if found.st_nlink > 1 and not stat.S_ISDIR(found.st_mode):
                names[found.st_dev, found.st_ino] += 1
                links[found.st_dev, found.st_ino] = (found.st_nlink, os.fsdecode(path))
        for file, (count, name) in links.items():
            if names[file] < count:
                raise DeclarationError(
                    f"{name}: the same file has another name outside of {self.folder}; copy it"
                )

    def give_to(self, user: int | None) -> None:
        """Hand it over, while nothing works in it.

        Args:
            user: user and group id; None to leave it whose it is.

        Raises:
            MachineError: something in it could not be handed over.
        """
        if user is None:
            return
        self._given = (user, user)
        for path, _ in _walk(self.folder):
            try:
                os.chown(path, user, user, follow_symlinks=False)
            except OSError as error:
                raise MachineError(f"{os.fsdecode(path)}: {error.strerror}") from error

    def take_back(self) -> None:
        """Make it the evaluator's again, when nothing works in it any more.

        What lies too deep to be named stays the other user's, who is nobody by then.
        """
        if self._given == self._owner:
            return
        for path, _ in _walk(self.folder):
            with suppress(OSError):
                os.chown(path, *self._owner, follow_symlinks=False)
        self._given = self._owner


def _shared_places() -> Iterator[Path]:
    """Folders that no program may be given, and so none above them."""
    yield from map(Path, ("/bin", "/boot", "/dev", "/etc", "/lib", "/opt", "/proc", "/run"))
    yield from map(Path, ("/sbin", "/sys", "/tmp", "/usr", "/var/tmp", tempfile.gettempdir()))
    yield Path.home()


def _walk(folder: Path) -> Iterator[tuple[bytes, os.stat_result]]:
    """A folder and all that is in it, as far as it can be named; no link is followed."""
    todo = [os.fsencode(folder)]
    while todo:
        path = todo.pop()
        with suppress(OSError):
            found = os.lstat(path)
            yield path, found
            if stat.S_ISDIR(found.st_mode):
                todo += [entry.path for entry in os.scandir(path)]
