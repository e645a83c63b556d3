"""A supervisor as a child of the evaluator, and what any other way to start one has to offer."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from kcb_core.errors import MachineError

END_S = 10.0
"""How long a supervisor may take to end when nobody talks to it any more."""

PROGRAM = ("-E", "-s", "-S", "main.py")
"""The words after the interpreter that start the supervisor, in the folder of its bundle."""

_ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}


class Process(Protocol):
    """A supervisor that was started, and a socket to it that keeps messages apart."""

    pid: int
    socket: socket.socket

    def detach(self) -> None:
        """It is up: let go of whatever it might have complained by."""
        ...

    def complaint(self) -> str:
        """What it, or whatever started it, left on its standard error."""
        ...

    def kill(self) -> None:
        """End it the hard way, at once."""
        ...

    def close(self) -> None:
        """Hang up, and wait until it is gone."""
        ...


class Child:
    """A supervisor on this machine; see :class:`Process`."""

    def __init__(self, python: str, bundle: Path) -> None:
        """Start it.

        Args:
            python: path of the interpreter.
            bundle: the folder with its program.

        Raises:
            MachineError: it could not be started.
        """
        self.socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            self._process = subprocess.Popen(
                (python, *PROGRAM),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=bundle,
                env=_ENVIRONMENT,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        except OSError as error:
            self.socket.close()
            raise MachineError(f"cannot start {python}: {error.strerror}") from error
        finally:
            theirs.close()
        self.pid = self._process.pid

    def detach(self) -> None:
        """Close its pipes."""
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe:
                pipe.close()

    def complaint(self) -> str:
        """What is in its pipe when it is gone; others may still hold the pipe."""
        pipe = self._process.stderr
        if pipe is None or self._running():
            return ""
        os.set_blocking(pipe.fileno(), False)
        with suppress(BlockingIOError):
            return os.read(pipe.fileno(), 1 << 16).decode("utf-8", "replace")
        return ""

    def kill(self) -> None:
        """End it; the first process of its namespace follows it."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)

    def close(self) -> None:
        """Hang up, and end it with whatever it started."""
        self.socket.close()
        if self._running():
            self.kill()
            self._running()
        self.detach()

    def _running(self) -> bool:
        """Whether it is still there after a while."""
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            return True
        return False
