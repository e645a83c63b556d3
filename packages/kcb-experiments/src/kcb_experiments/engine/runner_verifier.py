"""The verifier ``runner``: kcb-runner judges the project, confined; resolved is 1, failed is 0."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cache
from threading import BoundedSemaphore

import msgspec

from kcb_core.codec import convert
from kcb_core.errors import DeclarationError, MachineError
from kcb_core.execution import Setup, Verdict, Verification
from kcb_core.limits import LIMITS
from kcb_core.provenance import revision
from kcb_core.quiet import Manners, judging
from kcb_core.report import Calibration, Outcome, TaskReport, write_report
from kcb_core.resources import usable_cpus
from kcb_core.submission import Submission
from kcb_experiments.task_sets import DatasetTasks
from kcb_runner.cancel import Cancel, Cancelled
from kcb_runner.intake import submission_of
from kcb_runner.judging import Bench, examine_machine, judge
from kcb_runner.launch.interpreter import InterpreterLauncher
from kcb_runner.pace import settle_jobs
from kcb_runner.report import EVALUATOR, Circumstances, compose, rejected
from kcb_runner.slot.plan import LEVELS
from kcb_runner.snapshot import Rejected

_NOTHING = Submission(files=())
_POLL_S = 0.2


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a spec may set of this verifier."""

    confinement: str = ""
    """The least level of confinement: ``basic`` or ``full``; none is asked for by default."""
    keep_answers: bool = True
    """Whether reports hold requests and responses."""

    def __post_init__(self) -> None:
        if self.confinement and self.confinement not in LEVELS:
            raise ValueError(f"field 'confinement' must be one of {', '.join(LEVELS)}")


class RunnerVerifier:
    """Judges projects with kcb-runner on this machine."""

    name = "runner"

    @contextmanager
    def open(self, setup: Setup) -> Iterator[OpenRunner]:
        """Ready it for a run; errors as in the role."""
        tasks, settings = _taken(setup)
        cancel = Cancel()
        with ExitStack() as stack:
            stack.callback(cancel.close)
            launcher = stack.enter_context(InterpreterLauncher())
            bench = Bench(launcher=launcher, cancel=cancel, keep_answers=settings.keep_answers)
            yield OpenRunner(setup, tasks, settings, bench)

    def check_setup(self, setup: Setup) -> None:
        """See whether settings and tasks are right; errors as in the role."""
        _taken(setup)


def _taken(setup: Setup) -> tuple[DatasetTasks, Settings]:
    settings = convert(dict(setup.settings), Settings, source="verifier.settings")
    if not isinstance(setup.tasks, DatasetTasks):
        raise DeclarationError(
            f"verifier {RunnerVerifier.name!r} judges tasks of datasets, which "
            f"{setup.tasks.stamp.name!r} is not; leave 'verifier' out, or name "
            f"{setup.tasks.verifier!r}"
        )
    return setup.tasks, settings


class OpenRunner:
    """The verifier, open for a run."""

    def __init__(self, setup: Setup, tasks: DatasetTasks, settings: Settings, bench: Bench) -> None:
        self._dataset = tasks.dataset
        self._settings = settings
        self._cancel = bench.cancel
        self._about = Circumstances(
            dataset=tasks.stamp,
            bench=bench,
            jobs=min(usable_cpus(), setup.at_once),
            plugins=setup.plugins,
        )
        self._seats = BoundedSemaphore(self._about.jobs)
        self._manners = Manners(tell=cache(setup.tell), given_up=lambda: self._cancel.thrown)

    @property
    def stamp(self) -> str:
        """What judges, with its version."""
        return f"runner {revision(EVALUATOR).version}"

    def preflight(self) -> tuple[str, ...]:
        """Play both probe projects, and see how far candidates are confined."""
        bench = self._about.bench
        found = bench.launcher.confinement()
        why = f" ({found.reason})" if found.reason else ""
        less = f"projects are confined at level {found.level!r} here{why}"
        wanted = self._settings.confinement
        if wanted and LEVELS.index(found.level) < LEVELS.index(wanted):
            raise DeclarationError(f"{less}, and the spec asks for {wanted!r}")
        calibration = self._calibrated()
        self._about = replace(self._about, jobs=calibration.jobs, calibration=calibration)
        self._seats = BoundedSemaphore(calibration.jobs)
        return () if found.level == LEVELS[-1] else (less,)

    def verify(self, verification: Verification) -> Verdict:
        """Judge one project, and store its report."""
        while not self._seats.acquire(timeout=_POLL_S):
            if self._cancel.thrown:
                return Verdict(score=None, reason="cancelled")
        try:
            with judging(self._manners):
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
        about = replace(self._about, subject=asked.subject, repetition=asked.repetition)
        task = self._dataset.task(asked.task_id)
        try:
            submission = submission_of(asked.project) if asked.project else _NOTHING
        except Rejected as error:
            total = sum(scenario.assertions for scenario in task.acceptance_tests)
            return compose(task, rejected(error.reason, total), None, about, asked.making)
        return compose(task, judge(task, submission, about.bench), submission, about, asked.making)

    def _calibrated(self) -> Calibration:
        """What the probe projects cost here.

        Raises:
            MachineError: they are not judged rightly.
        """
        bench = self._about.bench
        try:
            with judging(self._manners):
                if fault := examine_machine(bench).fault:
                    raise MachineError(f"nothing can be judged here: {fault}")
                return settle_jobs(bench, self._about.jobs, LIMITS.session_s)
        except Cancelled:
            raise KeyboardInterrupt from None
