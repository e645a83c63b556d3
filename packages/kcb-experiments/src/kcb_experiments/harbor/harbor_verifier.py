"""The verifier ``harbor``: what kcb-runner found inside the trial, in the words of its report."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import msgspec

from kcb_core.codec import convert
from kcb_core.errors import DataError, DeclarationError
from kcb_core.execution import Setup, Verdict, Verification
from kcb_core.provenance import revision
from kcb_core.report import Outcome, TaskReport, read_report, write_report
from kcb_core.submission import Submission
from kcb_experiments.harbor.harbor_agent import NAME
from kcb_experiments.harbor.trial import REPORT_PLACE, find_trial
from kcb_experiments.task_sets import DatasetTasks
from kcb_runner.intake import submission_of
from kcb_runner.report import EVALUATOR, how_made
from kcb_runner.snapshot import Rejected


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a spec may set of this verifier: nothing."""


class HarborVerifier:
    """Takes over what was judged in Harbor's container; nothing is judged here."""

    name = NAME

    @contextmanager
    def open(self, setup: Setup) -> Iterator[OpenTrials]:
        """Ready it for a run; errors as in the role."""
        yield OpenTrials(_taken(setup))

    def check_setup(self, setup: Setup) -> None:
        """See whether settings and tasks are right; errors as in the role."""
        _taken(setup)


def _taken(setup: Setup) -> DatasetTasks:
    convert(dict(setup.settings), Settings, source="verifier.settings")
    if not isinstance(setup.tasks, DatasetTasks):
        raise DeclarationError(f"verifier {NAME!r} judges tasks of datasets only")
    return setup.tasks


@dataclass(frozen=True, slots=True)
class OpenTrials:
    """The verifier, open for a run."""

    tasks: DatasetTasks

    @property
    def stamp(self) -> str:
        """What judges, with its version: wheels of another one are refused."""
        return f"{EVALUATOR} {revision(EVALUATOR).version} in Harbor"

    def preflight(self) -> tuple[str, ...]:
        """Nothing is judged on this machine."""
        return ()

    def verify(self, verification: Verification) -> Verdict:
        """Take over the verdict of a trial, if it is on this project by this task."""
        try:
            report = self._report(verification)
        except (DataError, DeclarationError) as error:
            return Verdict(score=None, reason=str(error))
        write_report(report, verification.report)
        if report.outcome is Outcome.VOID:
            return Verdict(score=None, reason=report.void.reason if report.void else "void")
        return Verdict(score=1.0 if report.outcome is Outcome.RESOLVED else 0.0)

    def stop(self) -> None:
        """Nothing is being judged."""

    def _report(self, asked: Verification) -> TaskReport:
        """The report of a trial, with what this experiment knows of its project.

        Raises:
            DataError: the trial left none, or one of something else.
            DeclarationError: it cannot be read.
        """
        if asked.record is None or asked.project is None:
            raise DataError("there is no trial of Harbor's")
        path = find_trial(asked.record.parent) / REPORT_PLACE
        if not path.exists():
            raise DataError("Harbor's trial left no report")
        report = read_report(path)
        try:
            submission: Submission | None = submission_of(asked.project)
        except Rejected:
            submission = None
        judged = report.source.sha256 if report.source else None
        here = submission.sha256 if submission else None
        manifest = self.tasks.stamp.manifest_sha256
        found = (report.task_id, report.dataset.manifest_sha256, judged)
        if found != (asked.task_id, manifest, here):
            raise DataError("the report of Harbor's trial is of another task, dataset or project")
        known, notes = how_made(asked.making, submission)
        return msgspec.structs.replace(
            report,
            subject=asked.subject,
            repetition=asked.repetition,
            notes=report.notes + notes,
            **known,
        )
