"""One scripted answer, and its spelling in each form of endpoint, whole and as a stream."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from kcb_agents.endpoint.conversation import ToolCall

Manner = Literal["whole", "lingers", "silent", "mute", "breaks", "unfinished"]

PIECE = 24
"""Characters of one piece of a stream."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """An answer of a model."""

    content: str | None = None
    reasoning: str = ""
    calls: tuple[ToolCall, ...] = ()
    finish: str | None = "stop"
    """``stop``, ``length`` or ``tool_calls``, spelt as the form spells it; anything else as it is;
    None for none."""
    model: str | None = "tiny-4b-q4"
    usage: Mapping[str, int] | None = None
    """Counts ``prompt``, ``completion``, ``read``, ``written`` and ``reasoning``, nested as most
    endpoints do it; empty for none stated, None for what the text comes to."""
    pause_s: float = 0.0
    """Pause before each piece of a stream, and before a whole answer."""
    manner: Manner = "whole"
    """How it ends: ``lingers`` with the connection left open behind its end, ``silent`` after its
    last piece and without an end, ``mute`` without even a status, ``breaks`` by a closed
    connection, ``unfinished`` by a stream that does not say that it ends."""

    @property
    def ends(self) -> bool:
        """Whether it says that it ends."""
        return self.manner in ("whole", "lingers")


def whole(form: str, said: Said, counts: Mapping[str, int]) -> dict[str, Any]:
    """An answer in one piece.

    Args:
        form: the name of the form.
        said: what is said.
        counts: as in ``Said.usage``; empty to state none.
    """
    return _WHOLE[form](said, counts)


def stream(form: str, said: Said, counts: Mapping[str, int]) -> Iterator[bytes]:
    """The same as a stream, the bytes of one event after the other."""
    for event in _EVENTS[form](said, counts):
        yield _line(event) if form == "ollama" else _event(form, event)
    if form == "openai" and said.manner == "whole":
        yield b"data: [DONE]\n\n"


def _line(event: Mapping[str, Any]) -> bytes:
    return json.dumps(event).encode() + b"\n"


def _event(form: str, event: Mapping[str, Any]) -> bytes:
    name = b"" if form == "openai" else f"event: {event['type']}\n".encode()
    return name + b"data: " + json.dumps(event).encode() + b"\n\n"


def _pieces(text: str | None) -> Iterator[str]:
    for start in range(0, len(text or ""), PIECE):
        yield (text or "")[start : start + PIECE]


def _stated(**members: Any) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}


def _usage_chat(counts: Mapping[str, int]) -> dict[str, Any]:
    if not counts:
        return {}
    prompt, completion = counts.get("prompt"), counts.get("completion")
    of_prompt = _stated(cached_tokens=counts.get("read"), cache_write_tokens=counts.get("written"))
    usage = _stated(prompt_tokens=prompt, completion_tokens=completion)
    usage |= {"total_tokens": (prompt or 0) + (completion or 0)}
    usage |= {"prompt_tokens_details": of_prompt} if of_prompt else {}
    if "reasoning" in counts:
        usage["completion_tokens_details"] = {"reasoning_tokens": counts["reasoning"]}
    return {"usage": usage}


def _call_chat(index: int, call: ToolCall) -> dict[str, Any]:
    function = {"name": call.name, "arguments": call.arguments}
    return {"index": index, "id": call.id, "type": "function", "function": function}


def _whole_chat(said: Said, counts: Mapping[str, int]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": said.content}
    message |= {"reasoning_content": said.reasoning} if said.reasoning else {}
    if said.calls:
        message["tool_calls"] = [_call_chat(i, call) for i, call in enumerate(said.calls)]
    choice = {"index": 0, "message": message, "finish_reason": said.finish}
    top = {"id": "chatcmpl-1", "object": "chat.completion", **_stated(model=said.model)}
    return {**top, "choices": [choice], **_usage_chat(counts)}


def _events_chat(said: Said, counts: Mapping[str, int]) -> Iterator[dict[str, Any]]:
    top = {"id": "chatcmpl-1", "object": "chat.completion.chunk", **_stated(model=said.model)}

    def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        return {**top, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    yield chunk({"role": "assistant", "content": None})
    for piece in _pieces(said.reasoning):
        yield chunk({"reasoning_content": piece})
    for piece in _pieces(said.content):
        yield chunk({"content": piece})
    for index, call in enumerate(said.calls):
        first = _call_chat(index, call)
        first["function"] = {"name": call.name, "arguments": ""}
        yield chunk({"tool_calls": [first]})
        for piece in _pieces(call.arguments):
            yield chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    if said.ends:
        yield chunk({}, said.finish)
        if counts:
            yield {**top, "choices": [], **_usage_chat(counts)}


def _usage_responses(counts: Mapping[str, int]) -> dict[str, Any]:
    if not counts:
        return {}
    prompt, completion = counts.get("prompt"), counts.get("completion")
    usage: dict[str, Any] = _stated(input_tokens=prompt, output_tokens=completion)
    usage |= {"total_tokens": (prompt or 0) + (completion or 0)}
    if "read" in counts:
        usage["input_tokens_details"] = {"cached_tokens": counts["read"]}
    if "reasoning" in counts:
        usage["output_tokens_details"] = {"reasoning_tokens": counts["reasoning"]}
    return {"usage": usage}


def _output_responses(said: Said) -> list[dict[str, Any]]:
    """The items of a response, in the order in which they are said."""
    output: list[dict[str, Any]] = []
    if said.reasoning:
        thought = {"type": "reasoning_text", "text": said.reasoning}
        output.append({"type": "reasoning", "id": "rs_1", "summary": [], "content": [thought]})
    if said.content is not None:
        part = {"type": "output_text", "text": said.content, "annotations": []}
        said_by = {"type": "message", "id": "msg_1", "role": "assistant"}
        output.append({**said_by, "content": [part]})
    for index, call in enumerate(said.calls):
        item = {"type": "function_call", "id": f"fc_{index}", "call_id": call.id}
        output.append({**item, "name": call.name, "arguments": call.arguments})
    return output


def _whole_responses(said: Said, counts: Mapping[str, int]) -> dict[str, Any]:
    cut = said.finish == "length"
    status: dict[str, Any] = {"status": "incomplete" if cut else "completed"}
    status |= {"incomplete_details": {"reason": "max_output_tokens"}} if cut else {}
    top = {"id": "resp_1", "object": "response", **_stated(model=said.model)}
    return {**top, **status, "output": _output_responses(said), **_usage_responses(counts)}


_DELTAS_RESPONSES = {
    "reasoning": ("response.reasoning_text.delta", "content"),
    "message": ("response.output_text.delta", "content"),
    "function_call": ("response.function_call_arguments.delta", "arguments"),
}
"""Event and member by which an item of each type comes bit by bit."""


def _events_responses(said: Said, counts: Mapping[str, int]) -> Iterator[dict[str, Any]]:
    body = _whole_responses(said, counts)
    begun = {**body, "status": "in_progress", "output": []}
    yield {"type": "response.created", "response": {k: v for k, v in begun.items() if k != "usage"}}
    for index, item in enumerate(body["output"]):
        event, member = _DELTAS_RESPONSES[item["type"]]
        held = item[member]
        text = held if isinstance(held, str) else held[0]["text"]
        at = {"output_index": index}
        opening = {**item, member: "" if isinstance(held, str) else []}
        yield {"type": "response.output_item.added", **at, "item": opening}
        for piece in _pieces(text):
            yield {"type": event, **at, "item_id": item["id"], "content_index": 0, "delta": piece}
        if said.ends:
            yield {"type": "response.output_item.done", **at, "item": item}
    if said.ends:
        yield {"type": f"response.{body['status']}", "response": body}


_ANTHROPIC_WORDS = {"stop": "end_turn", "length": "max_tokens", "tool_calls": "tool_use"}


def _usage_anthropic(counts: Mapping[str, int]) -> dict[str, Any]:
    if not counts:
        return {}
    cached = counts.get("read", 0) + counts.get("written", 0)
    prompt = counts.get("prompt")
    return {
        "usage": _stated(
            input_tokens=None if prompt is None else prompt - cached,
            output_tokens=counts.get("completion"),
            cache_read_input_tokens=counts.get("read"),
            cache_creation_input_tokens=counts.get("written"),
        )
    }


def _whole_anthropic(said: Said, counts: Mapping[str, int]) -> dict[str, Any]:
    content: list[dict[str, Any]] = []
    if said.reasoning:
        content.append({"type": "thinking", "thinking": said.reasoning})
    if said.content is not None:
        content.append({"type": "text", "text": said.content})
    content += [
        {"type": "tool_use", "id": c.id, "name": c.name, "input": c.value()} for c in said.calls
    ]
    word = _ANTHROPIC_WORDS.get(said.finish or "", said.finish)
    top = {"id": "msg_1", "type": "message", "role": "assistant", **_stated(model=said.model)}
    return {**top, "content": content, "stop_reason": word, **_usage_anthropic(counts)}


def _events_anthropic(said: Said, counts: Mapping[str, int]) -> Iterator[dict[str, Any]]:
    body = _whole_anthropic(said, counts)
    usage = body.get("usage", {})
    begun = {name: v for name, v in usage.items() if name != "output_tokens"}
    message = {**body, "content": [], "stop_reason": None, **({"usage": begun} if begun else {})}
    yield {"type": "message_start", "message": message}
    yield {"type": "ping"}
    names = {
        "thinking": ("thinking_delta", "thinking"),
        "text": ("text_delta", "text"),
        "tool_use": ("input_json_delta", "partial_json"),
    }
    for index, block in enumerate(body["content"]):
        kind = block["type"]
        text = json.dumps(block["input"]) if kind == "tool_use" else block[kind]
        opening = {**block, "input": {}} if kind == "tool_use" else {**block, kind: ""}
        yield {"type": "content_block_start", "index": index, "content_block": opening}
        for piece in _pieces(text):
            named, member = names[kind]
            delta = {"type": named, member: piece}
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    if said.ends:
        ended = {k: v for k, v in usage.items() if k == "output_tokens"}
        delta = {"stop_reason": body["stop_reason"]}
        yield {"type": "message_delta", "delta": delta, **({"usage": ended} if ended else {})}
        yield {"type": "message_stop"}


def _last_ollama(said: Said, counts: Mapping[str, int]) -> dict[str, Any]:
    return {
        "done": True,
        **_stated(
            done_reason="stop" if said.finish == "tool_calls" else said.finish,
            prompt_eval_count=counts.get("prompt"),
            eval_count=counts.get("completion"),
        ),
    }


def _calls_ollama(said: Said) -> dict[str, Any]:
    if not said.calls:
        return {}
    calls = [{"function": {"name": c.name, "arguments": c.value()}} for c in said.calls]
    return {"tool_calls": calls}


def _whole_ollama(said: Said, counts: Mapping[str, int]) -> dict[str, Any]:
    message = {"role": "assistant", "content": said.content or "", **_calls_ollama(said)}
    message |= {"thinking": said.reasoning} if said.reasoning else {}
    return {**_stated(model=said.model), "message": message, **_last_ollama(said, counts)}


def _events_ollama(said: Said, counts: Mapping[str, int]) -> Iterator[dict[str, Any]]:
    top = _stated(model=said.model)
    for name, text in (("thinking", said.reasoning), ("content", said.content)):
        for piece in _pieces(text):
            message = {"role": "assistant", "content": "", name: piece}
            yield {**top, "message": message, "done": False}
    if said.calls:
        message = {"role": "assistant", "content": "", **_calls_ollama(said)}
        yield {**top, "message": message, "done": False}
    if said.ends:
        message = {"role": "assistant", "content": ""}
        yield {**top, "message": message, **_last_ollama(said, counts)}


_WHOLE = {
    "openai": _whole_chat,
    "responses": _whole_responses,
    "anthropic": _whole_anthropic,
    "ollama": _whole_ollama,
}

_EVENTS = {
    "openai": _events_chat,
    "responses": _events_responses,
    "anthropic": _events_anthropic,
    "ollama": _events_ollama,
}
