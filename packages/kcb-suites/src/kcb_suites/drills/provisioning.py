"""The place in which a drill is played: the agent's folder, and the tool ready on its PATH.

All of it is laid out before the agent's turn, and nothing is built in it.
"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from kcb_core.environment import SEARCH_PATH
from kcb_core.errors import DeclarationError, MachineError
from kcb_core.roles import Ground
from kcb_runner.launch.leftovers import make_folder
from kcb_runner.machine import interpreter
from kcb_runner.sandbox import NotStarted, Sandbox
from kcb_runner.tree import remove_tree
from kcb_suites.drills.battery import Battery
from kcb_suites.drills.bundling import bundle
from kcb_suites.drills.drill import Drill

START_S = 60.0
"""How long the tool may take to print its version, in seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """A battery's tool, laid out once for any number of trials."""

    battery: Battery
    tools: Path
    """The folder of the tool; its ``bin`` is the first on the PATH."""
    level: str
    """How far commands are confined."""
    version: str = ""
    """The one line that the tool says of itself where an agent would start it."""
    fault: str = ""
    """Why it does not start there; empty if it does."""

    def require_tool(self) -> None:
        """Refuse to play with a tool that does not start.

        Raises:
            DeclarationError: it does not.
        """
        if self.fault:
            raise DeclarationError(self.fault)

    @contextmanager
    def ground(self, drill: Drill) -> Iterator[Ground]:
        """A fresh place for one trial of a drill, removed in the end.

        Raises:
            MachineError: it could not be laid out.
        """
        with self._empty() as ground:
            try:
                self._lay_out(drill, ground.folder)
            except OSError as error:
                raise MachineError(f"{ground.folder}: {error.strerror or error}") from error
            yield ground

    @contextmanager
    def sandbox(self, ground: Ground) -> Iterator[Sandbox]:
        """A sandbox over such a place; errors as in :class:`Sandbox`."""
        box = Sandbox(
            ground.folder, confine=self.level, show=ground.show, environment=ground.environment
        )
        with box:
            yield box

    def tried(self) -> Bench:
        """The same bench, its tool started once just as an agent would start it.

        Raises:
            MachineError: this machine cannot confine.
        """
        tool = self.battery.tool
        with self._empty() as ground, self.sandbox(ground) as box:
            try:
                ran = box.run((tool.name, *tool.version), timeout_s=START_S)
            except NotStarted as error:
                return replace(self, fault=f"{tool.name} does not start: {error}")
        said = ran.stdout.decode("utf-8", "replace").strip()
        if ran.status == 0 and said:
            return replace(self, version=said.splitlines()[0])
        tail = " ".join(ran.stderr.decode("utf-8", "replace").split())[-300:] or "no output"
        return replace(self, fault=f"{tool.name} {' '.join(tool.version)} fails: {tail}")

    @contextmanager
    def _empty(self) -> Iterator[Ground]:
        """An empty folder with the tool beside it."""
        folder = make_folder("agent", None)
        try:
            work = folder / "work"
            work.mkdir()
            path = f"{self.tools / 'bin'}:{SEARCH_PATH}"
            yield Ground(folder=work, show=(self.tools,), environment={"PATH": path})
        finally:
            remove_tree(folder)

    def _lay_out(self, drill: Drill, work: Path) -> None:
        for name, source in self.battery.material(drill).items():
            _write(work / name, source.read_bytes())
        for contrived in drill.fixture.contrived:
            _write(work / contrived.path, contrived.text.encode())
        for distractor in self.battery.distractors(drill):
            _write(work / distractor.path, distractor.text.encode())


@contextmanager
def opened(battery: Battery, level: str) -> Iterator[Bench]:
    """The bench of a battery, its tool laid out and tried; removed in the end.

    Raises:
        DeclarationError: the tool is not there.
        MachineError: it could not be laid out, or this machine cannot confine.
    """
    folder = make_folder("agent", None)
    try:
        folder.chmod(0o755)
        _put_tool(battery, folder)
        yield Bench(battery=battery, tools=folder, level=level).tried()
    finally:
        remove_tree(folder)


def _put_tool(battery: Battery, folder: Path) -> None:
    """Lay the tool out: its own files, and in ``bin`` what starts it."""
    tool = battery.tool
    if tool.distribution:
        program = bundle(tool.distribution, tool.name, folder / "lib")
    else:
        source = battery.folder / "tool"
        if not (source / tool.program).is_file():
            raise DeclarationError(f"{source / tool.program}: there is no such program")
        shutil.copytree(source, folder / "lib", ignore=shutil.ignore_patterns("__pycache__"))
        program = folder / "lib" / tool.program
    starter = folder / "bin" / tool.name
    # The interpreter that commands see is this one; what is installed for it is not seen.
    words = shlex.join((interpreter(), "-I", "-S", "-B", str(program)))
    _write(starter, f'#!/bin/sh\nexec {words} "$@"\n'.encode())
    starter.chmod(0o755)


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    path.chmod(0o644)
