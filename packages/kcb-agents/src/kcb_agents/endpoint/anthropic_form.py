"""Anthropic messages: blocks in, blocks out, and an output limit that must be given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from kcb_agents.endpoint import loose
from kcb_agents.endpoint.conversation import Answer, Message, Stop, Tool, ToolCall
from kcb_agents.endpoint.counts import Counts
from kcb_agents.endpoint.failure import EndpointError, refuse_disguised
from kcb_agents.endpoint.form import Ask, answer_of, root_of
from kcb_agents.endpoint.framing import event_stream
from kcb_core.codec import Json, ascii_line

VERSION = "2023-06-01"

_DEFAULTS: Mapping[str, int] = MappingProxyType({"max_tokens": 8192})
"""The output limit that is sent where none is given: this form has none of its own."""

_STOPS = {
    "end_turn": Stop.END,
    "stop_sequence": Stop.END,
    "max_tokens": Stop.LENGTH,
    "model_context_window_exceeded": Stop.LENGTH,
    "tool_use": Stop.TOOLS,
    "refusal": Stop.REFUSED,
}


class AnthropicForm:
    """Messages."""

    name = "anthropic"
    framing = staticmethod(event_stream)
    settings = frozenset({"temperature", "top_p", "top_k", "max_tokens"})
    defaults = _DEFAULTS

    def url(self, base_url: str) -> str:
        """Where its questions go."""
        return f"{root_of(base_url)}/v1/messages"

    def headers(self, api_key: str) -> dict[str, str]:
        """The headers that carry a key and the version."""
        key = {"x-api-key": api_key} if api_key else {}
        return {**key, "anthropic-version": VERSION}

    def body(self, ask: Ask) -> dict[str, Any]:
        """The body of a request; messages of the system stand beside the others."""
        system = "\n\n".join(message.text for message in ask.messages if message.role == "system")
        return {
            "model": ask.model,
            **({"system": system} if system else {}),
            "messages": _messages(ask.messages),
            "stream": ask.stream,
            **({"tools": [_tool(tool) for tool in ask.tools]} if ask.tools else {}),
            **self.defaults,
            **ask.sampling,
        }

    def read(self, body: Json, source: str) -> Answer:
        """The answer in the body of a successful reply."""
        refuse_disguised(body, source)
        if not isinstance(body, dict) or not isinstance(body.get("content"), list):
            raise EndpointError(f"{source}: the reply holds no content", status=200)
        blocks = loose.items(body, "content")
        calls = tuple(
            ToolCall(
                id=loose.text(block, "id") or f"call_{index}",
                name=loose.text(block, "name"),
                arguments=_arguments(block),
            )
            for index, block in enumerate(blocks)
            if block.get("type") == "tool_use"
        )
        word = loose.text(body, "stop_reason")
        return answer_of(
            body,
            _STOPS,
            read_counts(body.get("usage")),
            word=word,
            content="".join(loose.text(b, "text") for b in blocks if b.get("type") == "text"),
            reasoning="".join(loose.text(b, "thinking") for b in blocks),
            calls=calls,
        )

    def fold(self, source: str) -> AnthropicFold:
        """An empty stream."""
        return AnthropicFold(source)


@dataclass(slots=True)
class AnthropicFold:
    """A stream of a message as far as it has come."""

    source: str
    """The address that it comes from."""
    ended: bool = False
    _message: dict[str, Json] = field(default_factory=dict)
    _blocks: dict[int, dict[str, Any]] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether nothing more is to come."""
        return self.ended

    def feed(self, event: Json) -> str:
        """Add one event; counts of later ones stand for those of earlier ones."""
        refuse_disguised(event, self.source)
        kind, index = loose.text(event, "type"), loose.count(event, "index") or 0
        if kind == "message_start":
            self._message = dict(loose.member(event, "message"))
        elif kind == "content_block_start":
            self._blocks[index] = dict(loose.member(event, "content_block"))
        elif kind == "content_block_delta":
            return self._grow(index, loose.member(event, "delta"))
        elif kind == "message_delta":
            counts = loose.member(self._message, "usage") | loose.member(event, "usage")
            self._message |= loose.member(event, "delta") | ({"usage": counts} if counts else {})
            self.ended = self.ended or bool(self._message.get("stop_reason"))
        elif kind == "message_stop":
            self.ended = True
        return ""

    def body(self) -> dict[str, Json]:
        """The body that would have come in one piece."""
        return {**self._message, "content": [self._blocks[i] for i in sorted(self._blocks)]}

    def _grow(self, index: int, delta: dict[str, Json]) -> str:
        block = self._blocks.setdefault(index, {"type": "text", "text": ""})
        for name in ("text", "thinking", "partial_json"):
            if piece := loose.text(delta, name):
                block[name] = block.get(name, "") + piece
                return "" if name == "partial_json" else piece
        return ""


def read_counts(stated: Json) -> Counts:
    """The member ``usage`` of a reply; its input tokens are those that no cache has to do with."""
    fresh = loose.count(stated, "input_tokens")
    read = loose.count(stated, "cache_read_input_tokens")
    written = loose.count(stated, "cache_creation_input_tokens")
    return Counts(
        prompt=None if fresh is None else fresh + (read or 0) + (written or 0),
        completion=loose.count(stated, "output_tokens"),
        read=read,
        written=written,
    )


def _arguments(block: dict[str, Json]) -> str:
    """What a stream put together bit by bit, or the value itself."""
    value = block.get("input")
    return loose.text(block, "partial_json") or (ascii_line(value) if value else "{}")


def _messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """The conversation, roles in turn: results of tools that follow each other are one message."""
    written: list[dict[str, Any]] = []
    for message in messages:
        if message.role == "system":
            continue
        role = "assistant" if message.role == "assistant" else "user"
        blocks = _blocks(message)
        if written and written[-1]["role"] == role:
            written[-1]["content"] += blocks
        else:
            written.append({"role": role, "content": blocks})
    return written


def _blocks(message: Message) -> list[dict[str, Any]]:
    if message.role == "tool":
        result = {"type": "tool_result", "tool_use_id": message.call_id, "content": message.text}
        return [result]
    said = [{"type": "text", "text": message.text}] if message.text else []
    return said + [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": call.value()}
        for call in message.calls
    ]


def _tool(tool: Tool) -> dict[str, Any]:
    schema = {"type": "object", **tool.schema}
    return {"name": tool.name, "description": tool.description, "input_schema": schema}
