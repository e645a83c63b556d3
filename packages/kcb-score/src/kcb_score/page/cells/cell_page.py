"""The page on one project: how it was judged, how it was made, and what its maker did."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from kcb_core.errors import KcbError
from kcb_core.page import Block, FileLink, JudgedProject, Paragraph, SourcedReport, Tone
from kcb_core.transcript_file import Transcript
from kcb_score.page.cells.bounds import LADDER, MOST_BYTES, Bounds
from kcb_score.page.cells.finding import Transcripts
from kcb_score.page.cells.record import record_blocks
from kcb_score.page.cells.turns import transcript_blocks
from kcb_score.page.details import Room, details
from kcb_score.page.document import Rendered, document, inert_json
from kcb_score.page.visible import shown
from kcb_score.page.wording import subject_name

_NONE = (
    "No transcript of this very project was found: none lies beside its report, and no folder of "
    "'generate' that was named has one."
)


def cell_page(sourced: SourcedReport, place: Path, main: Path, transcripts: Transcripts) -> bytes:
    """The page on one project, as wide as its bound on bytes allows.

    Args:
        sourced: the report.
        place: where the page will lie, which its links start from.
        main: the page on all projects.
        transcripts: where transcripts are.
    """
    transcript: Transcript | str
    try:
        transcript = transcripts.of(sourced) or _NONE
    except KcbError as error:
        transcript = f"The transcript cannot be read: {shown(str(error), 400)}"
    for bounds in LADDER:
        written = _written(sourced, place, main, transcript, bounds)
        if len(written) <= MOST_BYTES:
            break
    return written


def _written(
    sourced: SourcedReport, place: Path, main: Path, transcript: Transcript | str, bounds: Bounds
) -> bytes:
    report = sourced.report
    told = {
        "Judgement": _judged(sourced, place, main),
        "Run record": record_blocks(report),
        "Transcript": _turns(transcript, place, bounds),
    }
    repetition = f", repetition {report.repetition}" if report.repetition else ""
    return document(
        title=report.task_id,
        subtitle=f"{subject_name(report.subject)}{repetition}: {report.outcome}",
        sections=[
            Rendered(name=name, anchor=f"section-{number}", blocks=tuple(blocks))
            for number, (name, blocks) in enumerate(told.items())
        ],
        data=inert_json({"project": details(sourced, Room(bounds.characters))}),
    )


def _judged(sourced: SourcedReport, place: Path, main: Path) -> Iterator[Block]:
    task_id = sourced.report.task_id
    yield FileLink(text="All tasks", path=path_from(place, main), fragment=task_id)
    yield JudgedProject(sourced=sourced)


def _turns(transcript: Transcript | str, place: Path, bounds: Bounds) -> Iterator[Block]:
    if isinstance(transcript, str):
        yield Paragraph(text=transcript, tone=Tone.NOTE)
        return
    path = path_from(place, transcript.path)
    yield from transcript_blocks(
        transcript, FileLink(text=f"The transcript: {transcript.path.name}", path=path), bounds
    )


def path_from(page: Path, file: Path) -> str:
    """The path of a file from the folder of a page, parts parted by ``/``."""
    return Path(os.path.relpath(file.absolute(), page.absolute().parent)).as_posix()
