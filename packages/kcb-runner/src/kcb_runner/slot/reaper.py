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

    There are three ways, the first that this machine allows: as the first process of a namespace,
    as the only user of an id, and by the process group, which at level ``basic`` nobody can leave.
    """

    def __init__(self, way: str) -> None:
        """Choose the way.

        Args:
            way: ``namespace``, ``user`` or ``group``.
        """
        self.way = way
        self._mine: Callable[[int, list[bytes]], bool] = getattr(self, f"_of_{way}")
        self._leader = 0
        self._status: int | None = None
        self._cpu_s = 0.0
        if way != "namespace":
            kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1, "taking in orphans")

    def watch(self, leader: int) -> None:
        """Begin with the session of this process."""
        self._leader, self._status, self._cpu_s = leader, None, 0.0

    def end(self) -> tuple[int, float, int]:
        """Kill the session, and see to it that it is gone.

        Returns:
            Status of the leader, negative for a signal; CPU seconds of all; and how many others
            were alive when the leader had ended by itself.
        """
        ended = self._bury(self._leader)
        self._bury_others()
        self._kill()
        others = self._sweep()
        status = self._status if self._status is not None else -signal.SIGKILL
        self._leader = 0  # its number may soon be somebody else's
        return status, self._cpu_s, others if ended else 0

    def abandon(self) -> None:
        """Kill whatever there is, for good: nobody will ask any more."""
        if self._leader:
            self._kill()

    def usage(self) -> tuple[int, int]:
        """Resident bytes, and processes and threads, of the session now."""
        # Each that has ended holds a process id, and a session may start thousands.
        self._bury_others()
        resident = tasks = 0
        for _, words in self._session():
            tasks += int(words[_THREADS])
            resident += int(words[_RESIDENT]) * _PAGE_BYTES
        return resident, tasks

    def _kill(self) -> None:
        with suppress(ProcessLookupError):
            if self.way in ("namespace", "user"):
                os.kill(-1, signal.SIGKILL)  # all that may be signalled, and this one is spared
            else:
                os.killpg(self._leader, signal.SIGKILL)

    def _sweep(self) -> int:
        """Wait for all children that are left; how many there were beside the leader."""
        swept = 0
        until = time.monotonic() + SWEEP_S
        while True:
            flags = 0 if self.way == "namespace" else os.WNOHANG
            try:
                pid = self._wait(-1, flags)
            except ChildProcessError:
                return swept
            if pid:
                swept += pid != self._leader
            elif time.monotonic() > until:
                return swept
            else:
                time.sleep(0.0005)
                self._kill()

    def _bury_others(self) -> None:
        """Wait for those that have ended already, but for the leader, whose status is asked for."""
        with suppress(ChildProcessError):
            peek = os.WEXITED | os.WNOHANG | os.WNOWAIT
            while (ended := os.waitid(os.P_ALL, 0, peek)) and ended.si_pid != self._leader:
                self._bury(ended.si_pid)

    def _bury(self, pid: int) -> bool:
        return bool(self._wait(pid, os.WNOHANG))

    def _wait(self, pid: int, flags: int) -> int:
        """Wait for a child; its process id, or 0 if there is none to be had now."""
        found, status, usage = os.wait4(pid, flags)
        if found:
            self._cpu_s += usage.ru_utime + usage.ru_stime
        if found and found == self._leader:
            self._status = os.waitstatus_to_exitcode(status)
        return found

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
        return int(words[_GROUP]) == self._leader
