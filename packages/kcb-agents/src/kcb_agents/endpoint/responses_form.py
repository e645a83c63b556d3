"""OpenAI responses: items in, items out, and nothing kept on the other side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from kcb_agents.endpoint import loose
from kcb_agents.endpoint.conversation import Answer, Message, Stop, Tool, ToolCall
from kcb_agents.endpoint.counts import Counts
from kcb_agents.endpoint.failure import EndpointError, refuse_disguised
from kcb_agents.endpoint.form import NOTHING, Ask, answer_of
from kcb_agents.endpoint.framing import event_stream
from kcb_core.codec import Json

_STOPS = {
    "completed": Stop.END,
    "max_output_tokens": Stop.LENGTH,
    "content_filter": Stop.REFUSED,
}

_NAMES = {"temperature": "temperature", "top_p": "top_p", "max_tokens": "max_output_tokens"}

_LAST = ("response.completed", "response.incomplete", "response.failed")


class ResponsesForm:
    """Responses."""

    name = "responses"
    framing = staticmethod(event_stream)
    settings = frozenset(_NAMES)
    defaults = NOTHING

    def url(self, base_url: str) -> str:
        """Where its questions go."""
        return f"{base_url}/responses"

    def headers(self, api_key: str) -> dict[str, str]:
        """The header that carries a key."""
        return {"Authorization": f"Bearer {api_key}"} if api_key else {}

    def body(self, ask: Ask) -> dict[str, Any]:
        """The body of a request; ``store`` is off, so that no task stays with the endpoint."""
        return {
            "model": ask.model,
            "input": [item for message in ask.messages for item in _items(message)],
            "stream": ask.stream,
            "store": False,
            **({"tools": [_tool(tool) for tool in ask.tools]} if ask.tools else {}),
            **loose.same_names(ask.sampling, _NAMES),
        }

    def read(self, body: Json, source: str) -> Answer:
        """The answer in the body of a successful reply."""
        refuse_disguised(body, source)
        if not isinstance(body, dict) or not isinstance(body.get("output"), list):
            raise EndpointError(f"{source}: the reply holds no output", status=200)
        status = loose.text(body, "status")
        if status in ("failed", "cancelled"):
            raise EndpointError(f"{source}: the response is {status}", outage=False)
        output = loose.items(body, "output")
        word = loose.text(loose.member(body, "incomplete_details"), "reason") or status
        calls = tuple(_calls(output))
        return answer_of(
            body,
            _STOPS,
            read_counts(body.get("usage")),
            word=word,
            content="".join(_texts(output, "message", "content")),
            reasoning="".join(_texts(output, "reasoning", "content"))
            or "\n".join(_texts(output, "reasoning", "summary")),
            calls=calls,
        )

    def fold(self, source: str) -> ResponsesFold:
        """An empty stream."""
        return ResponsesFold(source)


@dataclass(slots=True)
class ResponsesFold:
    """A stream of a response as far as it has come; its last event holds it whole."""

    source: str
    """The address that it comes from."""
    ended: bool = False
    _response: dict[str, Json] = field(default_factory=dict)
    _items: list[Json] = field(default_factory=list)
    _open: list[str] = field(default_factory=list)
    _thought: list[str] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether nothing more is to come."""
        return self.ended

    def feed(self, event: Json) -> str:
        """Add one event."""
        kind = loose.text(event, "type")
        if kind == "error":
            refuse_disguised({"error": event.get("error") or event}, self.source)
        refuse_disguised(event, self.source)
        if kind in _LAST:
            self._response, self.ended = loose.member(event, "response"), True
        elif kind == "response.created":
            self._response = loose.member(event, "response")
        elif kind == "response.output_item.done":
            self._items.append(loose.member(event, "item"))
            self._open, self._thought = [], []
        elif kind in ("response.output_text.delta", "response.refusal.delta"):
            self._open.append(loose.text(event, "delta"))
            return self._open[-1]
        elif kind.startswith("response.reasoning") and kind.endswith(".delta"):
            self._thought.append(loose.text(event, "delta"))
            return self._thought[-1]
        return ""

    def body(self) -> dict[str, Json]:
        """The response as the last event gave it, or as far as its items and text have come."""
        if self._response.get("output"):
            return self._response
        open_items = [
            {"type": kind, "content": [{"type": part, "text": "".join(text)}]}
            for kind, part, text in (
                ("reasoning", "reasoning_text", self._thought),
                ("message", "output_text", self._open),
            )
            if text
        ]
        return {**self._response, "output": [*self._items, *open_items]}


def _items(message: Message) -> Iterator[dict[str, Any]]:
    if message.role == "tool":
        yield {
            "type": "function_call_output",
            "call_id": message.call_id,
            "output": message.text,
        }
        return
    if message.text or not message.calls:
        yield {"role": message.role, "content": message.text}
    for call in message.calls:
        yield {
            "type": "function_call",
            "call_id": call.id,
            "name": call.name,
            "arguments": call.arguments,
        }


def _tool(tool: Tool) -> dict[str, Any]:
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.schema,
    }


def _texts(output: list[dict[str, Json]], kind: str, name: str) -> Iterator[str]:
    for item in output:
        if item.get("type") == kind:
            for part in loose.items(item, name):
                yield loose.text(part, "text", "refusal")


def _calls(output: list[dict[str, Json]]) -> Iterator[ToolCall]:
    for index, item in enumerate(output):
        if item.get("type") == "function_call":
            yield ToolCall(
                id=loose.text(item, "call_id", "id") or f"call_{index}",
                name=loose.text(item, "name"),
                arguments=loose.text(item, "arguments") or "{}",
            )


def read_counts(stated: Json) -> Counts:
    """The member ``usage`` of a reply, whatever it is."""
    return Counts(
        prompt=loose.count(stated, "input_tokens"),
        completion=loose.count(stated, "output_tokens"),
        total=loose.count(stated, "total_tokens"),
        read=loose.count(stated, "input_tokens_details", "cached_tokens"),
        reasoning=loose.count(stated, "output_tokens_details", "reasoning_tokens"),
    )
