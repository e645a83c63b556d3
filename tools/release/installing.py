"""Empty environments, and installing into them from files alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from email.parser import Parser
from pathlib import Path

from packaging.requirements import Requirement

COMMAND_TIMEOUT_S = 3600
"""No command of a rehearsal takes longer; validating all tasks twice over takes minutes."""

EXTRAS = ("pages",)
"""Extras that a rehearsal installs, besides ``all``, which is of our packages alone."""

_LISTING = (
    "import importlib.metadata as m, json; "
    "print(json.dumps({d.name: d.version for d in m.distributions()}))"
)


class StepError(Exception):
    """A step of a rehearsal did not do what a stranger may expect; the text is for people."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """All that can be installed: our archives, and a folder of what other people made."""

    built: Path
    foreign: Path

    def options(self) -> tuple[str, ...]:
        """Words for an installer that knows no index."""
        return ("--no-index", f"--find-links={self.built}", f"--find-links={self.foreign}")


def declared(built: Path) -> Iterator[Requirement]:
    """What the wheels in a folder require, of each other too, with the extras of a rehearsal."""
    for path in sorted(built.glob("*.whl")):
        with zipfile.ZipFile(path) as wheel:
            (name,) = (each for each in wheel.namelist() if each.endswith(".dist-info/METADATA"))
            metadata = Parser().parsestr(wheel.read(name).decode("utf-8"))
        for line in metadata.get_all("Requires-Dist", ()):
            requirement = Requirement(line)
            marker = requirement.marker
            if marker is None or any(marker.evaluate({"extra": each}) for each in ("", *EXTRAS)):
                yield requirement


def fetch_foreign(built: Path, ours: Iterable[str], into: Path) -> None:
    """Fetch what the wheels require of other people, with what that requires, from the index.

    Raises:
        subprocess.CalledProcessError: something is not to be had.
    """
    names = set(ours)
    wanted = sorted(
        f"{each.name}{each.specifier}" for each in declared(built) if each.name not in names
    )
    words = ("-m", "pip", "download", "--quiet", "--disable-pip-version-check")
    command = [sys.executable, *words, f"--dest={into}", *wanted]
    subprocess.run(command, check=True, timeout=COMMAND_TIMEOUT_S)


@dataclass(frozen=True, slots=True)
class Environment:
    """A virtual environment with nothing in it but what is installed here."""

    place: Path

    @classmethod
    def make(cls, place: Path) -> Environment:
        """A new one, by the interpreter that rehearses."""
        uv("venv", "--quiet", f"--python={sys.executable}", str(place))
        return cls(place)

    @property
    def programs(self) -> Path:
        """The folder of its programs."""
        return self.place / "bin"

    def install(self, shelf: Shelf, *requirements: str) -> None:
        """Install from a shelf and from nowhere else."""
        target = f"--python={self.programs / 'python'}"
        uv("pip", "install", "--quiet", target, *shelf.options(), *requirements)

    def distributions(self) -> dict[str, str]:
        """Version of everything that is installed, by name."""
        listed = self.run("python", "-I", "-c", _LISTING, folder=self.place)
        found: dict[str, str] = json.loads(listed)
        return found

    def run(self, program: str, *words: str | Path, folder: Path, status: int = 0) -> str:
        """What one of its programs prints.

        Args:
            program: its name in :attr:`programs`.
            words: its arguments.
            folder: where it runs; no variable of the caller's reaches it.
            status: the exit status that it must have.

        Raises:
            StepError: it has another.
        """
        command = [str(self.programs / program), *map(str, words)]
        path = f"{self.programs}:{os.environ['PATH']}"
        done = subprocess.run(
            command,
            cwd=folder,
            env={"PATH": path, "HOME": str(folder), "LANG": "C.UTF-8"},
            capture_output=True,
            text=True,
            check=False,
            timeout=COMMAND_TIMEOUT_S,
        )
        if done.returncode != status:
            raise StepError(
                f"{' '.join(command)}: exit status {done.returncode} where {status} was expected\n"
                f"{done.stdout}{done.stderr}"
            )
        return done.stdout


def uv(*words: str) -> None:
    """Run uv.

    Raises:
        StepError: it fails; its own words are in the text.
    """
    command = [sys.executable, "-m", "uv", *words]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        timeout=COMMAND_TIMEOUT_S,
        env={**os.environ, "UV_PYTHON_DOWNLOADS": "never"},
    )
    if done.returncode:
        raise StepError(f"uv {' '.join(words)}\n{done.stderr}")
