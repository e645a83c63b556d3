"""The shell that agents' commands run in: the runner's sandbox around a project's folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Literal

import msgspec

from kcb_agents.shell import Ending, NotRun, OpenShell, Ran, Shell
from kcb_agents.workspace import furnish
from kcb_core.errors import DeclarationError, MachineError
from kcb_core.roles import Ground
from kcb_core.submission import Submission
from kcb_runner.launch.leftovers import make_folder
from kcb_runner.machine import interpreter
from kcb_runner.sandbox import CommandResult, NotStarted, Sandbox
from kcb_runner.snapshot import take
from kcb_runner.tree import remove_tree

Level = Literal["full", "basic", "none"]

Sandboxed = Callable[[Level], OpenShell]
"""A shell that confines at a level; here so that tests can bring another."""


def sandboxed(level: Level) -> OpenShell:
    """A shell in a sandbox that keeps this level or is not opened at all."""

    @contextmanager
    def opened(start: Path | None) -> Iterator[Shell]:
        folder = make_folder("agent", None)
        try:
            with ExitStack() as stack:
                project = folder / "project"
                project.mkdir()
                furnish(project, start)
                box = stack.enter_context(Sandbox(project, confine=level))
                yield SandboxShell(box, project, stack)
        finally:
            remove_tree(folder)

    return opened


def grounded(level: Level, ground: Ground) -> OpenShell:
    """A shell in a sandbox over a prepared place, which stays when it is closed."""

    @contextmanager
    def opened(_: Path | None) -> Iterator[Shell]:
        with ExitStack() as stack:
            box = Sandbox(
                ground.folder, confine=level, show=ground.show, environment=ground.environment
            )
            yield SandboxShell(stack.enter_context(box), ground.folder, stack)

    return opened


class SandboxShell:
    """Runs commands in a sandbox, and hands the folder over when it is closed."""

    def __init__(self, box: Sandbox, project: Path, stack: ExitStack) -> None:
        """Use an open sandbox.

        Args:
            box: the sandbox.
            project: its folder, as this process sees it.
            stack: closes the sandbox.
        """
        self._box = box
        self._project = project
        self._stack = stack
        self._root = str(box.inside)

    @property
    def root(self) -> str:
        """Path of the project as commands see it."""
        return self._root

    @property
    def python(self) -> str:
        """The evaluator's own interpreter, which commands see at the same place."""
        return interpreter()

    @property
    def confinement(self) -> dict[str, Any]:
        """Level and mechanisms."""
        plain: dict[str, Any] = msgspec.to_builtins(self._box.confinement)
        return plain

    def run(self, argv: Sequence[str], *, timeout_s: float, stdin: bytes = b"") -> Ran:
        """Run one command; errors as in :class:`Shell`."""
        try:
            result = self._box.run(argv, timeout_s=timeout_s, stdin=stdin)
        except NotStarted as error:
            raise NotRun(str(error)) from None
        return Ran(
            ending=_ending(result),
            status=(result.signal or 0) if result.status is None else result.status,
            exceeded=result.exceeded,
            stdout=result.stdout,
            stderr=result.stderr,
            stdout_lost=result.stdout_dropped,
            stderr_lost=result.stderr_dropped,
            wall_s=result.wall_s,
        )

    def hand_over(self) -> Submission:
        """Kill what is left, then take the files; errors as in :class:`Shell`."""
        self._stack.close()
        try:
            return take(self._project)
        except DeclarationError as error:
            raise MachineError(str(error)) from None


def _ending(result: CommandResult) -> Ending:
    if result.timed_out:
        return Ending.TIMED_OUT
    if result.exceeded:
        return Ending.EXCEEDED
    return Ending.EXITED if result.signal is None else Ending.SIGNALLED
