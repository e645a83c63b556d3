"""What the records of a transcript say, in words: one line on each, and the texts that it holds.

The command ``show`` and the HTML pages tell a transcript by it, each in its own dress.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch

import msgspec

from kcb_core.codec import ascii_line
from kcb_core.run_record import Usage
from kcb_core.transcript import (
    Action,
    Call,
    Compaction,
    Contract,
    End,
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A text that a model or a program wrote."""

    text: str
    name: str = ""
    """What it is, where the line on the record leaves that open."""
    file: str = ""
    """Name of the file in the transcript's side folder that holds it byte for byte, if one does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One record in words."""

    line: str
    """What happened."""
    passages: tuple[Passage, ...] = ()
    """The texts in it."""


def narrate(event: Recorded, transcript: Transcript) -> Told:
    """A record in words.

    Args:
        event: the record.
        transcript: where it stands, which has its streams.

    Raises:
        DeclarationError: a side file cannot be read.
        DataError: a stream is not the one that was recorded.
    """
    told = _told(event, transcript)
    return Told(line=" ".join(told.line.split()), passages=told.passages)


@singledispatch
def _told(event: Recorded, transcript: Transcript) -> Told:
    raise TypeError(f"{type(event).__name__} is no event")


@_told.register
def _(event: Contract, transcript: Transcript) -> Told:
    tools = ", ".join(str(tool.get("name", "?")) for tool in event.tools) or "none"
    bounds = ", ".join(f"{name} {value}" for name, value in event.bounds.items())
    return Told(line=f"holds itself to {event.profile}; tools: {tools}; bounds: {bounds or 'none'}")


@_told.register
def _(event: Message, transcript: Transcript) -> Told:
    # A model's own message repeats its reply, which is shown as such.
    passages = (*_passage(event.text), *_calls(event.calls))
    return Told(line=f"context: {event.role}", passages=passages)


@_told.register
def _(event: Request, transcript: Transcript) -> Told:
    asked = "asks" if event.purpose == "turn" else f"asks for a {event.purpose}"
    count = sum(last - first + 1 for first, last in event.messages)
    return Told(line=f"{asked} with {count} messages ({event.sha256[:12]})")


@_told.register
def _(event: Reply, transcript: Transcript) -> Told:
    ended = f", {event.finish_reason}" if event.finish_reason else ""
    thought, said = _passage(event.reasoning, "thought"), _passage(event.content)
    return Told(
        line=f"reply in {event.wall_s:.1f} s{ended}{_tokens(event.usage)}",
        passages=(*thought, *said, *_calls(event.calls)),
    )


@_told.register
def _(event: Refusal, transcript: Transcript) -> Told:
    return Told(line="no reply", passages=_passage(event.error))


@_told.register
def _(event: FormatError, transcript: Transcript) -> Told:
    return Told(line="the reply is no action", passages=_passage(event.error))


@_told.register
def _(event: Action, transcript: Transcript) -> Told:
    done = "" if event.executed else ", not executed"
    return Told(line=f"{event.tool}{done}", passages=_passage(event.arguments))


@_told.register
def _(event: Outcome, transcript: Transcript) -> Told:
    status = "" if event.status is msgspec.UNSET else f" {event.status}"
    passages = tuple(
        _stream(name, stream, transcript)
        for name, stream in (("stdout", event.stdout), ("stderr", event.stderr))
        if stream is not msgspec.UNSET and (stream.size or stream.lost)
    )
    return Told(line=f"{event.ending}{status} after {event.wall_s:.1f} s", passages=passages)


@_told.register
def _(event: Compaction, transcript: Transcript) -> Told:
    count = sum(last - first + 1 for first, last in event.replaced)
    archived = f"{len(event.archived)} results archived"
    return Told(line=f"{count} messages gave way to a summary; {archived}")


@_told.register
def _(event: Note, transcript: Transcript) -> Told:
    return Told(line="note", passages=_passage(event.text))


@_told.register
def _(event: End, transcript: Transcript) -> Told:
    totals = ascii_line(event.totals) if event.totals else ""
    passages = (*_passage(event.reason), *_passage(totals, "totals"))
    return Told(line=f"end: {event.stop_reason}", passages=passages)


def _passage(text: str, name: str = "") -> tuple[Passage, ...]:
    """A text that may be empty; then there is none."""
    return (Passage(text=text, name=name),) if text else ()


def _calls(calls: tuple[Call, ...]) -> tuple[Passage, ...]:
    return _passage("\n".join(f"{call.name} {call.arguments}" for call in calls), "calls")


def _stream(name: str, stream: Stream, transcript: Transcript) -> Passage:
    lost = f", {stream.lost} more not kept" if stream.lost else ""
    return Passage(
        name=f"{name}, {stream.size} bytes{lost}",
        text=transcript.stream(stream).decode("utf-8", "backslashreplace"),
        file="" if stream.file is msgspec.UNSET else stream.file,
    )


def _tokens(usage: Usage | msgspec.UnsetType) -> str:
    if usage is msgspec.UNSET:
        return ""
    return "".join(
        f", {count} tokens {direction}"
        for count, direction in ((usage.input_tokens, "in"), (usage.output_tokens, "out"))
        if count is not msgspec.UNSET
    )
