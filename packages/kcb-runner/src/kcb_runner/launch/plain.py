"""Starts a candidate as a new process in a process group of its own, with nothing confined."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

from kcb_core.errors import MachineError
from kcb_core.limits import Limits
from kcb_core.roles import LaunchRequest
from kcb_runner.launch.box import make_box, remove_box

KILL_GRACE_S = 2.0
"""How long a killed process may take to be gone before the machine is at fault."""

_PAGE_BYTES = resource.getpagesize()
_PROC = Path("/proc")

_live: set[int] = set()
_live_lock = threading.Lock()


MECHANISMS = (
    ("process-group", "rlimits", "watched-memory", "watched-processes")
    if _PROC.exists()
    else ("process-group",)
)
"""What holds all the same where nothing is confined."""


class PlainSlot:
    """A folder in memory, and one new process group a session; nothing is confined.

    Nothing keeps the candidate from the user's files and the network. File size, open files and
    core dumps are limited by the kernel where it is Linux; memory and processes by the driver,
    which looks now and then.
    """

    owner = None
    python = None
    quick = None
    quick_sessions = 0

    def __init__(self) -> None:
        """Make the folder.

        Raises:
            MachineError: it could not be made.
        """
        self.outside = make_box()

    @property
    def inside(self) -> Path:
        """The box, at the same place for everybody."""
        return self.outside

    def launch(self, request: LaunchRequest) -> GroupProcess:
        """Start one process; errors as in :class:`kcb_core.roles.Slot`."""
        limiter = _limiter()
        if limiter:
            _require_program(request.argv[0])
            argv = [limiter, *_limiting(request.limits), "--", *request.argv]
        else:
            argv = list(request.argv)
        try:
            process = subprocess.Popen(
                argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=request.cwd,
                env=dict(request.environment),
                start_new_session=True,
                bufsize=0,
            )
        except OSError as error:
            raise MachineError(f"cannot start {request.argv[0]}: {error.strerror}") from error
        return GroupProcess(process, None if limiter else request.limits)

    def close(self) -> None:
        """Remove the folder.

        Raises:
            MachineError: something in it could not be removed.
        """
        remove_box(self.outside)


class GroupProcess:
    """A process that leads a group of its own; see :class:`kcb_core.roles.Launched`."""

    def __init__(self, process: subprocess.Popen[bytes], limits: Limits | None) -> None:
        """Follow a process.

        Args:
            process: the process.
            limits: what it is still to be limited to, if it is not yet.
        """
        if limits:
            _limit(process.pid, limits)
        self._process = process
        self._pid = process.pid
        self._status: int | None = None
        self._cpu_s = 0.0
        self._survivors = 0
        with _live_lock:
            _live.add(self._pid)
        pipes = (process.stdin, process.stdout, process.stderr)
        self._pipes = tuple(pipe for pipe in pipes if pipe is not None)
        self.stdin, self.stdout, self.stderr = (pipe.fileno() for pipe in self._pipes)
        for handle in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(handle, False)
        self._exit_fd = _exit_descriptor(self._pid)

    @property
    def exit_fd(self) -> int | None:
        """Readable when the process has ended; None where the system has no such descriptor."""
        return self._exit_fd

    @property
    def survivors(self) -> int:
        """Other processes of the group that were alive when the first had ended."""
        return self._survivors

    def poll(self) -> int | None:
        """The exit status, negative for a signal, or None while the process lives."""
        if self._status is None:
            self._reap(os.WNOHANG)
        return self._status

    def close_stdin(self) -> None:
        """End the process's input; a second time does nothing."""
        with suppress(OSError):
            self._pipes[0].close()

    def usage(self) -> tuple[int, int]:
        """Resident bytes, and processes and threads, of the group; zeros where unknown."""
        resident = tasks = 0
        for group, threads, pages in _group_stats():
            if group == self._pid:
                resident += pages * _PAGE_BYTES
                tasks += threads
        return resident, tasks

    def stop(self) -> float:
        """Kill the group and give back what it held; CPU seconds of what was waited for.

        Raises:
            MachineError: the process could not be killed within the grace.
        """
        try:
            self._kill_group()
        finally:
            for pipe in self._pipes:
                with suppress(OSError):
                    pipe.close()
            if self._exit_fd is not None:
                os.close(self._exit_fd)
            with _live_lock:
                _live.discard(self._pid)
        return self._cpu_s

    def _kill_group(self) -> None:
        if self.poll() is not None:
            # The leader ended by itself and is reaped: whoever still answers is a survivor.
            if _group_alive(self._pid):
                self._survivors = sum(group == self._pid for group, _, _ in _group_stats())
                _kill(self._pid)
            return
        _kill(self._pid)
        deadline = time.monotonic() + KILL_GRACE_S
        while self.poll() is None:
            if time.monotonic() > deadline:
                raise MachineError(
                    f"process {self._pid} does not end {KILL_GRACE_S} s after a kill"
                )
            time.sleep(0.0005)

    def _reap(self, flags: int) -> None:
        try:
            pid, status, usage = os.wait4(self._pid, flags)
        except ChildProcessError:  # somebody else's handler reaped it: its status is lost
            self._status = self._process.returncode = 0
            return
        if pid:
            self._status = os.waitstatus_to_exitcode(status)
            self._process.returncode = self._status
            self._cpu_s = usage.ru_utime + usage.ru_stime


def kill_groups() -> None:
    """Kill every process group that is being played right now; for the last moment of a process."""
    with _live_lock:
        for pid in _live:
            _kill(pid)


def _kill(group: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def _group_alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _exit_descriptor(pid: int) -> int | None:
    """A descriptor that tells a process's end; None where the system has none, or an old kernel."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None


@cache
def _limiter() -> str | None:
    """The program of util-linux that limits itself and then becomes another; None without one.

    A process that is limited from outside, once it runs, may have begun by then on a machine that
    is busy; and whatever runs between fork and exec in here is not safe beside threads.
    """
    return shutil.which("prlimit", path=os.defpath) if sys.platform == "linux" else None


def _limiting(limits: Limits) -> tuple[str, ...]:
    return (
        f"--fsize={limits.file_bytes}:{limits.file_bytes}",
        f"--nofile={limits.open_files}:{limits.open_files}",
        "--core=0:0",
    )


def _require_program(path: str) -> None:
    """Make sure that a program is there, which the limiter would tell by an exit status alone.

    Raises:
        MachineError: it is not.
    """
    if not os.access(path, os.X_OK):
        raise MachineError(f"cannot start {path}: there is no such program")


def _limit(pid: int, limits: Limits) -> None:
    """Limit a process that has just been started, and most likely still starts its interpreter."""
    if sys.platform != "linux":
        return
    with suppress(OSError):
        for kind, value in (
            (resource.RLIMIT_FSIZE, limits.file_bytes),
            (resource.RLIMIT_NOFILE, limits.open_files),
            (resource.RLIMIT_CORE, 0),
        ):
            resource.prlimit(pid, kind, (value, value))


def _group_stats() -> list[tuple[int, int, int]]:
    """Group, threads and resident pages of every living process that can be seen."""
    found = []
    with suppress(OSError):
        for name in os.listdir(_PROC):
            if name.isdigit():
                with suppress(OSError, ValueError, IndexError):
                    found.append(_stat(name))
    return [entry for entry in found if entry is not None]


def _stat(name: str) -> tuple[int, int, int] | None:
    """Fields 5, 20 and 24 of /proc/PID/stat; None for a zombie. Source: proc(5)."""
    with open(_PROC / name / "stat", "rb") as file:
        words = file.read().rpartition(b")")[2].split()
    if words[0] in (b"Z", b"X"):
        return None
    return int(words[2]), int(words[17]), int(words[21])
