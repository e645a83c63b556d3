"""A worker as the first process of a container that has no network and sees nothing of the host."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, cast

from kcb_core.codec import canonical, decode
from kcb_core.errors import DataError, DeclarationError, MachineError
from kcb_experiments.engine.aboard import ERRORS, HELLO, READY
from kcb_experiments.engine.child import MAX_LINE
from kcb_experiments.engine.doors import Door, open_doors, socket_name
from kcb_experiments.engine.orders import Signal
from kcb_experiments.engine.vessel import GRACE_S
from kcb_runner.launch.contained import ContainedProcess
from kcb_runner.launch.engine import Engine, Wanted
from kcb_runner.tree import remove_tree

LOAD_S = 60.0
"""How long a worker may take to load its packages, on a busy machine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Boarding:
    """What a worker in a container is told before its order."""

    environment: Mapping[str, str]
    """All of its environment but the search path, which is the image's."""
    doors: tuple[Door, ...] = ()
    """The endpoints that it reaches."""
    agents: tuple[str, ...] = ()
    """Names of agents that must be there."""
    third_party: bool = True
    """Whether it loads the plug-ins of others."""
    fits: Callable[[str], None] = field(default=lambda version: None)
    """Called with the version of its Python; what it raises ends it."""


class ContainedWorker:
    """Such a worker; see ``Vessel``.

    Attributes:
        pid: its process id as this machine sees it.
    """

    def __init__(self, engine: Engine, wanted: Wanted, boarding: Boarding) -> None:
        """Start the container, and wait until the worker has loaded all that it needs.

        Args:
            engine: starts it.
            wanted: the container; its folder of sockets is removed with this.
            boarding: what it is told.

        Raises:
            MachineError: it does not start.
            DeclarationError: its Python does not fit, or lacks something.
        """
        self._stack = ExitStack()
        try:
            self._stack.callback(_removed, wanted.control)
            for relay in open_doors(boarding.doors, wanted.control, wanted.user):
                self._stack.callback(relay.close)
            errors = self._stack.enter_context(_listening(wanted.control / ERRORS, wanted.user))
            self._process = ContainedProcess(engine, wanted, socket.SOCK_STREAM)
            self._stack.callback(self._process.close)
            self.pid = self._process.pid
            talk = self._process.socket
            talk.settimeout(LOAD_S)
            self.input = cast(BinaryIO, talk.makefile("wb"))
            self.output = cast(BinaryIO, talk.makefile("rb"))
            self.errors = _accepted(errors)
            self._board(boarding)
            talk.settimeout(None)
        except OSError as error:
            self._stack.close()
            raise MachineError(f"no worker can be started in a container: {error}") from error
        except BaseException:
            self._stack.close()
            raise

    @property
    def status(self) -> int | None:
        """Its exit status, as its engine tells it."""
        return self._process.status

    def wait(self, seconds: float) -> bool:
        """Whether it ends within so many seconds."""
        return self._process.ended(seconds)

    def interrupt(self) -> None:
        """Ask it to end in order, and kill it when it does not."""
        self._process.send(signal.SIGTERM)
        if not self.wait(GRACE_S):
            self.kill()

    def kill(self) -> None:
        """Kill it, and with it all that runs in its container."""
        self._process.kill()

    def close(self) -> None:
        """See to it that its container is gone, and close the doors."""
        self._stack.close()

    def _board(self, boarding: Boarding) -> None:
        boarding.fits(self._said(HELLO))
        told = {
            "environment": dict(boarding.environment),
            "doors": [
                (door.inside, door.port, socket_name(number))
                for number, door in enumerate(boarding.doors)
            ],
            "agents": list(boarding.agents),
            "third_party": boarding.third_party,
        }
        self.input.write(canonical(told).rstrip(b"\n") + b"\n")
        self.input.flush()
        self._said(READY)

    def _said(self, event: str) -> str:
        """What the worker says with an event that is due."""
        try:
            line = self.output.readline(MAX_LINE)
            signal_ = decode(line, Signal, source="worker")
            if signal_.event == event:
                return signal_.line
        except (OSError, DataError):
            pass
        self._process.kill()
        with suppress(OSError):
            lines = self.errors.read(MAX_LINE).decode("utf-8", "replace").strip().splitlines()
            if lines:
                raise DeclarationError(f"a worker does not load in its container: {lines[-1]}")
        raise MachineError("a worker in a container ended before it had loaded anything")


def _listening(path: Path, owner: int) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(os.fspath(path))
    os.chown(path, owner, -1)
    listener.listen(1)
    listener.settimeout(LOAD_S)
    return listener


def _accepted(listener: socket.socket) -> BinaryIO:
    try:
        errors, _ = listener.accept()
    except OSError as error:
        raise MachineError(f"a worker in a container does not call: {error}") from error
    with errors:
        return cast(BinaryIO, errors.makefile("rb"))


def _removed(folder: Path) -> None:
    with suppress(OSError):
        remove_tree(folder)
