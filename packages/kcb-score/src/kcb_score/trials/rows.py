"""Reads trial reports: each is one row, whatever tool it is of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from kcb_core import console
from kcb_core.catalog import Catalog
from kcb_core.codec import parse_document
from kcb_core.errors import DataError, DeclarationError
from kcb_core.report import REPORT_KIND
from kcb_core.storage import read_bounded
from kcb_core.trial import TRIAL_KIND, TrialReport, read_trial
from kcb_score.files import Found, find_files
from kcb_score.passed_over import say_passed_over
from kcb_score.reading import OTHER_KINDS, Skipped

_PASSED_OVER = (OTHER_KINDS | {REPORT_KIND}) - {TRIAL_KIND}
"""Kinds of documents that may lie in a folder of trial reports without being one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One trial report and where it comes from."""

    path: Path
    report: TrialReport


def read_rows(catalog: Catalog, paths: Iterable[Path]) -> tuple[Row, ...]:
    """Every trial report that is named, or lies in a folder that is named, by path.

    Raises:
        DeclarationError: a file cannot be read or is named twice, there is no report at all, or
            two reports are of the same trial.
        DataError: a file holds no trial report; the message names file and field.
    """
    files = find_files(paths)
    codes = [code.code for code in catalog.fault_codes()]
    rows: list[Row] = []
    skipped: list[Skipped] = []
    with console.progress() as progress:
        task = progress.add_task("reading trial reports", total=len(files), detail="")
        for found in files:
            read = _read(found, codes)
            if isinstance(read, Row):
                rows.append(read)
            else:
                skipped.append(read)
            progress.advance(task)
    say_passed_over(skipped, "trial report")
    if not rows:
        raise DeclarationError("no trial report found; name trial reports or folders of them")
    _require_distinct(rows)
    return tuple(rows)


def _read(found: Found, codes: Iterable[str]) -> Row | Skipped:
    path = Path(found.path)
    try:
        return Row(path=path, report=read_trial(path, codes))
    except DataError:
        kind = _kind(path) if found.in_folder else ""
        if kind not in _PASSED_OVER:
            raise
        return Skipped(path=found.path, kind=kind)


def _kind(path: Path) -> str:
    value = parse_document(read_bounded(path), source=str(path))
    return str(value.get("kind")) if isinstance(value, dict) else ""


def _require_distinct(rows: Iterable[Row]) -> None:
    """Refuse a live trial that is reported twice: it would count as two.

    Cycles repeat their repetitions, so the time at which a trial was finished tells them apart.
    """
    seen: dict[tuple[object, ...], Path] = {}
    for row in rows:
        one = row.report
        if not one.live:
            continue
        trial = (one.tool, one.drill, one.model, one.repetition, one.finished)
        if trial in seen:
            raise DeclarationError(
                f"{seen[trial]} and {row.path} both report drill {one.drill!r} of {one.tool}, "
                f"model {one.model!r}, repetition {one.repetition}, finished at the same time; "
                "keep one report a trial"
            )
        seen[trial] = row.path
