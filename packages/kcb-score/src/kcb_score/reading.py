"""Reads report files, and passes over the house's other documents that lie among them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kcb_core.codec import parse_document
from kcb_core.errors import DataError, DeclarationError
from kcb_core.ids import TaskId
from kcb_core.report import Outcome, ScenarioOutcome, TaskReport, read_report
from kcb_core.storage import read_bounded
from kcb_score.files import Found

OTHER_KINDS = frozenset(
    {
        "attempt",
        "dataset-manifest",
        "experiment",
        "generation",
        "routing",
        "run-record",
        "score",
        "selection",
        "stale-checks",
        "trial-report",
        "trial-summary",
        "validation-summary",
    }
)
"""Kinds of documents that may lie in a folder of reports without being one."""

_PUBLIC_ONLY = (
    "only the prompt's two examples were played, and that is never scored; evaluate the task "
    "without --public-only"
)
_TRAINING = (
    "it was judged for a training loop, which is never scored; evaluate the project with "
    "'klein-bench evaluate'"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filed:
    """A report and where it comes from."""

    source: str
    """The file, or whatever else an error is to name."""
    report: TaskReport


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """A file in a folder that is one of the house's documents and no report."""

    path: Path
    kind: str


def read_file(found: Found) -> Filed | Skipped:
    """The report in a file, or what else the file is if only its folder was named.

    Raises:
        DeclarationError: the file cannot be read.
        DataError: it holds no report that can be scored; the message names file and field.
    """
    source = str(found.path)
    try:
        report = read_report(found.path)
    except DataError:
        kind = _other_kind(found.path) if found.in_folder else ""
        if not kind:
            raise
        return Skipped(path=found.path, kind=kind)
    filed = Filed(source=source, report=report)
    check_report(filed)
    return filed


def check_report(filed: Filed) -> None:
    """Refuse a report that cannot be scored, or that contradicts itself.

    Raises:
        DataError: so it is; the message names file and field.
    """
    fault = _fault(filed.report)
    if fault:
        raise DataError(f"{filed.source}: field '{fault[0]}': {fault[1]}")


def _other_kind(path: Path) -> str:
    """The kind of another document of the house, or nothing for anything else."""
    value = parse_document(read_bounded(path), source=str(path))
    kind = value.get("kind") if isinstance(value, dict) else None
    return kind if isinstance(kind, str) and kind in OTHER_KINDS else ""


def _fault(report: TaskReport) -> tuple[str, str] | None:
    """The first field that is wrong, and how, or nothing."""
    totals = report.dataset.totals
    if report.public_only:
        return "public_only", _PUBLIC_ONLY
    if report.training:
        return "training", _TRAINING
    try:
        task = TaskId.parse(report.task_id)
    except DeclarationError as error:
        return "task_id", str(error)
    if task.dataset != report.dataset.name:
        return "task_id", f"{task} is not of dataset {report.dataset.name!r}"
    if task.tier != report.subset:
        return "subset", f"{report.subset!r} is not the tier of {task}"
    if min(totals.values(), default=0) < 0:
        return "dataset.totals", "a number of tasks is negative"
    if not totals.get(report.subset):
        return "dataset.totals", f"it has no task of tier {report.subset!r}"
    if report.repetition < 0:
        return "repetition", f"{report.repetition} is negative"
    if report.outcome is Outcome.RESOLVED and not _everything_passed(report):
        return "outcome", "it is 'resolved', but not every scenario passed"
    return None


def _everything_passed(report: TaskReport) -> bool:
    passed = all(one.outcome is ScenarioOutcome.PASSED for one in report.scenarios)
    return passed and report.total > 0
