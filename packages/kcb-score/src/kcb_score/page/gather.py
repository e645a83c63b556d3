"""From report files to what a page is about: the score, and the reports with their evidence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import msgspec

from kcb_core import console
from kcb_core.catalog import Catalog
from kcb_core.dataset import Manifest
from kcb_core.errors import DataError, DeclarationError
from kcb_core.page import PageData, SourcedReport
from kcb_core.report import DatasetStamp, Document, read_report
from kcb_core.selection import Selection
from kcb_score.batches import read_all
from kcb_score.collect import Collection, collect
from kcb_score.compare.assembling import Terms, compared
from kcb_score.compare.comparison import Mark
from kcb_score.compare.history import Week, history
from kcb_score.compare.loading import arms_of
from kcb_score.denominator import settle
from kcb_score.files import find_files
from kcb_score.lookup import manifest_of, selection_of, with_installed
from kcb_score.passed_over import say_passed_over
from kcb_score.reading import Skipped
from kcb_score.shelf import Filed
from kcb_score.summary import summarise


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """By which tasks a page measures, as it was asked for."""

    dataset: Path | None = None
    """Where the reports' dataset is, if it is not installed."""
    selection: str | None = None
    """File of a frozen selection, or name of a tier or set, if not the whole dataset counts."""


def gather(catalog: Catalog, paths: Sequence[Path], scope: Scope) -> PageData:
    """The score of the reports in files and folders, how subjects compare, and these reports.

    Args:
        catalog: knows the scorers and the installed datasets.
        paths: report files, and folders of them.
        scope: the tasks that count.

    Raises:
        DeclarationError: there is no report of a task that counts, or two are of the same project.
        DataError: a file is malformed, or two reports are not comparable.
    """
    return _page_data(catalog, collect(_read(paths)), scope, paths)


def gather_weeks(catalog: Catalog, paths: Sequence[Path], scope: Scope, control: str) -> PageData:
    """As :func:`gather` for the last week of the reports, with the history of all weeks beside.

    Args:
        control: the subject that is held fixed.

    Raises:
        DeclarationError: as above, or a report does not say when it was finished.
        DataError: as above, or two weeks are not of one dataset.
        UnknownNameError: no week has the control.
    """
    weeks: dict[str, list[Filed]] = defaultdict(list)
    for filed in _read(paths):
        weeks[week_of(_whole(filed))].append(filed)
    held = {label: collect(weeks[label]) for label in sorted(weeks)}
    last = tuple(held.values())[-1]
    _require_one_dataset(held.values())
    known = _known_tasks(*_looked_up(catalog, last, scope))
    told = history(
        [
            Week(label=label, arms={arm.name: arm for arm in arms_of(collection).arms})
            for label, collection in held.items()
        ],
        control=control,
        tasks=known or sorted({one.task_id for week in held.values() for one in week.samples}),
    )
    return _page_data(catalog, last, scope, paths, told)


def week_of(sourced: SourcedReport) -> str:
    """The week in which a report was finished, such as ``2026-W12``, by ISO 8601.

    Raises:
        DeclarationError: the report does not say it.
    """
    try:
        when = datetime.fromisoformat(sourced.report.finished)
    except ValueError:
        raise DeclarationError(
            f"{sourced.source}: field 'finished': no time, and a history needs one"
        ) from None
    year, week, _ = when.isocalendar()
    return f"{year}-W{week:02d}"


def _require_one_dataset(weeks: Iterable[Collection]) -> None:
    first, *others = weeks
    for other in others:
        if _stamp(other).identity != _stamp(first).identity:
            raise DataError(
                f"{other.filed[0].source}: field 'dataset': another dataset than that of "
                f"{first.filed[0].source}; a history is of one"
            )


def _stamp(collection: Collection) -> DatasetStamp:
    return collection.filed[0].circumstances.dataset


def _page_data(
    catalog: Catalog,
    collection: Collection,
    scope: Scope,
    paths: Sequence[Path],
    *beside: Document,
) -> PageData:
    manifest, selection = _looked_up(catalog, collection, scope)
    denominator = settle(collection, manifest=manifest, selection=selection)
    inside = denominator.inside(collection.filed)
    if not inside:
        raise DeclarationError(
            f"none of the {len(collection.filed)} reports is of a task in {scope.selection}"
        )
    rank = _ranks(paths, inside)
    score = summarise(collection, denominator, catalog.scorers())
    score = with_installed(score, catalog, scope.dataset)
    subjects = sorted(score.subjects, key=lambda one: rank[one.subject])
    loaded = arms_of(collection)
    arms = tuple(
        sorted((a for a in loaded.arms if a.subject in rank), key=lambda a: rank[a.subject])
    )
    terms = Terms(manifest=manifest, selection=selection, allowed=frozenset(Mark))
    comparison = (compared(replace(loaded, arms=arms), terms),) if len(score.subjects) > 1 else ()
    return PageData(
        score=msgspec.structs.replace(score, subjects=tuple(subjects)),
        reports=tuple(map(_whole, inside)),
        beside=(*comparison, *beside),
    )


def _ranks(paths: Sequence[Path], filed: Iterable[Filed]) -> dict[str, int]:
    """The place of each subject: in the order of the arguments, and within one by name."""
    given = {str(path): place for place, path in enumerate(paths)}
    first: dict[str, int] = {}
    for one in filed:
        subject, source = one.kind.subject, Path(one.source)
        above = (given[str(path)] for path in (source, *source.parents) if str(path) in given)
        first[subject] = min(first.get(subject, len(given)), min(above, default=len(given)))
    ordered = sorted(first, key=lambda subject: (first[subject], subject))
    return {subject: place for place, subject in enumerate(ordered)}


def _looked_up(
    catalog: Catalog, collection: Collection, scope: Scope
) -> tuple[Manifest | None, Selection | None]:
    manifest = manifest_of(catalog, scope.dataset, _stamp(collection).manifest_sha256)
    return manifest, selection_of(scope.selection, manifest)


def _known_tasks(manifest: Manifest | None, selection: Selection | None) -> Sequence[str]:
    """Ids of the tasks that count, if they can be known without reports."""
    if selection is not None:
        return selection.tasks
    return [task for file in manifest.files for task in file.tasks] if manifest else ()


def _read(paths: Sequence[Path]) -> list[Filed]:
    files = find_files(paths)
    skipped: list[Skipped] = []
    with console.progress() as progress:
        task = progress.add_task("reading reports", total=len(files), detail="")
        filed = read_all(
            files, skipped=skipped.append, advanced=lambda n: progress.advance(task, n)
        )
    say_passed_over(skipped, "report")
    if not filed:
        raise DeclarationError("no report found, so there is nothing to show")
    return filed


def _whole(filed: Filed) -> SourcedReport:
    """The report itself, read again: a sample has no evidence."""
    return SourcedReport(source=filed.source, report=read_report(Path(filed.source)))
