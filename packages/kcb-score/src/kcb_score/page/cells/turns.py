"""A transcript on a page: turn by turn, long texts folded, and the file itself behind a link."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

from kcb_core.errors import KcbError
from kcb_core.narration import Passage, narrate
from kcb_core.page import Block, FileLink, Heading, Paragraph, Preformatted, Tone
from kcb_core.transcript import End, Entry
from kcb_core.transcript_file import Transcript, side_folder
from kcb_score.page.cells.bounds import FOLDED_FROM, Bounds
from kcb_score.page.visible import shown

_LINE = 200
"""Characters of the line on a record."""


def transcript_blocks(transcript: Transcript, file: FileLink, bounds: Bounds) -> Iterator[Block]:
    """What was asked, answered, done, and what came of it.

    Args:
        transcript: the transcript.
        file: leads to it from the page.
        bounds: how much of it is shown.
    """
    head = transcript.head
    yield Paragraph(text=shown(f"{head.agent} {head.agent_version}, begun {head.started}", _LINE))
    yield Paragraph(text=_note(bounds), tone=Tone.NOTE)
    yield file
    if not any(isinstance(entry.event, End) for entry in transcript.entries):
        text = "It has no end: the agent was cut off, or was still at work."
        yield Paragraph(text=text, tone=Tone.WARNING)
    if transcript.torn:
        text = f"Its last line is torn: {len(transcript.torn)} bytes belong to no record."
        yield Paragraph(text=text, tone=Tone.WARNING)
    first, last = _ends(transcript.entries, bounds.records)
    turn = yield from _told(first, transcript, file, bounds, 0)
    if last:
        left_out = len(transcript.entries) - len(first) - len(last)
        text = f"{left_out} records are left out here, for the size of the page."
        yield Paragraph(text=text, tone=Tone.WARNING)
        yield from _told(last, transcript, file, bounds, turn)


def _note(bounds: Bounds) -> str:
    return (
        f"A text of more than {FOLDED_FROM:,} characters is folded, and {bounds.characters:,} "
        "characters of each are here. The files behind the links hold all, byte for byte."
    )


def _ends(entries: Sequence[Entry], room: int) -> tuple[Sequence[Entry], Sequence[Entry]]:
    """The records before and behind those for which there is no room."""
    if len(entries) <= room:
        return entries, ()
    return entries[: room * 3 // 4], entries[len(entries) - room // 4 :]


def _told(
    entries: Sequence[Entry], transcript: Transcript, file: FileLink, bounds: Bounds, turn: int
) -> Generator[Block, None, int]:
    """Blocks on some records; what it returns is the turn of the last one."""
    for entry in entries:
        if entry.event.turn and entry.event.turn != turn:
            turn = entry.event.turn
            yield Heading(text=f"Turn {turn}")
        try:
            told = narrate(entry.event, transcript)
        except KcbError as error:
            yield Paragraph(text=shown(f"{entry.at_s:.1f} s: {error}", 400), tone=Tone.WARNING)
            continue
        yield Paragraph(text=f"{entry.at_s:.1f} s: {shown(told.line, _LINE)}")
        for passage in told.passages:
            yield from _passage(passage, transcript, file, bounds)
    return turn


def _passage(
    passage: Passage, transcript: Transcript, file: FileLink, bounds: Bounds
) -> Iterator[Block]:
    size = f"{len(passage.text):,} characters"
    folded = len(passage.text) > FOLDED_FROM
    caption = ", ".join(part for part in (passage.name, size if folded else "") if part)
    yield Preformatted(text=shown(passage.text, bounds.characters), caption=caption, folded=folded)
    if passage.file:
        folder, _, _ = file.path.rpartition("/")
        place = "/".join((folder, side_folder(transcript.path).name, passage.file))
        yield FileLink(text=f"{passage.name}, in a file of its own", path=place.lstrip("/"))
