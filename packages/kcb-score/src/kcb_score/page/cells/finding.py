"""Finds the transcript of a project: beside its report, or among the records of ``generate``.

It is told by what it says of itself, so that no project is shown with the transcript of another.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from kcb_core.errors import DataError, DeclarationError
from kcb_core.page import SourcedReport
from kcb_core.report import TaskReport
from kcb_core.run_record import RECORDS, read_making
from kcb_core.transcript_file import TRANSCRIPT_NAME, Transcript, read_transcript


class Transcripts:
    """Where transcripts are."""

    def __init__(self, folders: Iterable[Path]) -> None:
        """Look through the records of folders that ``generate`` wrote.

        Raises:
            DeclarationError: a folder holds no such records.
            DataError: a record is malformed.
        """
        self._made: dict[tuple[str, str], Path] = {}
        for folder in folders:
            self._made |= _made_in(folder / RECORDS)

    def of(self, sourced: SourcedReport) -> Transcript | None:
        """The transcript of the project that a report is on, if one is known.

        Raises:
            DeclarationError: it cannot be read.
            DataError: it is broken.
        """
        report = sourced.report
        beside = Path(sourced.source).parent / TRANSCRIPT_NAME
        if beside.is_file():
            transcript = read_transcript(beside)
            if transcript.head.name == _cell(report):
                return transcript
        made = self._made.get((report.task_id, report.source.sha256 if report.source else ""))
        return read_transcript(made) if made is not None else None


def _cell(report: TaskReport) -> str:
    """What a transcript beside a report on this project is called."""
    return f"{report.task_id}/r{report.repetition}/{report.subject}"


def _made_in(records: Path) -> dict[tuple[str, str], Path]:
    """Transcripts by the task and the source hash of what was made."""
    found = {}
    if not records.is_dir():
        raise DeclarationError(
            f"{records.parent}: holds no folder {RECORDS}, so 'generate' did not write it"
        )
    for path in sorted(records.glob("*.json")):
        making = read_making(path)
        if not (making.source_sha256 and making.transcript):
            continue
        below = PurePosixPath(making.transcript)
        if below.is_absolute() or ".." in below.parts:
            raise DataError(f"{path}: field 'transcript.file': {str(below)!r} leads elsewhere")
        found[path.stem, making.source_sha256] = records / below
    return found
