"""Where an external program works: a sandbox around an empty project, and what is handed to it."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Literal

from kcb_agents.command.declaration import Filled
from kcb_agents.egress.passage import Passage
from kcb_agents.workspace import furnish
from kcb_core.errors import DeclarationError, MachineError
from kcb_core.submission import Submission
from kcb_runner.launch.leftovers import make_folder
from kcb_runner.machine import interpreter
from kcb_runner.sandbox import NotStarted, Program, Sandbox
from kcb_runner.snapshot import take
from kcb_runner.tree import remove_tree

Level = Literal["full", "none"]
"""A network of one's own, which the proxy listens in, or this machine's: there is none between."""

_PROMPT = "prompt.md"
_WRAPPER = "wrapper.py"
_FILES = "files"

_MOST_LINKS = 40
"""As many as the system itself would follow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Premises:
    """An open sandbox, and the folders around it as this process sees them."""

    box: Sandbox
    project: Path
    handout: Path
    """What the program can only read: the task, the wrapper, and the files of its declaration."""
    stack: ExitStack
    """Closes the sandbox."""
    passage: Passage | None = None
    """Its way to the network, if it has one."""
    token: bytes = field(repr=False, default_factory=lambda: secrets.token_bytes(32))
    """Seals the result frame; no program gets it."""

    @property
    def paths(self) -> dict[str, str]:
        """The placeholders that are paths in here."""
        return {
            "prompt_file": str(self.handout / _PROMPT),
            "project": str(self.box.inside),
            "home": str(self.box.home),
            "files": str(self.handout / _FILES),
            "python": interpreter(),
        }

    def hand_out(self, prompt: str, texts: Mapping[str, str]) -> None:
        """Lay the task, the wrapper and the files of a declaration out for the program."""
        wrapper = files("kcb_agents.command").joinpath(_WRAPPER).read_bytes()
        (self.handout / _FILES).mkdir(mode=0o755)
        told = {_PROMPT: prompt, **{f"{_FILES}/{name}": text for name, text in texts.items()}}
        laid_out = {name: text.encode("utf-8", "replace") for name, text in told.items()}
        for name, data in {**laid_out, _WRAPPER: wrapper}.items():
            (self.handout / name).write_bytes(data)
            (self.handout / name).chmod(0o644)

    def start(self, filled: Filled, *, wrapped: bool, seconds: float) -> Program:
        """Start the program, or the wrapper around it; its standard input is at its end.

        Raises:
            DeclarationError: there is no such program in here.
            MachineError: the sandbox failed.
        """
        argv, stdin, environment = filled.argv, b"", dict(filled.environment)
        if self.passage:
            self.passage.connect(self.box)
            environment |= self.passage.environment
        if wrapped:
            argv = (interpreter(), "-I", str(self.handout / _WRAPPER), *argv)
            stdin = self.token.hex().encode() + b"\n"
        try:
            return self.box.start(argv, timeout_s=seconds, stdin=stdin, environment=environment)
        except NotStarted as error:
            raise not_there(str(error)) from None

    def hand_over(self) -> Submission:
        """Kill all that is left, then take the files.

        Raises:
            Rejected: the files are no project; whoever left them is at fault.
            MachineError: something could not be killed, or the files not be read.
        """
        self.stack.close()
        try:
            return take(self.project)
        except DeclarationError as error:
            raise MachineError(str(error)) from None


@contextmanager
def opened(
    level: Level,
    show: Sequence[Path],
    start: Path | None = None,
    passage: Passage | None = None,
) -> Iterator[Premises]:
    """Premises for one program; in the end all of it is killed and removed.

    Args:
        level: how far it is confined.
        show: what it can read besides the system's programs.
        start: what lies in its folder at first, if anything does.
        passage: its way to the network, if it is to have one.

    Raises:
        DeclarationError: what is to be shown does not exist, or holds the evaluator.
        MachineError: this machine cannot confine at this level.
    """
    folder = make_folder("agent", None)
    try:
        with ExitStack() as stack:
            project, handout = folder / "project", folder / "handout"
            project.mkdir()
            furnish(project, start)
            handout.mkdir(mode=0o755)
            hosts = passage.hosts if passage else {}
            seen = (handout, *show, *([passage.published] if passage else []))
            box = Sandbox(project, confine=level, show=seen, hosts=hosts)
            stack.enter_context(box)
            yield Premises(box=box, project=project, handout=handout, stack=stack, passage=passage)
    finally:
        remove_tree(folder)


def linked_interpreters(toolchain: Path) -> list[Path]:
    """What the interpreters of a virtual environment are links to, and those on the way there.

    A sandbox shows a folder and no target of a link in it; without these no script of a virtual
    environment could be started.
    """
    found: list[Path] = []
    for path in sorted((toolchain / "bin").glob("python*")):
        for _ in range(_MOST_LINKS):
            if not path.is_symlink():
                break
            path = path.parent / path.readlink()
            if path.exists() and not path.is_relative_to(toolchain):
                found.append(path)
    return found


def not_there(why: str) -> DeclarationError:
    """That a program could not be started: the caller's mistake, and none of the program."""
    return DeclarationError(
        f"the program cannot be started in its sandbox: {why}; only the system's programs are "
        "there, and what the option toolchain and field 'show' name"
    )
