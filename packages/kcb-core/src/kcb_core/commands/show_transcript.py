"""What ``klein-bench show`` prints of a transcript: plain lines, with whatever a model or a program
wrote behind a bar, so that it cannot pass for ours."""

from __future__ import annotations

from collections.abc import Iterator

from kcb_core import console
from kcb_core.narration import narrate
from kcb_core.transcript import End, Entry
from kcb_core.transcript_file import Transcript

SHOWN = 4_000
"""Most characters of one text that are shown; ``--json`` has them all."""

_BAR = "  | "


def show_transcript(transcript: Transcript) -> None:
    """Print a transcript for a person."""
    head = transcript.head
    console.say(f"{head.name}: {head.agent} {head.agent_version}, {head.started}")
    turn = 0
    for entry in transcript.entries:
        if entry.event.turn != turn and entry.event.turn:
            turn = entry.event.turn
            console.say(f"--- turn {turn}")
        for line in _lines(entry, transcript):
            console.say(line)
    if transcript.torn:
        console.say(f"the last line is torn: {len(transcript.torn)} bytes belong to no record")
    if not any(isinstance(entry.event, End) for entry in transcript.entries):
        console.say("no end: the agent was cut off, or is still at work")


def transcript_json(transcript: Transcript) -> dict[str, object]:
    """A transcript for a program: its head, its entries, and how long a torn line is."""
    torn = {"torn_bytes": len(transcript.torn)} if transcript.torn else {}
    return {"head": transcript.head, "entries": transcript.entries, **torn}


def _lines(entry: Entry, transcript: Transcript) -> Iterator[str]:
    told = narrate(entry.event, transcript)
    yield f"{entry.at_s:9.1f} s  {told.line}"
    for passage in told.passages:
        if passage.name:
            yield f"  ({passage.name})"
        yield from _behind_bar(passage.text)


def _behind_bar(text: str) -> Iterator[str]:
    left = len(text) - SHOWN
    for line in text[:SHOWN].removesuffix("\n").split("\n") if text else ():
        yield _BAR + line
    if left > 0:
        yield f"  ({left} more characters)"
