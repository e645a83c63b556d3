"""A worker as a process of this machine, which leads a session of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import BinaryIO, cast

from kcb_core.errors import MachineError
from kcb_experiments.engine.descendants import descendants, kill_known
from kcb_experiments.engine.vessel import GRACE_S

MODULE = "kcb_experiments.engine.worker"


class LocalWorker:
    """Such a worker; no signal of a terminal reaches it. See ``Vessel``."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        """Start it.

        Args:
            environment: all of its environment.

        Raises:
            MachineError: it cannot be started.
        """
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", MODULE],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=dict(environment),
                start_new_session=True,
            )
        except OSError as error:
            raise MachineError(f"no worker can be started: {error.strerror or error}") from error
        self.input = cast(BinaryIO, self._process.stdin)
        self.output = cast(BinaryIO, self._process.stdout)
        self.errors = cast(BinaryIO, self._process.stderr)

    @property
    def status(self) -> int | None:
        """Its exit status."""
        return self._process.poll()

    def wait(self, seconds: float) -> bool:
        """Whether it ends within so many seconds."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        return self._process.returncode is not None

    def interrupt(self) -> None:
        """Ask it to end in order, and kill it when it does not."""
        below = descendants(self._process.pid)
        with suppress(OSError):
            self._process.send_signal(signal.SIGTERM)
        if not self.wait(GRACE_S):
            self.kill()
        kill_known(below)

    def kill(self) -> None:
        """Kill it and all that it has started, in whatever session that is now."""
        below = descendants(self._process.pid)
        with suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        kill_known(below)

    def close(self) -> None:
        """Nothing is kept besides its pipes."""
