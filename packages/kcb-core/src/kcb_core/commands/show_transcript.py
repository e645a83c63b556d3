"""What ``klein-bench show`` prints of a transcript: plain lines, with whatever a model or a program
wrote behind a bar, so that it cannot pass for ours."""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch

import msgspec

from kcb_core import console
from kcb_core.codec import ascii_line
from kcb_core.run_record import Usage
from kcb_core.transcript import (
    Action,
    Compaction,
    Contract,
    End,
    Entry,
    FormatError,
    Message,
    Note,
    Outcome,
    Recorded,
    Refusal,
    Reply,
    Request,
    Stream,
)
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
    title, *texts = _told(entry.event, transcript)
    yield f"{entry.at_s:9.1f} s  {' '.join(title.split())}"
    for text in texts:
        yield from _behind_bar(text)


def _behind_bar(text: str) -> Iterator[str]:
    left = len(text) - SHOWN
    for line in text[:SHOWN].removesuffix("\n").split("\n") if text else ():
        yield _BAR + line
    if left > 0:
        yield f"  ({left} more characters)"


@singledispatch
def _told(event: Recorded, transcript: Transcript) -> list[str]:
    """One line on an event, and the texts in it."""
    raise TypeError(f"{type(event).__name__} is no event")


@_told.register
def _(event: Contract, transcript: Transcript) -> list[str]:
    tools = ", ".join(str(tool.get("name", "?")) for tool in event.tools) or "none"
    bounds = ", ".join(f"{name} {value}" for name, value in event.bounds.items())
    return [f"holds itself to {event.profile}; tools: {tools}; bounds: {bounds or 'none'}"]


@_told.register
def _(event: Message, transcript: Transcript) -> list[str]:
    # A model's own message repeats its reply, which is shown as such.
    calls = [f"{call.name} {call.arguments}" for call in event.calls]
    return [f"context: {event.role}", event.text, *calls]


@_told.register
def _(event: Request, transcript: Transcript) -> list[str]:
    asked = "asks" if event.purpose == "turn" else f"asks for a {event.purpose}"
    count = sum(last - first + 1 for first, last in event.messages)
    return [f"{asked} with {count} messages ({event.sha256[:12]})"]


@_told.register
def _(event: Reply, transcript: Transcript) -> list[str]:
    ended = f", {event.finish_reason}" if event.finish_reason else ""
    title = f"reply in {event.wall_s:.1f} s{ended}{_tokens(event.usage)}"
    calls = [f"{call.name} {call.arguments}" for call in event.calls]
    thought = f"(thought) {event.reasoning}" if event.reasoning else ""
    return [title, thought, event.content, *calls]


@_told.register
def _(event: Refusal, transcript: Transcript) -> list[str]:
    return ["no reply", event.error]


@_told.register
def _(event: FormatError, transcript: Transcript) -> list[str]:
    return ["the reply is no action", event.error]


@_told.register
def _(event: Action, transcript: Transcript) -> list[str]:
    return [f"{event.tool}{'' if event.executed else ', not executed'}", event.arguments]


@_told.register
def _(event: Outcome, transcript: Transcript) -> list[str]:
    status = "" if event.status is msgspec.UNSET else f" {event.status}"
    texts = []
    for name, stream in (("stdout", event.stdout), ("stderr", event.stderr)):
        if stream is not msgspec.UNSET and (stream.size or stream.lost):
            texts += [f"({_sized(name, stream)})", _text(transcript.stream(stream))]
    return [f"{event.ending}{status} after {event.wall_s:.1f} s", *texts]


@_told.register
def _(event: Compaction, transcript: Transcript) -> list[str]:
    count = sum(last - first + 1 for first, last in event.replaced)
    return [f"{count} messages gave way to a summary; {len(event.archived)} results archived"]


@_told.register
def _(event: Note, transcript: Transcript) -> list[str]:
    return ["note", event.text]


@_told.register
def _(event: End, transcript: Transcript) -> list[str]:
    totals = ascii_line(event.totals) if event.totals else ""
    return [f"end: {event.stop_reason}", event.reason, totals]


def _tokens(usage: Usage | msgspec.UnsetType) -> str:
    if usage is msgspec.UNSET:
        return ""
    return "".join(
        f", {count} tokens {direction}"
        for count, direction in ((usage.input_tokens, "in"), (usage.output_tokens, "out"))
        if count is not msgspec.UNSET
    )


def _sized(name: str, stream: Stream) -> str:
    lost = f", {stream.lost} more not kept" if stream.lost else ""
    return f"{name}, {stream.size} bytes{lost}"


def _text(data: bytes) -> str:
    return data.decode("utf-8", "backslashreplace")
