"""Programs that build toolchains: pip and npm, as their users have set them up."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from kcb_core.errors import MachineError

TIMEOUT_S = 1800
"""Seconds that one step of a build may take."""

_TOLD_LINES = 4


def run(argv: Sequence[str], *, cwd: Path) -> str:
    """What a program writes to its standard output.

    Its environment is the caller's, since that says where packages come from and by which way; only
    what would bend an interpreter is left out.

    Raises:
        MachineError: it cannot be started, fails, or takes too long.
    """
    bent = ("PYTHONHOME", "PYTHONPATH", "NODE_OPTIONS")
    environment = {name: value for name, value in os.environ.items() if name not in bent}
    try:
        done = subprocess.run(
            [*argv],
            cwd=cwd,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIMEOUT_S,
        )
    except subprocess.TimeoutExpired:
        raise MachineError(f"{argv[0]}: took longer than {TIMEOUT_S} seconds") from None
    except OSError as error:
        raise MachineError(f"{argv[0]}: cannot be started: {error.strerror or error}") from None
    if done.returncode:
        said = (done.stderr or done.stdout).decode("utf-8", "replace").strip().splitlines()
        told = "; ".join(line.strip() for line in said[-_TOLD_LINES:])
        raise MachineError(f"{Path(argv[0]).name} failed: {told}")
    return done.stdout.decode("utf-8", "replace")


class Pip:
    """The pip that comes with an interpreter, in an environment of its own."""

    def __init__(self, python: str, work: Path) -> None:
        """Make the environment.

        Args:
            python: an interpreter.
            work: an existing folder that is thrown away in the end.

        Raises:
            MachineError: the interpreter has no venv, or no pip for it.
        """
        self._work = work
        self._python = str(work / "venv" / "bin" / "python")
        run((python, "-I", "-m", "venv", str(work / "venv")), cwd=work)

    def install(self, requirements: bytes, target: Path) -> None:
        """Unpack what a lockfile lists into a folder: wheels only, each held against its digest.

        Raises:
            MachineError: pip refuses the lockfile or a file, or finds one nowhere.
        """
        lock = self._work / "requirements.txt"
        lock.write_bytes(requirements)
        strict = ("--require-hashes", "--only-binary=:all:", "--no-deps", "--no-compile")
        quiet = ("--quiet", "--no-input", "--disable-pip-version-check")
        where = (f"--target={target}", f"--requirement={lock}")
        pip = (self._python, "-I", "-m", "pip", "install")
        run((*pip, *quiet, *strict, *where), cwd=self._work)
