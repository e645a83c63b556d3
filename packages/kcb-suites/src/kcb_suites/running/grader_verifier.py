"""The verifier ``grader``: a hidden grader judges the workspace that an agent left."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import BoundedSemaphore
from typing import Literal

import msgspec

from kcb_core.codec import convert
from kcb_core.errors import DeclarationError, MachineError
from kcb_core.execution import Setup, Verdict, Verification
from kcb_core.provenance import revision
from kcb_core.report import Confinement, Outcome, TaskReport, write_report
from kcb_core.resources import usable_cpus
from kcb_core.submission import Submission
from kcb_runner.cancel import Cancel, Cancelled
from kcb_runner.intake import submission_of
from kcb_runner.sandbox import Sandbox
from kcb_runner.snapshot import Rejected
from kcb_runner.tree import remove_tree
from kcb_suites.fixture import write_copy
from kcb_suites.grading import Desk, Grade
from kcb_suites.running.grade_report import EVALUATOR, Grading, compose, rejected
from kcb_suites.running.suite_tasks import SuiteTasks

_POLL_S = 0.2
_LEVELS = ("full", "basic")
"""Levels of confinement that are tried by themselves, the best first."""

_PROBES = (("PASS", 0, Outcome.RESOLVED), ("FAIL probe\nFAIL", 1, Outcome.FAILED))
"""What two graders say whatever they are shown, and what must be understood."""


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a spec may set of this verifier."""

    confinement: Literal["", "full", "basic", "none"] = ""
    """How far graders and what they start are confined; by default the best that is there."""


class GraderVerifier:
    """Judges workspaces by the graders of their suite, on this machine."""

    name = "grader"

    @contextmanager
    def open(self, setup: Setup) -> Iterator[OpenGraders]:
        """Ready it for a run; errors as in the role."""
        tasks, settings = _taken(setup)
        cancel = Cancel()
        try:
            yield OpenGraders(setup, tasks, settings, cancel)
        finally:
            cancel.close()

    def check_setup(self, setup: Setup) -> None:
        """See whether settings and tasks are right; errors as in the role."""
        _taken(setup)


def _taken(setup: Setup) -> tuple[SuiteTasks, Settings]:
    settings = convert(dict(setup.settings), Settings, source="verifier.settings")
    if not isinstance(setup.tasks, SuiteTasks):
        raise DeclarationError(
            f"verifier {GraderVerifier.name!r} judges tasks of suites, which "
            f"{setup.tasks.stamp.name!r} is not; leave 'verifier' out, or name "
            f"{setup.tasks.verifier!r}"
        )
    return setup.tasks, settings


class OpenGraders:
    """The verifier, open for a run."""

    def __init__(self, setup: Setup, tasks: SuiteTasks, settings: Settings, cancel: Cancel) -> None:
        self._tasks = tasks
        self._settings = settings
        self._cancel = cancel
        self._plugins = dict(setup.plugins)
        self._jobs = min(usable_cpus(), setup.at_once)
        self._seats = BoundedSemaphore(self._jobs)
        self._confinement: Confinement | None = None

    @property
    def stamp(self) -> str:
        """What judges, with its version."""
        return f"grader {revision(EVALUATOR).version}"

    def preflight(self) -> tuple[str, ...]:
        """Let two graders speak of which it is known what they say, as far confined as can be."""
        confinement = self._confined()
        for said, status, outcome in _PROBES:
            with _scratch() as folder:
                grade = self._desk().grade_once(_probe(folder, said, status), _NOTHING)
            if grade.outcome is not outcome:
                why = "; ".join((*grade.voids, *grade.reasons)) or str(grade.outcome)
                raise MachineError(f"nothing can be graded here: {why}")
        if confinement.level == _LEVELS[0]:
            return ()
        return (f"graders are confined at level {confinement.level!r} here",)

    def verify(self, verification: Verification) -> Verdict:
        """Judge one workspace, and store its report."""
        while not self._seats.acquire(timeout=_POLL_S):
            if self._cancel.thrown:
                return Verdict(score=None, reason="cancelled")
        try:
            report = self._judged(verification)
        except Cancelled:
            return Verdict(score=None, reason="cancelled")
        finally:
            self._seats.release()
        write_report(report, verification.report)
        if report.outcome is Outcome.VOID:
            return Verdict(score=None, reason=report.void.reason if report.void else "void")
        return Verdict(score=1.0 if report.outcome is Outcome.RESOLVED else 0.0)

    def stop(self) -> None:
        """End whatever is being judged."""
        self._cancel.throw()

    def _judged(self, asked: Verification) -> TaskReport:
        task = self._tasks.suite.task(asked.task_id)
        submission: Submission | None = None
        try:
            submission = submission_of(asked.project) if asked.project else _NOTHING
            grade = self._graded(asked.task_id, submission)
        except Rejected as error:
            grade = rejected(error.reason)
        grading = Grading(
            task=task,
            suite=self._tasks.stamp,
            grade=grade,
            submission=submission,
            confinement=self._confined(),
            jobs=self._jobs,
            plugins=self._plugins,
        )
        return compose(grading, asked)

    def _graded(self, task_id: str, submission: Submission) -> Grade:
        """The grade of exactly the files that are stored as the project."""
        suite = self._tasks.suite
        task = suite.task(task_id)
        with _scratch() as folder:
            write_copy(submission, folder / "work")
            return self._desk().grade(
                suite.grader(task), folder / "work", fixture=suite.fixture(task)
            )

    def _desk(self) -> Desk:
        return Desk(confine=self._confined().level, cancel=self._cancel)

    def _confined(self) -> Confinement:
        """How graders are confined: as the spec says, else as far as this machine can.

        Raises:
            DeclarationError: they cannot be confined at all.
            MachineError: the level that the spec names is not to be had.
        """
        if self._confinement is None:
            wanted = self._settings.confinement
            self._confinement = _at(wanted) if wanted else _best()
        return self._confinement


_NOTHING = Submission(files=())


def _best() -> Confinement:
    reasons = []
    for level in _LEVELS:
        try:
            return _at(level)
        except MachineError as error:
            reasons.append(str(error))
    raise DeclarationError(
        f"graders run what agents wrote, and cannot be confined here: {reasons[0]}; to run them "
        "all the same, set 'confinement' of the verifier to 'none'"
    )


def _at(level: str) -> Confinement:
    with _scratch() as folder:
        work = folder / "work"
        work.mkdir()
        with Sandbox(work, confine=level) as sandbox:
            return sandbox.confinement


@contextmanager
def _scratch() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="kcb-verifier-")).resolve()
    try:
        yield folder
    finally:
        remove_tree(folder)


def _probe(folder: Path, said: str, status: int) -> Path:
    """A grader that says one thing, whatever it is shown."""
    grader = folder / "grader"
    grader.mkdir()
    (grader / "grade.py").write_text(f"print({said!r})\nraise SystemExit({status})\n")
    return grader
