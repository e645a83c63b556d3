"""The one writer of an experiment's folder: an advisory lock that dies with its process.

``.writer.lock`` names the holder; that it is held is for the operating system to say. The file is
never removed while locks work, since a removed file can be locked by one while another makes it
anew.
"""

from __future__ import annotations

import errno
import fcntl
import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from kcb_core.codec import decode, encode
from kcb_core.errors import DataError, DeclarationError, MachineError
from kcb_experiments.records import Holder

LOCK_NAME = ".writer.lock"

_HELD = (errno.EWOULDBLOCK, errno.EACCES)
_CANNOT = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL)
_MAX_BYTES = 4096
_PATIENCE_S = 0.5
"""A look at the holder takes the lock for an instant; a writer that meets it asks again."""


class WriterLock:
    """The right to write, while it is held. Take it with :func:`hold_writer_lock`."""

    def __init__(self, path: Path, handle: int, *, locks: bool) -> None:
        self.path = path
        self.holder = this_process()
        self._handle = handle
        self._locks = locks

    def check(self) -> None:
        """Make sure that the lock is still the one that others meet.

        Raises:
            MachineError: somebody removed or replaced the file; another may be writing.
        """
        mine = os.fstat(self._handle)
        try:
            there = os.stat(self.path)
        except OSError:
            there = None
        if there is None or (there.st_dev, there.st_ino) != (mine.st_dev, mine.st_ino):
            raise MachineError(
                f"{self.path}: was removed or replaced while this process held it; nothing more is "
                "written, since another may be writing"
            )

    def _sign(self) -> None:
        _replace_content(self._handle, encode(self.holder), self.path)

    def _release(self) -> None:
        with suppress(OSError, MachineError):
            if self._locks:
                _replace_content(self._handle, b"", self.path)
            else:
                os.unlink(self.path)
        with suppress(OSError):
            os.close(self._handle)


@contextmanager
def hold_writer_lock(folder: Path, tell: Callable[[str], None]) -> Iterator[WriterLock]:
    """Keep every other writer out of a folder.

    Args:
        folder: the folder of an experiment; it has to be there.
        tell: told in one line of a holder that died and whose lock is taken over.

    Raises:
        DeclarationError: another process writes there; it is named.
        MachineError: the file cannot be written.
    """
    path = folder / LOCK_NAME
    lock = _take(path, tell)
    pid = os.getpid()
    try:
        lock._sign()
        yield lock
    finally:
        if os.getpid() == pid:
            lock._release()


def current_holder(folder: Path) -> Holder | None:
    """The process that writes to a folder at this moment, as far as the system can tell.

    Where the file system has no locks it is whoever last signed the file.
    """
    path = folder / LOCK_NAME
    try:
        handle = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        if _try_lock(handle) is True:
            return None
        return _signature(handle, path)
    finally:
        os.close(handle)


def this_process() -> Holder:
    """This process, so that no other can be taken for it."""
    return Holder(
        host=socket.gethostname(),
        boot_id=boot_id(),
        pid=os.getpid(),
        started=_start_of(os.getpid()),
        since=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def boot_id() -> str:
    """What tells this start of the machine from another; empty where the system does not say."""
    with suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    return ""


def _start_of(pid: int) -> str:
    """When a process started, in clock ticks since the machine did; empty where nobody says."""
    with suppress(OSError, IndexError):
        # The name before the last parenthesis may hold anything; the start is the 20th after it.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    return ""


def _take(path: Path, tell: Callable[[str], None]) -> WriterLock:
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise MachineError(f"{path}: cannot be opened: {error.strerror or error}") from error
    try:
        locks = _locks(handle, path)
        left = _signature(handle, path)
        if left is not None and not locks:
            raise DeclarationError(
                f"{path}: this file system has no locks, and {left} left this file; if that "
                "process is gone, remove the file and try again"
            )
    except BaseException:
        os.close(handle)
        raise
    if left is not None:
        tell(f"{path}: {left} is gone without having finished; this process takes over")
    _forget_in_children(handle)
    return WriterLock(path, handle, locks=locks)


def _locks(handle: int, path: Path) -> bool:
    """Take the lock; whether this file system has locks that keep anybody out.

    Raises:
        DeclarationError: another holds it.
    """
    until = time.monotonic() + _PATIENCE_S
    while (taken := _try_lock(handle)) is False:
        if time.monotonic() >= until:
            holder = _signature(handle, path) or "another process"
            raise DeclarationError(
                f"{path}: {holder} is writing to this folder; wait for it, or stop it with "
                "'klein-bench experiment stop'"
            )
        time.sleep(0.02)
    return taken is True and _is_enforced(path)


def _is_enforced(path: Path) -> bool:
    """Whether a second taker is refused; some network file systems say yes to everybody."""
    second = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    try:
        return _try_lock(second) is False
    finally:
        os.close(second)


def _try_lock(handle: int) -> bool | None:
    """Whether the lock was taken; None where there are no locks."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _HELD:
            return False
        if error.errno in _CANNOT:
            return None
        raise MachineError(f"the lock cannot be asked for: {error.strerror}") from error
    return True


def _signature(handle: int, path: Path) -> Holder | None:
    """Who signed the file; None if nobody did, or died while signing."""
    data = os.pread(handle, _MAX_BYTES, 0)
    if not data.strip():
        return None
    try:
        return decode(data, Holder, source=str(path))
    except DataError:
        return Holder(host="an unknown host", pid=0)


def _replace_content(handle: int, data: bytes, path: Path) -> None:
    try:
        os.ftruncate(handle, 0)
        written = os.pwrite(handle, data, 0)
        os.fsync(handle)
    except OSError as error:
        raise MachineError(f"{path}: cannot be written: {error.strerror or error}") from error
    if written != len(data):
        raise MachineError(f"{path}: cannot be written: no space left")


def _forget_in_children(handle: int) -> None:
    """Close the lock in every process that is forked from this one.

    A lock belongs to the open file, and a child that outlives its killed parent would keep it.
    """
    pid = os.getpid()
    inode = os.fstat(handle).st_ino

    def forget() -> None:
        with suppress(OSError):
            if os.getpid() != pid and os.fstat(handle).st_ino == inode:
                os.close(handle)

    os.register_at_fork(after_in_child=forget)
