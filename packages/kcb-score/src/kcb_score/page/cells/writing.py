"""Writes a page for every cell, one after the other: no two transcripts are held at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from kcb_core.codec import digest
from kcb_core.page import FileLink, PageData, SourcedReport
from kcb_core.report import TaskReport
from kcb_core.storage import write_whole
from kcb_score.page.cells.cell_page import cell_page, path_from
from kcb_score.page.cells.finding import Transcripts

_TEXT = "Transcript, judgement and run record of this project"
_LONGEST = 80


def place_of(report: TaskReport, folder: Path) -> Path:
    """Where the page on a project lies: ``SUBJECT/TASK.html``, or ``SUBJECT/TASK-rN.html``."""
    repetition = f"-r{report.repetition}" if report.repetition else ""
    return folder / _folder_name(report.subject) / f"{report.task_id}{repetition}.html"


def with_cells(data: PageData, folder: Path, main: Path) -> PageData:
    """What a page is about, with the place of each project's own page in it.

    Args:
        data: what the page is about.
        folder: where the pages on single projects lie.
        main: where the page itself lies, which its links start from.
    """
    return replace(data, reports=tuple(_linked(one, folder, main) for one in data.reports))


def write_cells(
    reports: Sequence[SourcedReport],
    folder: Path,
    main: Path,
    transcripts: Transcripts,
    *,
    advanced: Callable[[], None],
) -> None:
    """Write the page on each project.

    Args:
        reports: what the projects came to.
        folder: where the pages go.
        main: the page on all of them.
        transcripts: where transcripts are.
        advanced: is called for each page.

    Raises:
        MachineError: one cannot be written.
    """
    for sourced in reports:
        place = place_of(sourced.report, folder)
        write_whole(place, cell_page(sourced, place, main, transcripts))
        advanced()


def _linked(sourced: SourcedReport, folder: Path, main: Path) -> SourcedReport:
    path = path_from(main, place_of(sourced.report, folder))
    return replace(sourced, page=FileLink(text=_TEXT, path=path))


def _folder_name(subject: str) -> str:
    """A name that any file system takes, with a digest where it is not the subject's own."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", subject)[:_LONGEST].strip(".-")
    if name and name == subject:
        return name
    sha256 = digest(subject.encode("utf-8", "surrogatepass"))
    return f"{name or 'subject'}-{sha256[:8]}"
