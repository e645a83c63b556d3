"""Many may play on this machine at once, or one alone, whichever process they belong to."""

from __future__ import annotations

import fcntl
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from kcb_core.errors import MachineError
from kcb_runner.cancel import Cancel, Cancelled
from kcb_runner.gate import QuietGate
from kcb_runner.launch.supervisor import readable

_LOOK_S = 0.05
"""How often a lock that somebody else holds is tried."""


class HostGate(QuietGate):
    """A gate that all workers of one user on one machine share.

    Each waits in turn at a first lock and holds a second one, shared or alone, while it plays: so
    who wants to be alone is let in before new ones. The locks are of open files, so a process that
    is killed gives them back. Source: flock(2).
    """

    def __init__(self, cancel: Cancel, folder: Path | None = None) -> None:
        """Find the two lock files, which are made once and stay.

        Args:
            cancel: ends all waiting; others may hold the locks who have no part in this run.
            folder: where they lie; by default a folder of this user for temporary files.

        Raises:
            MachineError: there is no such folder that only this user can write to.
        """
        super().__init__()
        self._cancel = cancel
        self._folder = folder or Path(tempfile.gettempdir(), f"klein-bench-gate-{os.getuid()}")
        try:
            self._folder.mkdir(0o700, exist_ok=True)
            found = self._folder.lstat()
        except OSError as error:
            raise MachineError(f"{self._folder}: {error.strerror}") from error
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
            raise MachineError(f"{self._folder}: is no folder of this user")

    @contextmanager
    def shared(self) -> Iterator[None]:
        """Play beside others; raises :class:`~kcb_runner.cancel.Cancelled` as the next does."""
        with super().shared(), self._locked(fcntl.LOCK_SH):
            yield

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Play while nobody else on this machine does; every other playing is bounded.

        Raises:
            Cancelled: the run was stopped meanwhile.
        """
        with super().alone(), self._locked(fcntl.LOCK_EX):
            yield

    @contextmanager
    def _locked(self, kind: int) -> Iterator[None]:
        turn = self._open("turn")
        room = self._open("room")
        try:
            self._lock(turn, fcntl.LOCK_EX)
            self._lock(room, kind)
            fcntl.flock(turn, fcntl.LOCK_UN)
            yield
        finally:
            os.close(room)
            os.close(turn)

    def _lock(self, handle: int, kind: int) -> None:
        """Take a lock, or give up with the run: no signal reaches who waits within the kernel."""
        while True:
            with suppress(BlockingIOError):
                return fcntl.flock(handle, kind | fcntl.LOCK_NB)
            if self._cancel.thrown:
                raise Cancelled
            readable(self._cancel.fd, _LOOK_S)

    def _open(self, name: str) -> int:
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        try:
            return os.open(self._folder / name, flags, 0o600)
        except OSError as error:
            raise MachineError(f"{self._folder / name}: {error.strerror}") from error
