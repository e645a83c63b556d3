"""Harbor by its command line: what is asked of it, and how one run of it is ended."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from kcb_core.errors import DeclarationError, MachineError

HARBOR_VERSION = "0.26.0"
"""The version whose command line and result files are known here; no other is run."""

COMPOSER = "podman-compose"
"""What Harbor makes containers of Podman with."""

GRACE_S = 90.0
"""How long Harbor may take to remove its containers when it is to end, in seconds."""

_VERSION_S = 120.0
_LEASH = "kcb_experiments.harbor.leash"


@dataclass(frozen=True, slots=True)
class Harbor:
    """Harbor's command in an environment of its own, which is never imported from."""

    program: Path
    """Absolute path of the command."""
    environment: str
    """What it makes containers with."""
    image: str
    """Name of the image, if one is named."""

    def require(self) -> None:
        """Make sure that it is the version that is known here, with what it needs beside it.

        Raises:
            DeclarationError: it is another, does not run, or lacks something.
        """
        found = self._version()
        if found != HARBOR_VERSION:
            raise DeclarationError(
                f"{self.program} is Harbor {found}, and results of {HARBOR_VERSION} are read here"
            )
        if self.environment == "podman" and not shutil.which(
            COMPOSER, path=self._variables["PATH"]
        ):
            raise DeclarationError(f"{COMPOSER} is missing beside {self.program}")

    def run(self, task: Path, agent: str, job: Path, log: IO[bytes]) -> HarborRun:
        """Begin one trial of one task.

        Args:
            task: the task's folder.
            agent: what Harbor calls the agent.
            job: the job's folder, which it makes.
            log: takes what Harbor says.

        Raises:
            MachineError: it cannot be started.
        """
        words = [self.program, "run", "--path", task, "--agent", agent, "--env", self.environment]
        words += ["--n-concurrent", "1", "--yes", "--quiet"]
        words += ["--jobs-dir", job.parent, "--job-name", job.name]
        if self.image:
            words.append("--no-delete")  # otherwise it removes the image too
        return HarborRun([*map(str, words)], self._variables, log)

    def _version(self) -> str:
        words = [str(self.program), "--version"]
        try:
            done = subprocess.run(
                words,
                capture_output=True,
                stdin=subprocess.DEVNULL,
                timeout=_VERSION_S,
                env=self._variables,
                text=True,
                errors="replace",
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise DeclarationError(f"{self.program} does not run: {error}") from None
        if done.returncode:
            raise DeclarationError(
                f"{self.program} does not run: exit status {done.returncode} for --version"
            )
        return done.stdout.strip()

    @property
    def _variables(self) -> dict[str, str]:
        """All of its environment: that of this process, for Harbor is the caller's own program."""
        path = os.pathsep.join([str(self.program.parent), os.environ.get("PATH", os.defpath)])
        # A list of prices would be fetched, again and again where there is no network.
        return {"LITELLM_LOCAL_MODEL_COST_MAP": "True", **os.environ, "PATH": path}


class HarborRun:
    """One run of Harbor. It ends with this process, however that ends."""

    def __init__(self, words: Sequence[str], variables: Mapping[str, str], log: IO[bytes]) -> None:
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", _LEASH, str(GRACE_S), *words],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=dict(variables),
                start_new_session=True,
            )
        except OSError as error:
            raise MachineError(f"Harbor cannot be started: {error.strerror or error}") from error

    def wait(self, seconds: float) -> bool:
        """Whether it ends within so many seconds."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        return self._process.returncode is not None

    def end(self) -> None:
        """Let it remove its containers, and kill it where it does not; after its end, nothing."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        if not self.wait(2 * GRACE_S):
            self._process.kill()
            self._process.wait()
