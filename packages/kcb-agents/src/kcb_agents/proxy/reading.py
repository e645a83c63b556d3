"""What an endpoint's answer says of its own cost: one reading for each kind of endpoint.

A reading is final when the endpoint has stated the whole; until then it is what was seen, a lower
bound. Events that are no objects, or of no known form, say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from kcb_agents.endpoint import anthropic_form, chat_form, ollama_form, responses_form
from kcb_agents.proxy.routes import Api
from kcb_core.run_record import Usage

Event = dict[str, Any]

_ENDED = frozenset({"response.completed", "response.incomplete", "response.failed"})


@dataclass(slots=True)
class Reading:
    """What was read so far of one answer."""

    usage: Usage | None = None
    final: bool = False
    """Whether the endpoint has stated the usage of the whole answer."""
    model: str = ""
    """The model that answered, as the endpoint names it."""
    ended: bool = False
    """Whether the model has said why it stopped."""
    stated: dict[str, Any] = field(default_factory=dict)
    """Counts of several events, put together."""

    @property
    def complete(self) -> bool:
        """Whether usage is that of the whole answer, and holds what went in and what came out."""
        usage = self.usage
        counts = (usage.input_tokens, usage.output_tokens) if usage else (msgspec.UNSET,)
        return self.final and msgspec.UNSET not in counts


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """How the answers of one kind of endpoint are read."""

    telling: re.Pattern[bytes]
    """What stands in every event that has to be looked at, and in few others."""
    part: Callable[[Reading, Event], None]
    """Reads one event of a stream."""
    whole: Callable[[Reading, Event], None]
    """Reads an answer that came in one piece."""


def _chat_part(reading: Reading, event: Event) -> None:
    choices = event.get("choices")
    choices = choices if isinstance(choices, list) else []
    ends = (isinstance(choice, dict) and choice.get("finish_reason") for choice in choices)
    reading.ended = reading.ended or any(ends)
    if usage := chat_form.read_counts(event.get("usage")).usage():
        reading.usage = usage
    # Some servers state a running count with every event; the last one stands alone or at the end.
    reading.final = reading.usage is not None and (reading.ended or not choices)
    _name(reading, event)


def _chat_whole(reading: Reading, reply: Event) -> None:
    reading.usage, reading.final = chat_form.read_counts(reply.get("usage")).usage(), True
    _name(reading, reply)


def _responses_part(reading: Reading, event: Event) -> None:
    response = event.get("response")
    if event.get("type") in _ENDED and isinstance(response, dict):
        _responses_whole(reading, response)


def _responses_whole(reading: Reading, reply: Event) -> None:
    reading.usage, reading.final = responses_form.read_counts(reply.get("usage")).usage(), True
    _name(reading, reply)


def _anthropic_part(reading: Reading, event: Event) -> None:
    message = event.get("message")
    if isinstance(message, dict):
        _name(reading, message)
    holder = message if isinstance(message, dict) else event
    stated = holder.get("usage")
    if isinstance(stated, dict):
        # The counts of later events are of the whole; older servers repeat only the output's.
        reading.stated |= {name: count for name, count in stated.items() if count is not None}
        reading.usage = anthropic_form.read_counts(reading.stated).usage()
    reading.final = reading.final or event.get("type") == "message_delta"


def _anthropic_whole(reading: Reading, reply: Event) -> None:
    reading.usage, reading.final = anthropic_form.read_counts(reply.get("usage")).usage(), True
    _name(reading, reply)


def _ollama(reading: Reading, event: Event) -> None:
    if event.get("done") is True:
        reading.usage, reading.final = ollama_form.read_counts(event).usage(), True
        _name(reading, event)


def _name(reading: Reading, holder: Event) -> None:
    name = holder.get("model")
    reading.model = name if isinstance(name, str) and name else reading.model


READERS = {
    Api.OPENAI: Reader(
        telling=re.compile(rb'"usage"\s*:\s*\{|"finish_reason"\s*:\s*"'),
        part=_chat_part,
        whole=_chat_whole,
    ),
    Api.RESPONSES: Reader(
        telling=re.compile(rb'"response\.(?:completed|incomplete|failed)"'),
        part=_responses_part,
        whole=_responses_whole,
    ),
    Api.ANTHROPIC: Reader(
        telling=re.compile(rb'"message_(?:start|delta)"'),
        part=_anthropic_part,
        whole=_anthropic_whole,
    ),
    Api.OLLAMA: Reader(telling=re.compile(rb'"done"\s*:\s*true'), part=_ollama, whole=_ollama),
}
