"""OpenAI chat completions, as OpenAI, hosted routers and nearly all local servers speak them.

Local servers leave out usage, ids and finish reasons, give null for content, and put reasoning
under names of their own; none of that is an error. A reply without a message is one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kcb_agents.endpoint import loose
from kcb_agents.endpoint.conversation import Answer, Message, Stop, Tool, ToolCall
from kcb_agents.endpoint.counts import Counts
from kcb_agents.endpoint.failure import EndpointError, refuse_disguised
from kcb_agents.endpoint.form import NOTHING, SAMPLING, Ask, answer_of
from kcb_agents.endpoint.framing import event_stream
from kcb_core.codec import Json, ascii_line, digest

_REASONING = ("reasoning_content", "reasoning", "thinking")

_STOPS = {
    "stop": Stop.END,
    "eos": Stop.END,
    "end_turn": Stop.END,
    "length": Stop.LENGTH,
    "max_tokens": Stop.LENGTH,
    "max_output_tokens": Stop.LENGTH,
    "model_length": Stop.LENGTH,
    "tool_calls": Stop.TOOLS,
    "function_call": Stop.TOOLS,
    "content_filter": Stop.REFUSED,
}


class ChatForm:
    """Chat completions."""

    name = "openai"
    framing = staticmethod(event_stream)
    settings = SAMPLING | {"think"}
    defaults = NOTHING

    def url(self, base_url: str) -> str:
        """Where its questions go."""
        return f"{base_url}/chat/completions"

    def headers(self, api_key: str) -> dict[str, str]:
        """The header that carries a key."""
        return {"Authorization": f"Bearer {api_key}"} if api_key else {}

    def body(self, ask: Ask) -> dict[str, Any]:
        """The body of a request; usage in a stream must be asked for."""
        body: dict[str, Any] = {
            "model": ask.model,
            "messages": [_message(message) for message in ask.messages],
            "stream": ask.stream,
            **({"stream_options": {"include_usage": True}} if ask.stream else {}),
            **({"tools": [tool_of(tool) for tool in ask.tools]} if ask.tools else {}),
            **ask.sampling,
        }
        if ask.think is not None:  # as llama.cpp and vLLM hand it to the chat template
            body["chat_template_kwargs"] = {"enable_thinking": ask.think}
        return body

    def read(self, body: Json, source: str) -> Answer:
        """The answer in the body of a successful reply."""
        choice = _first_choice(body, source)
        message = choice.get("message")
        if not isinstance(message, dict):
            raise EndpointError(f"{source}: the reply's choice holds no message", status=200)
        content = _text(message.get("content"))
        if content is None:
            raise EndpointError(f"{source}: the content of the reply is no text", status=200)
        word = loose.text(choice, "finish_reason")
        calls = read_calls(message)
        return answer_of(
            body,
            _STOPS,
            read_counts(body.get("usage")),
            word=word,
            content=content or loose.text(message, "refusal"),
            reasoning=loose.text(message, *_REASONING),
            calls=calls,
            truncated=body.get("truncated") is True,
        )

    def fold(self, source: str) -> ChatFold:
        """An empty stream."""
        return ChatFold(source)


@dataclass(slots=True)
class ChatFold:
    """A stream of chat completions as far as it has come."""

    source: str
    """The address that it comes from."""
    ended: bool = False
    _top: dict[str, Json] = field(default_factory=dict)
    _said: list[str] = field(default_factory=list)
    _thought: list[str] = field(default_factory=list)
    _refusal: list[str] = field(default_factory=list)
    _calls: dict[int, dict[str, Any]] = field(default_factory=dict)
    _word: str | None = None

    @property
    def complete(self) -> bool:
        """Whether nothing more is to come: usage stands behind the end, if it comes at all."""
        return self.ended and "usage" in self._top

    def feed(self, event: Json) -> str:
        """Add one chunk; usage comes in a last one without choices, or in each."""
        refuse_disguised(event, self.source)
        if not isinstance(event, dict):
            self.ended = self.ended or event is None
            return ""
        self._top |= {n: event[n] for n in ("id", "model", "usage", "truncated") if event.get(n)}
        choice = next(iter(loose.items(event, "choices")), {})
        refuse_disguised(choice, self.source)
        delta = loose.member(choice, "delta") or loose.member(choice, "message")
        said = _text(delta.get("content")) or ""
        thought = loose.text(delta, *_REASONING)
        self._said.append(said)
        self._thought.append(thought)
        self._refusal.append(loose.text(delta, "refusal"))
        for call in loose.items(delta, "tool_calls"):
            self._call(call)
        if word := loose.text(choice, "finish_reason"):
            self._word, self.ended = word, True
        return thought + said

    def body(self) -> dict[str, Json]:
        """The body that would have come in one piece."""
        message: dict[str, Json] = {"role": "assistant", "content": "".join(self._said)}
        for name, parts in (("reasoning", self._thought), ("refusal", self._refusal)):
            if whole := "".join(parts):
                message[name] = whole
        if self._calls:
            message["tool_calls"] = [self._calls[index] for index in sorted(self._calls)]
        choice = {"index": 0, "message": message, "finish_reason": self._word}
        return {**self._top, "choices": [choice]}

    def _call(self, delta: dict[str, Json]) -> None:
        """A piece of a call: its name comes once, its arguments bit by bit.

        A piece without an index goes on with the latest call, unless it has an id of its own.
        """
        latest = max(self._calls, default=0)
        index = loose.count(delta, "index")
        if index is None:
            named = loose.text(delta, "id")
            fresh = bool(named and self._calls and self._calls[latest]["id"] != named)
            index = latest + 1 if fresh else latest
        empty = {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}
        call = self._calls.setdefault(index, empty)
        function = loose.member(delta, "function")
        call["id"] = loose.text(delta, "id") or call["id"]
        call["function"]["name"] = loose.text(function, "name") or call["function"]["name"]
        call["function"]["arguments"] += arguments_of(function, "")


def read_calls(message: dict[str, Json]) -> tuple[ToolCall, ...]:
    """The calls in a message, with ids that are made up where there are none."""
    mark = digest(ascii_line(message).encode())[:8]
    return tuple(
        ToolCall(
            id=loose.text(call, "id") or f"call_{mark}_{index}",
            name=loose.text(loose.member(call, "function"), "name"),
            arguments=arguments_of(loose.member(call, "function"), "{}"),
        )
        for index, call in enumerate(loose.items(message, "tool_calls"))
    )


def arguments_of(function: dict[str, Json], default: str) -> str:
    """Arguments as JSON text: most endpoints send that, and some the value itself."""
    value = function.get("arguments")
    if isinstance(value, dict):
        return ascii_line(value)
    return loose.text(function, "arguments") or default


def read_counts(stated: Json) -> Counts:
    """The member ``usage`` of a reply, whatever it is."""
    read = loose.count(stated, "prompt_tokens_details", "cached_tokens")
    return Counts(
        prompt=loose.count(stated, "prompt_tokens"),
        completion=loose.count(stated, "completion_tokens"),
        total=loose.count(stated, "total_tokens"),
        # DeepSeek's own name for it.
        read=loose.count(stated, "prompt_cache_hit_tokens") if read is None else read,
        written=loose.count(stated, "prompt_tokens_details", "cache_write_tokens"),
        reasoning=loose.count(stated, "completion_tokens_details", "reasoning_tokens"),
    )


def _message(message: Message) -> dict[str, Any]:
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.call_id, "content": message.text}
    written: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.calls:
        written["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in message.calls
        ]
    return written


def tool_of(tool: Tool) -> dict[str, Any]:
    """A tool as it is offered."""
    function = {"name": tool.name, "description": tool.description, "parameters": tool.schema}
    return {"type": "function", "function": function}


def _first_choice(reply: Json, source: str) -> dict[str, Json]:
    if not isinstance(reply, dict):
        raise EndpointError(f"{source}: the reply is no JSON object", status=200)
    refuse_disguised(reply, source)
    choice = next(iter(loose.items(reply, "choices")), None)
    if choice is None:
        raise EndpointError(f"{source}: the reply has no choices", status=200)
    refuse_disguised(choice, source)
    return choice


def _text(content: Json) -> str | None:
    """A message's content as text: a string, nothing, or a list of parts; None if it is no text."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return None
    parts = [part if isinstance(part, str) else loose.text(part, "text") for part in content]
    return "".join(parts)
