"""Ollama's own chat: where its context can be set, beyond which it cuts prompts in silence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from kcb_agents.endpoint import loose
from kcb_agents.endpoint.chat_form import read_calls, tool_of
from kcb_agents.endpoint.conversation import Answer, Message, Stop
from kcb_agents.endpoint.counts import Counts
from kcb_agents.endpoint.failure import EndpointError, refuse_disguised
from kcb_agents.endpoint.form import NOTHING, SAMPLING, Ask, answer_of, root_of
from kcb_agents.endpoint.framing import json_lines
from kcb_core.codec import Json

_STOPS = {"stop": Stop.END, "length": Stop.LENGTH}

_NAMES = {name: name for name in SAMPLING} | {"max_tokens": "num_predict"}


class OllamaForm:
    """``/api/chat``."""

    name = "ollama"
    framing = staticmethod(json_lines)
    settings = SAMPLING | {"think", "context_tokens"}
    defaults = NOTHING

    def url(self, base_url: str) -> str:
        """Where its questions go."""
        return f"{root_of(base_url)}/api/chat"

    def headers(self, api_key: str) -> dict[str, str]:
        """The header that carries a key, for the hosted one."""
        return {"Authorization": f"Bearer {api_key}"} if api_key else {}

    def body(self, ask: Ask) -> dict[str, Any]:
        """The body of a request."""
        options = loose.same_names(ask.sampling, _NAMES) | loose.given(num_ctx=ask.context_tokens)
        return {
            "model": ask.model,
            "messages": _messages(ask.messages),
            "stream": ask.stream,
            **({"tools": [tool_of(tool) for tool in ask.tools]} if ask.tools else {}),
            **({"options": options} if options else {}),
            **loose.given(think=ask.think),
        }

    def read(self, body: Json, source: str) -> Answer:
        """The answer in the body of a successful reply."""
        refuse_disguised(body, source)
        message = body.get("message") if isinstance(body, dict) else None
        if not isinstance(message, dict):
            raise EndpointError(f"{source}: the reply holds no message", status=200)
        word = loose.text(body, "done_reason")
        calls = read_calls(message)
        return answer_of(
            body,
            _STOPS,
            read_counts(body),
            word=word,
            content=loose.text(message, "content"),
            reasoning=loose.text(message, "thinking"),
            calls=calls,
        )

    def fold(self, source: str) -> OllamaFold:
        """An empty stream."""
        return OllamaFold(source)


@dataclass(slots=True)
class OllamaFold:
    """A stream of a chat as far as it has come; its last line holds the counts."""

    source: str
    """The address that it comes from."""
    ended: bool = False
    _top: dict[str, Json] = field(default_factory=dict)
    _said: list[str] = field(default_factory=list)
    _thought: list[str] = field(default_factory=list)
    _calls: list[Json] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether nothing more is to come."""
        return self.ended

    def feed(self, event: Json) -> str:
        """Add one line."""
        refuse_disguised(event, self.source)
        if not isinstance(event, dict):
            return ""
        message = loose.member(event, "message")
        said, thought = loose.text(message, "content"), loose.text(message, "thinking")
        self._said.append(said)
        self._thought.append(thought)
        self._calls += loose.items(message, "tool_calls")
        self._top = {name: value for name, value in event.items() if name != "message"}
        self.ended = event.get("done") is True
        return thought + said

    def body(self) -> dict[str, Json]:
        """The body that would have come in one piece."""
        message: dict[str, Json] = {"role": "assistant", "content": "".join(self._said)}
        if thought := "".join(self._thought):
            message["thinking"] = thought
        if self._calls:
            message["tool_calls"] = self._calls
        return {**self._top, "message": message}


def read_counts(reply: Json) -> Counts:
    """What a reply, or the last line of one, says of its tokens."""
    return Counts(
        prompt=loose.count(reply, "prompt_eval_count"),
        completion=loose.count(reply, "eval_count"),
    )


def _messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """The conversation; results name their tool, since calls have no ids of their own here."""
    names = {call.id: call.name for message in messages for call in message.calls}
    return [_message(message, names) for message in messages]


def _message(message: Message, names: dict[str, str]) -> dict[str, Any]:
    written: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.role == "tool":
        written["tool_name"] = names.get(message.call_id, "")
    if message.calls:
        written["tool_calls"] = [
            {"function": {"name": call.name, "arguments": call.value()}} for call in message.calls
        ]
    return written
