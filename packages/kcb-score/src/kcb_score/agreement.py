"""What the reports of one score must agree in, and what they may differ in if that is said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from kcb_core.codec import compact
from kcb_core.errors import DataError
from kcb_core.provenance import Revision
from kcb_core.report import TaskReport
from kcb_score.reading import Filed

Aspect = Callable[[TaskReport], str]


def python_of(report: TaskReport) -> str:
    """Implementation and minor version of the Python that ran the candidate: ``CPython 3.11``."""
    minor = ".".join(report.host.python.split(".")[:2])
    return f"{report.host.python_implementation} {minor}"


def _evaluator(report: TaskReport) -> str:
    return f"{report.evaluator.distribution} {report.evaluator.version}"


def _evaluator_revision(report: TaskReport) -> str:
    return report.evaluator.commit or report.evaluator.record_sha256 or "unknown"


MUST_AGREE: tuple[tuple[str, Aspect], ...] = (
    ("dataset.manifest_sha256", lambda report: report.dataset.manifest_sha256),
    ("dataset.name", lambda report: report.dataset.name),
    ("dataset.version", lambda report: report.dataset.version),
    ("dataset.totals", lambda report: compact(dict(sorted(report.dataset.totals.items())))),
    ("protocol_version", lambda report: report.protocol_version),
    ("evaluator.version", _evaluator),
    ("host.python", python_of),
)
"""Fields in which two reports must not differ, and what of each is compared."""

CONDITIONS: tuple[tuple[str, Aspect], ...] = (
    ("launcher", lambda report: report.launcher),
    ("confinement", lambda report: report.confinement.level),
    ("evaluator revision", _evaluator_revision),
)
"""What may differ within a set, but not unsaid."""


def require_agreement(filed: Sequence[Filed]) -> None:
    """Refuse reports that are not comparable.

    Raises:
        DataError: two differ in one of :data:`MUST_AGREE`; both files and values are named.
    """
    for field, aspect in MUST_AGREE:
        for one in filed[1:]:
            first, other = aspect(filed[0].report), aspect(one.report)
            if first != other:
                raise DataError(
                    f"{one.source}: field '{field}': {other}, but {filed[0].source} has {first}; "
                    "score them apart"
                )


def conditions(reports: Iterable[TaskReport]) -> dict[str, dict[str, int]]:
    """Number of reports by value, for each of :data:`CONDITIONS`; values are sorted."""
    held = tuple(reports)
    counts = {name: Counter(aspect(report) for report in held) for name, aspect in CONDITIONS}
    return {name: dict(sorted(count.items())) for name, count in counts.items()}


def common_evaluator(reports: Sequence[TaskReport]) -> Revision:
    """The evaluator of all reports, without the digest or commit in which they differ.

    Args:
        reports: at least one, all of one evaluator version.
    """
    first = reports[0].evaluator
    records = {report.evaluator.record_sha256 for report in reports}
    commits = {report.evaluator.commit for report in reports}
    return Revision(
        distribution=first.distribution,
        version=first.version,
        record_sha256=first.record_sha256 if len(records) == 1 else "",
        commit=first.commit if len(commits) == 1 else "",
    )
