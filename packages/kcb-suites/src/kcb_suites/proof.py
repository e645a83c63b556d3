"""The proof of a task: what its grader must say of workspaces of which the truth is known.

The untouched fixture fails, the solution passes, every cheat fails. Each such workspace is a trial,
graded as an agent's would be; what can be seen without a grader is looked at before.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from kcb_core.errors import DataError, DeclarationError
from kcb_core.report import Outcome, VoidCause
from kcb_runner.tree import remove_tree
from kcb_suites.fixture import digest_of, make_workspace, overlay, read_tree, verified
from kcb_suites.grading import Desk, Grade
from kcb_suites.manifest import SuiteTask
from kcb_suites.tree import CHEATS, SOLUTIONS, Suite

_COUNT = re.compile(r"^(\d+) checks$", re.MULTILINE)
"""How ``steps.py`` tells people of the checks that were made."""

KINDS_OF_CHEATS = (
    "tests-deleted",
    "tests-weakened",
    "special-cased",
    "grader-output",
    "hollow-solution",
)
"""Ways to look right without being right; each task of a tree with cheats withstands them all."""

UNTOUCHED, SOLUTION = "untouched", "solution"
"""Names of the trials that every task has."""

LEAST_MUTANTS, LEAST_EQUIVALENTS = 20, 2
"""What a grader of tests has to hold, so that a few lucky tests do not pass."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A workspace of which it is known what its grader has to say."""

    suite: Suite
    task: SuiteTask
    name: str
    """``untouched``, ``solution`` or ``cheat NAME``."""
    overlays: tuple[Path, ...]
    """What is laid over the fixture, in order."""
    expected: Outcome

    def grade(self, desk: Desk) -> Grade:
        """Make the workspace and grade it.

        Raises:
            DataError: the fixture has another digest, or an overlay cannot be laid.
            MachineError: nothing can be run at this level of confinement.
        """
        fixture = self.suite.fixture(self.task)
        root = Path(tempfile.mkdtemp(prefix="kcb-proof-")).resolve()
        try:
            workspace = root / "workspace"
            make_workspace(fixture, workspace, tree_sha256=self.task.fixture.tree_sha256)
            for folder in self.overlays:
                overlay(folder, workspace)
            return desk.grade(self.suite.grader(self.task), workspace, fixture=fixture)
        finally:
            remove_tree(root)


class Finding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What came of one trial."""

    trial: str
    expected: Outcome
    found: Outcome
    reasons: tuple[str, ...] = ()
    """What the grader found wrong with the workspace, or how it broke."""
    checks: int = 0
    """Checks that the grader made; 0 if it does not say."""
    stderr: str = ""
    wall_s: float = 0.0

    @property
    def rank(self) -> tuple[bool, bool, str]:
        """Its place among the findings of a task: untouched, solution, cheats by their names."""
        return self.trial != UNTOUCHED, self.trial != SOLUTION, self.trial

    @property
    def proved(self) -> bool:
        """Whether the grader said what is true."""
        return self.found is self.expected

    @property
    def problem(self) -> str:
        """What is wrong with the grader, on one line; empty if nothing is."""
        if self.proved:
            return ""
        why = f": {self.reasons[0]}" if self.reasons else ""
        return f"{self.trial}: must be {self.expected}, is {self.found}{why}"


def attempt(trial: Trial, desk: Desk) -> Finding:
    """Grade the workspace of a trial; of one that cannot be made nothing is known.

    Raises:
        MachineError: nothing can be run at this level of confinement.
    """
    try:
        grade = trial.grade(desk)
    except DataError as error:
        grade = Grade(outcome=Outcome.VOID, cause=VoidCause.UNKNOWN, voids=(str(error),))
    return Finding(
        trial=trial.name,
        expected=trial.expected,
        found=grade.outcome,
        reasons=grade.reasons + grade.voids,
        checks=int((_COUNT.findall(grade.stderr) or "0")[-1]),
        stderr=grade.stderr,
        wall_s=grade.wall_s,
    )


def faults_of(suite: Suite, task: SuiteTask) -> tuple[str, ...]:
    """What is wrong with a task at first sight, one line each."""
    return tuple(_faults(suite, task))


def trials_of(suite: Suite, task: SuiteTask) -> tuple[Trial, ...]:
    """The trials of a task that has no fault at first sight."""
    known = [
        (UNTOUCHED, (), Outcome.FAILED),
        (SOLUTION, (suite.tree.root / SOLUTIONS / task.id,), Outcome.RESOLVED),
        *((f"cheat {cheat.name}", (cheat,), Outcome.FAILED) for cheat in _cheats(suite, task)),
    ]
    return tuple(
        Trial(suite=suite, task=task, name=name, overlays=overlays, expected=expected)
        for name, overlays, expected in known
    )


def _faults(suite: Suite, task: SuiteTask) -> Iterator[str]:
    try:
        verified(suite.fixture(task), task.fixture.tree_sha256)
    except (DataError, DeclarationError) as error:
        yield str(error)
    solution = suite.tree.root / SOLUTIONS / task.id
    if not solution.is_dir():
        yield f"there is no solution in {solution}, so nothing shows that the grader can pass"
    if (suite.tree.root / CHEATS).is_dir():
        there = {cheat.name for cheat in _cheats(suite, task)}
        yield from (f"there is no cheat {name!r}" for name in KINDS_OF_CHEATS if name not in there)
    if "tests" in task.tags:
        yield from _faults_of_mutants(suite.grader(task))


def _faults_of_mutants(grader: Path) -> Iterator[str]:
    """A mutant that is the reference cannot be killed, and an equivalent that is shows nothing."""
    if not (grader / "reference").is_dir():
        yield f"there is no {grader / 'reference'}, the code that tests are written for"
        return
    reference = {file.path: file.data for file in read_tree(grader / "reference").files}
    for kind, least in (("mutants", LEAST_MUTANTS), ("equivalents", LEAST_EQUIVALENTS)):
        folders = sorted(p for p in (grader / kind).glob("*") if p.is_dir())
        if len(folders) < least:
            yield f"the grader has {len(folders)} {kind}, and at least {least} are asked for"
        seen: dict[str, str] = {}
        for folder in folders:
            files = read_tree(folder)
            if all(reference.get(file.path) == file.data for file in files.files):
                yield f"{kind}/{folder.name} is the same as the reference"
            twin = seen.setdefault(digest_of(files), folder.name)
            if twin != folder.name:
                yield f"{kind}/{folder.name} is the same as {twin}"


def _cheats(suite: Suite, task: SuiteTask) -> list[Path]:
    return sorted(p for p in (suite.tree.root / CHEATS / task.id).glob("*") if p.is_dir())
