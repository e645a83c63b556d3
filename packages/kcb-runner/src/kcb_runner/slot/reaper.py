"""Ends a session: whatever it started is killed, whoever its parent is by now."""

from __future__ import annotations

import os
import resource
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

from kcb_runner.slot import kernel

SWEEP_S = 1.0
"""How long processes that can be found but not waited for are swept up."""

_PAGE_BYTES = resource.getpagesize()
_GROUP, _THREADS, _RESIDENT = 2, 17, 21


class Reaper:
    """Kills and counts the processes of a session.

    There are four ways, the first that this machine allows: as the first process of a namespace, as
    the only user of an id, by a process group that nobody can leave, and by one that they can.
    """

    def __init__(self, way: str) -> None:
        """Choose the way.

        Args:
            way: ``namespace``, ``user``, ``group`` or ``session``.
        """
        self.way = way
        self._mine: Callable[[int, list[bytes]], bool] = getattr(self, f"_of_{way}")
        self._leader = 0
        self._status: int | None = None
        self._cpu_s = 0.0
        self.survivors = 0
        if way != "namespace":
            kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1, "taking in orphans")

    @property
    def apart(self) -> bool:
        """Whether a session gets a process group of its own."""
        return self.way != "group"

    def watch(self, leader: int) -> None:
        """Begin with the session of this process."""
        self._leader, self._status, self._cpu_s, self.survivors = leader, None, 0.0, 0

    def end(self) -> tuple[int, float, int]:
        """Kill the session, and see to it that it is gone.

        Returns:
            Status of the leader, negative for a signal; CPU seconds of all; and how many others
            were alive when the leader had ended by itself.
        """
        self._reap(self._leader, os.WNOHANG)
        ended = self._status is not None
        self._kill()
        if not ended:
            self._reap(self._leader, 0)
        others = self._sweep()
        status = self._status if self._status is not None else -signal.SIGKILL
        return status, self._cpu_s, others if ended else 0

    def abandon(self) -> None:
        """Kill whatever there is, for good: nobody will ask any more."""
        if self._leader:
            self._kill()

    def usage(self) -> tuple[int, int]:
        """Resident bytes, and processes and threads, of the session now."""
        resident = tasks = 0
        for _, words in self._session():
            tasks += int(words[_THREADS])
            resident += int(words[_RESIDENT]) * _PAGE_BYTES
        return resident, tasks

    def _kill(self) -> None:
        with suppress(ProcessLookupError):
            if self.way in ("namespace", "user"):
                os.kill(-1, signal.SIGKILL)  # all that may be signalled, and this one is spared
            elif self.way == "session":
                os.killpg(self._leader, signal.SIGKILL)
            else:
                self._kill_group()

    def _kill_group(self) -> None:
        """Kill all others of this group: first stop them, so that nobody starts another."""
        for number in (signal.SIGSTOP, signal.SIGKILL):
            seen: set[int] = set()
            while new := {pid for pid, _ in self._session()} - seen:
                for pid in new:
                    with suppress(ProcessLookupError):
                        os.kill(pid, number)
                seen |= new

    def _sweep(self) -> int:
        """Wait for all children that are left; how many there were."""
        swept = 0
        until = time.monotonic() + SWEEP_S
        while True:
            flags = 0 if self.way == "namespace" else os.WNOHANG
            try:
                pid, _, usage = os.wait4(-1, flags)
            except ChildProcessError:
                return swept
            if pid:
                self._cpu_s += usage.ru_utime + usage.ru_stime
                swept += 1
            elif time.monotonic() > until:
                return swept
            else:
                time.sleep(0.0005)
                self._kill()

    def _reap(self, pid: int, flags: int) -> None:
        found, status, usage = os.wait4(pid, flags)
        if found:
            self._status = os.waitstatus_to_exitcode(status)
            self._cpu_s += usage.ru_utime + usage.ru_stime

    def _session(self) -> Iterator[tuple[int, list[bytes]]]:
        """Every living process of the session with the words of its stat file after its name."""
        for name in os.listdir("/proc"):
            if not name.isdigit() or int(name) == os.getpid():
                continue
            with suppress(OSError, IndexError):
                with open(f"/proc/{name}/stat", "rb") as file:
                    words = file.read().rpartition(b")")[2].split()
                if words[0] not in (b"Z", b"X") and self._mine(int(name), words):
                    yield int(name), words

    def _of_namespace(self, pid: int, words: list[bytes]) -> bool:
        return True

    def _of_user(self, pid: int, words: list[bytes]) -> bool:
        return os.stat(f"/proc/{pid}").st_uid == os.getuid()

    def _of_group(self, pid: int, words: list[bytes]) -> bool:
        return int(words[_GROUP]) == os.getpgrp()

    def _of_session(self, pid: int, words: list[bytes]) -> bool:
        return int(words[_GROUP]) == self._leader
