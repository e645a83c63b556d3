"""Reads report files one by one, and passes over the house's other documents among them.

Of each report a small sample is kept, on a shelf; the whole one is let go at once.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from kcb_core.codec import decode_kind, parse_document
from kcb_core.errors import DataError, DeclarationError
from kcb_core.ids import TaskId
from kcb_core.report import (
    REPORT_KIND,
    REPORT_VERSION,
    Outcome,
    ScenarioOutcome,
    TaskReport,
)
from kcb_core.score import Sample
from kcb_core.storage import read_bounded
from kcb_score.distil import Distiller
from kcb_score.files import Found
from kcb_score.quick import decode_quickly
from kcb_score.shelf import TOKENS, Filed, Shelf

OTHER_KINDS = frozenset(
    {
        "attempt",
        "baseline",
        "comparison",
        "dataset-manifest",
        "experiment",
        "generation",
        "history",
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

MOST = 2**53
"""Largest count that is believed; up to it, a double holds every one."""

_PUBLIC_ONLY = (
    "only the prompt's two examples were played, and that is never scored; evaluate the task "
    "without --public-only"
)
_TRAINING = (
    "it was judged for a training loop, which is never scored; evaluate the project with "
    "'klein-bench evaluate'"
)


class Skipped(msgspec.Struct, frozen=True, kw_only=True):
    """A file in a folder that is one of the house's documents and no report."""

    path: str
    kind: str


class Reader:
    """Reads reports one by one, and puts what each comes to on a shelf."""

    def __init__(self) -> None:
        self.shelf = Shelf()
        """What was read."""
        self._distiller = Distiller()

    def read(self, found: Found) -> Filed | Skipped:
        """The report in a file, or what else the file is if only its folder was named.

        Raises:
            DeclarationError: the file cannot be read.
            DataError: it holds no report that can be scored; the message names file and field.
        """
        data = read_bounded(found.path)
        try:
            report = decode_quickly(data) or _decode_strictly(data, found.path)
        except DataError:
            kind = _other_kind(data, found.path) if found.in_folder else ""
            if not kind:
                raise
            return Skipped(path=found.path, kind=kind)
        return self.file(report, found.path)

    def file(self, report: TaskReport, source: str) -> Filed:
        """What a report comes to, once it was checked.

        Args:
            source: what an error is to name.

        Raises:
            DataError: it cannot be scored, or contradicts itself; the field is named.
        """
        fault = _fault(report)
        if fault:
            raise DataError(f"{source}: field '{fault[0]}': {fault[1]}")
        sample, circumstances = self._distiller.distil(report, source)
        _require_countable(sample, source)
        return self.shelf.put(sample, circumstances, source)


def _decode_strictly(data: bytes, source: str) -> TaskReport:
    return decode_kind(
        data,
        TaskReport,
        kind=REPORT_KIND,
        newest=REPORT_VERSION,
        source=source,
        version="report_version",
    )


def _other_kind(data: bytes, source: str) -> str:
    """The kind of another document of the house, or nothing for anything else."""
    value = parse_document(data, source=source)
    kind = value.get("kind") if isinstance(value, dict) else None
    return kind if isinstance(kind, str) and kind in OTHER_KINDS else ""


@lru_cache(maxsize=4096)
def _task_id(text: str, tiers: tuple[str, ...]) -> TaskId:
    return TaskId.within(text, tiers)


def _fault(report: TaskReport) -> tuple[str, str] | None:
    """The first field that is wrong, and how, or nothing."""
    totals = report.dataset.totals
    if report.public_only:
        return "public_only", _PUBLIC_ONLY
    if report.training:
        return "training", _TRAINING
    try:
        task = _task_id(report.task_id, tuple(totals))
    except DeclarationError as error:
        return "task_id", str(error)
    if task.dataset not in ("", report.dataset.name):
        return "task_id", f"{task} is not of dataset {report.dataset.name!r}"
    if task.tier != report.subset:
        return "subset", f"{report.subset!r} is not the tier of {task}"
    if min(totals.values(), default=0) < 0:
        return "dataset.totals", "a number of tasks is negative"
    if not totals.get(report.subset):
        return "dataset.totals", f"it has no task of tier {report.subset!r}"
    if report.repetition < 0:
        return "repetition", f"{report.repetition} is negative"
    for field, number in (("repetition", report.repetition), ("total", report.total)):
        if number > MOST:
            return field, f"a number beyond {MOST}"
    if max(totals.values()) > MOST:
        return "dataset.totals", f"a number beyond {MOST}"
    if report.outcome is Outcome.RESOLVED and not _everything_passed(report):
        return "outcome", "it is 'resolved', but not every scenario passed"
    return None


def _everything_passed(report: TaskReport) -> bool:
    wrong = [one for one in report.scenarios if one.outcome is not ScenarioOutcome.PASSED]
    return not wrong and report.total > 0


def _require_countable(sample: Sample, source: str) -> None:
    """Refuse tokens that no provider ever stated, and that take more room than a number has."""
    for name in TOKENS if sample.usage else ():
        number = getattr(sample.usage, name)
        if number is not msgspec.UNSET and number > MOST:
            raise DataError(f"{source}: field 'run_record.usage.{name}': a number beyond {MOST}")
