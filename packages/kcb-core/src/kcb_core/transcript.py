"""What an agent did, turn by turn: the records that its transcript is made of.

A transcript tells apart what entered the model's context (:class:`Message`), what was asked
(:class:`Request`) and answered (:class:`Reply`), what was done (:class:`Action`) and what came of
it (:class:`Outcome`). A request names its messages by their numbers, so that every context can be
put together again as it was sent. How they are stored is the business of
:mod:`kcb_core.transcript_file`.
"""

from __future__ import annotations

from typing import Any

import msgspec

from kcb_core.provenance import Revision
from kcb_core.run_record import Usage

TRANSCRIPT_KIND = "transcript"
TRANSCRIPT_FORMAT = 1


class Head(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The first line: whose transcript it is."""

    kind: str
    """Always ``transcript``."""
    format: int
    name: str
    """What was made, such as a task id."""
    agent: str
    agent_version: str
    generator: Revision
    """The code that asked the agent."""
    started: str
    """When it began, as a label only: ISO 8601 in UTC."""


class Stream(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The bytes of one stream, in exactly one of three places."""

    size: int
    sha256: str
    text: str | msgspec.UnsetType = msgspec.UNSET
    """The bytes as UTF-8, where they are that."""
    base64: str | msgspec.UnsetType = msgspec.UNSET
    """Short ones that are no UTF-8."""
    file: str | msgspec.UnsetType = msgspec.UNSET
    """Long ones, byte for byte: name of a file in the transcript's side folder."""
    lost: int = 0
    """Bytes that came after these and were not kept."""


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """A tool that the model asked for."""

    id: str
    name: str
    arguments: str
    """As the model wrote them."""


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="event"):
    """One record behind the head."""

    turn: int = 0
    """Turn that it belongs to, from 1 on; left out outside of turns."""


class Contract(Event, frozen=True, kw_only=True, omit_defaults=True, tag="contract"):
    """What the agent holds itself to, from the first turn to the last."""

    profile: str
    """Name and version of the fixed part, such as ``headless-coding-v1``."""
    preamble_sha256: str
    """SHA-256 of the fixed text that precedes the prompt."""
    tools_sha256: str = ""
    """SHA-256 of the canonical JSON of ``tools``."""
    tools: tuple[dict[str, Any], ...] = ()
    """The tools with their schemas."""
    bounds: dict[str, Any] = msgspec.field(default_factory=dict)
    """What the trial is limited by, with the values in force."""
    settings: dict[str, Any] = msgspec.field(default_factory=dict)
    """What else was chosen, such as a route."""


class Message(Event, frozen=True, kw_only=True, omit_defaults=True, tag="message"):
    """Something that entered the model's context."""

    role: str
    """``system``, ``user``, ``assistant`` or ``tool``."""
    text: str = ""
    calls: tuple[Call, ...] = ()
    call_id: str = ""
    """The call that a tool's result answers."""


class Request(Event, frozen=True, kw_only=True, omit_defaults=True, tag="request"):
    """The model is asked."""

    purpose: str = "turn"
    """``turn``, or ``compaction`` of the context, which is no turn."""
    messages: tuple[tuple[int, int], ...]
    """The context: numbers of its messages, as ranges from first to last."""
    sha256: str
    """SHA-256 of the messages and tools as canonical JSON."""


class Reply(Event, frozen=True, kw_only=True, omit_defaults=True, tag="reply"):
    """The model answered."""

    content: str = ""
    reasoning: str = ""
    calls: tuple[Call, ...] = ()
    finish_reason: str = ""
    """In the endpoint's own word."""
    model: str = ""
    """The model that answered, as the endpoint names it."""
    usage: Usage | msgspec.UnsetType = msgspec.UNSET
    """Tokens as far as the endpoint stated them."""
    dollars: float | msgspec.UnsetType = msgspec.UNSET
    """What it cost, where a price is known."""
    wall_s: float = 0.0
    raw: Stream | msgspec.UnsetType = msgspec.UNSET
    """The endpoint's reply as it came."""


class Refusal(Event, frozen=True, kw_only=True, omit_defaults=True, tag="refusal"):
    """The model did not answer."""

    error: str
    unbilled: bool = False
    """Whether it is certain that nobody charges anything for the request."""


class FormatError(Event, frozen=True, kw_only=True, omit_defaults=True, tag="format_error"):
    """A reply was no action."""

    error: str


class Action(Event, frozen=True, kw_only=True, omit_defaults=True, tag="action"):
    """Something that the model had done for it."""

    tool: str
    call_id: str = ""
    arguments: str = ""
    """As the model wrote them: a command line, or JSON."""
    executed: bool
    """Whether it was carried out; then exactly once."""


class Outcome(Event, frozen=True, kw_only=True, omit_defaults=True, tag="outcome"):
    """How an action ended."""

    call_id: str = ""
    ending: str
    """``exited``, ``signalled``, ``timed_out``; of a tool that runs nothing, ``done`` or
    ``refused``."""
    status: int | msgspec.UnsetType = msgspec.UNSET
    """Exit status, or number of the signal."""
    wall_s: float = 0.0
    stdout: Stream | msgspec.UnsetType = msgspec.UNSET
    stderr: Stream | msgspec.UnsetType = msgspec.UNSET


class Compaction(Event, frozen=True, kw_only=True, omit_defaults=True, tag="compaction"):
    """Older messages gave way to a summary."""

    replaced: tuple[tuple[int, int], ...]
    """Numbers of the messages that left the context, as ranges."""
    archived: tuple[str, ...] = ()
    """Results that can be read back, by their names."""


class Note(Event, frozen=True, kw_only=True, omit_defaults=True, tag="note"):
    """Whatever else a reader should know."""

    text: str


class End(Event, frozen=True, kw_only=True, omit_defaults=True, tag="end"):
    """The agent ended; a transcript without it was cut off."""

    stop_reason: str
    reason: str = ""
    totals: dict[str, Any] = msgspec.field(default_factory=dict)
    """What was used of each bound, and what it cost."""


Recorded = (
    Contract
    | Message
    | Request
    | Reply
    | Refusal
    | FormatError
    | Action
    | Outcome
    | Compaction
    | Note
    | End
)
"""Every kind of event there is in this format."""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One event and where it stands."""

    seq: int
    """Its number, from 1 on without a gap."""
    at_s: float
    """Seconds since the head was written."""
    event: Recorded


def ranges(numbers: list[int]) -> tuple[tuple[int, int], ...]:
    """Rising runs of numbers as pairs of first and last, in the order of the list."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return tuple(runs)
