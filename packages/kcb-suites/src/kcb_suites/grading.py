"""Grading: a hidden grader looks at what an agent left, out of its reach, and says what it found.

A grader that crashes, hangs or breaks its contract says nothing of the workspace. Whose fault that
is, is found by evidence: the untouched fixture is graded by the same grader on the same machine.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from kcb_core.errors import MachineError
from kcb_core.report import FailureKind, Outcome, VoidCause
from kcb_core.submission import Submission
from kcb_runner.cancel import Cancel
from kcb_runner.sandbox.program import CommandResult, NotStarted
from kcb_runner.sandbox.sandbox import Sandbox
from kcb_runner.tree import remove_tree
from kcb_suites.contract import GRADE, BrokenContract, reasons_of
from kcb_suites.fixture import TooLarge, digest_of, read_tree, read_workspace, write_copy
from kcb_suites.manifest import Runtime
from kcb_suites.runtimes import program, toolbox

TIMEOUT_S = 300.0
"""Time of one grading; graders are to need less than a tenth of it."""

_TAIL = 4000


class Grade(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is known of a workspace after grading."""

    outcome: Outcome
    """``resolved`` if the grader passes it, ``failed`` if it does not, else ``void``."""
    reasons: tuple[str, ...] = ()
    """What is wrong with it, one line each."""
    kind: FailureKind | msgspec.UnsetType = msgspec.UNSET
    """``rejected`` or ``resource_limit``, where the grader did not come to a verdict."""
    cause: VoidCause | msgspec.UnsetType = msgspec.UNSET
    """Why nothing is known."""
    voids: tuple[str, ...] = ()
    """Every grading that came to nothing, in order: how it broke."""
    stderr: str = ""
    """The end of what the grader wrote to its standard error."""
    wall_s: float = 0.0
    """Seconds of the last grading."""

    @property
    def passed(self) -> bool:
        """Whether the grader passes the workspace."""
        return self.outcome is Outcome.RESOLVED


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """How graders are run: confined, without network, within time."""

    confine: str = "full"
    """Level of confinement: ``full``, ``basic`` or ``none``."""
    timeout_s: float = TIMEOUT_S
    cancel: Cancel | None = None
    """Ends a grading with the run that it belongs to."""

    def grade(self, grader: Path, workspace: Path, *, fixture: Path) -> Grade:
        """Grade a workspace, and find out whose fault it is where that comes to nothing.

        After a grading that breaks, the untouched fixture is graded. If that works and a second
        try on the workspace breaks again, the workspace is the cause: it failed, with kind
        ``resource_limit``. Otherwise nothing is known of it.

        Args:
            grader: the grader's folder.
            workspace: the folder that an agent left; it is only read.
            fixture: what the agent started from.

        Raises:
            Cancelled: the run was stopped.
            MachineError: nothing can be run at this level of confinement.
            DataError: the grader or the fixture is no proper tree.
        """
        try:
            files = read_workspace(workspace)
        except TooLarge as error:
            return Grade(outcome=Outcome.FAILED, kind=FailureKind.REJECTED, reasons=(error.reason,))
        first = self.grade_once(grader, files)
        if first.outcome is not Outcome.VOID:
            return first if _unchanged(workspace, files) else _CHANGED
        probe = self.grade_once(grader, read_tree(fixture))
        if probe.outcome is Outcome.VOID:
            said = tuple(f"the untouched fixture: {void}" for void in probe.voids)
            return msgspec.structs.replace(first, voids=first.voids + said)
        second = self.grade_once(grader, files)
        voids = first.voids + second.voids
        if second.outcome is not Outcome.VOID:
            return msgspec.structs.replace(second, voids=voids)
        return msgspec.structs.replace(
            second,
            outcome=Outcome.FAILED,
            kind=FailureKind.RESOURCE_LIMIT,
            cause=msgspec.UNSET,
            reasons=("its grading broke twice, and that of the untouched fixture did not",),
            voids=voids,
        )

    def grade_once(self, grader: Path, files: Submission) -> Grade:
        """Grade a copy of some files, once; errors as in :meth:`grade`."""
        with _stage(grader, files) as stage:
            started = time.monotonic()
            sandbox = Sandbox(
                stage.work,
                confine=self.confine,
                show=stage.shown,
                environment=stage.environment,
                cancel=self.cancel,
            )
            with sandbox:
                argv = ("python3", str(stage.grader / GRADE), str(sandbox.inside))
                try:
                    result = sandbox.run(argv, timeout_s=self.timeout_s)
                except NotStarted as error:
                    raise MachineError(f"the grader cannot be started: {error}") from None
                except MachineError as error:
                    return _void(f"the sandbox failed: {error}", b"", started)
            return _concluded(result, stage, files, started)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stage:
    """Copies of all that takes part in one grading."""

    work: Path
    grader: Path
    shown: tuple[Path, ...]
    environment: dict[str, str]


@contextmanager
def _stage(grader: Path, files: Submission) -> Iterator[_Stage]:
    """Lay out copies of a grader and a workspace, apart from each other and from the originals."""
    root = Path(tempfile.mkdtemp(prefix="kcb-grading-")).resolve()
    try:
        write_copy(files, root / "work")
        write_copy(read_tree(grader), root / "grader")
        _let_read(root / "grader")
        path = toolbox(root / "bin")
        _let_read(root / "bin")
        real = {Path(found) for runtime in Runtime if (found := program(runtime))}
        yield _Stage(
            work=root / "work",
            grader=root / "grader",
            shown=(root / "grader", root / "bin", *sorted(real)),
            environment={**path, "PYTHONDONTWRITEBYTECODE": "1"},
        )
    finally:
        remove_tree(root)


def _let_read(folder: Path) -> None:
    """Whoever runs the grader is another user, and reads it as everybody can."""
    for path in (folder, *folder.rglob("*")):
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)


def _concluded(result: CommandResult, stage: _Stage, files: Submission, started: float) -> Grade:
    broken = _breakage(result)
    if broken:
        return _void(broken, result.stderr, started)
    try:
        reasons = reasons_of(result.status or 0, result.stdout)
        if digest_of(read_workspace(stage.work)) != digest_of(files):
            raise BrokenContract("it changed the workspace that it was given")
    except (BrokenContract, TooLarge) as error:
        return _void(error.reason, result.stderr, started)
    return Grade(
        outcome=Outcome.FAILED if reasons else Outcome.RESOLVED,
        reasons=reasons,
        stderr=_tail(result.stderr),
        wall_s=_since(started),
    )


def _breakage(result: CommandResult) -> str:
    """How a grader was ended, in words; empty if it ended by itself."""
    if result.timed_out:
        return "it did not end in time"
    if result.exceeded:
        return f"it was ended because it used too much: {result.exceeded}"
    if result.signal is not None:
        return f"it was killed by signal {result.signal}"
    return "it printed without end" if result.stdout_dropped else ""


def _void(broken: str, stderr: bytes, started: float) -> Grade:
    said = _tail(stderr)
    last = said.splitlines()[-1] if said else ""
    return Grade(
        outcome=Outcome.VOID,
        cause=VoidCause.MACHINE,
        voids=(f"{broken}; {last}" if last else broken,),
        stderr=said,
        wall_s=_since(started),
    )


def _unchanged(workspace: Path, files: Submission) -> bool:
    """Whether a workspace still holds what was taken from it: nothing is to work there any more."""
    return digest_of(read_workspace(workspace)) == digest_of(files)


_CHANGED = Grade(
    outcome=Outcome.VOID,
    cause=VoidCause.UNKNOWN,
    voids=("the workspace changed while it was graded: something still works in it",),
)


def _tail(stderr: bytes) -> str:
    return stderr.decode("utf-8", "replace").strip()[-_TAIL:]


def _since(started: float) -> float:
    return round(time.monotonic() - started, 3)
