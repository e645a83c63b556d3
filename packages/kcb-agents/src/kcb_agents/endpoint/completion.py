"""What an OpenAI-style endpoint answered: read tolerantly, and strict about what matters.

Local servers leave out usage, ids and finish reasons, give null for content, and put reasoning
under names of their own; none of that is an error. A reply without a message is one.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from kcb_agents.endpoint.client import stated_error
from kcb_agents.endpoint.failure import NO_STATUS, EndpointError
from kcb_core.codec import Json, parse_document
from kcb_core.errors import MalformedJson
from kcb_core.run_record import Usage

_REASONING = ("reasoning_content", "reasoning", "thinking")
_CUT = frozenset({"length", "max_tokens", "max_output_tokens", "model_length"})
_SHOWN = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """One answer of a model."""

    content: str
    """What it said."""
    reasoning: str = ""
    """What it thought, where the endpoint gives that apart."""
    finish_reason: str = ""
    """Why it ended, in the endpoint's own word; empty if it gave none."""
    model: str = ""
    """The model that answered, as the endpoint names it."""
    usage: Usage | None = None
    """Tokens, if the endpoint stated any."""
    called_tool: bool = False
    """Whether it asked for a tool, though none was offered."""
    raw: str
    """The whole reply as it came."""

    @property
    def cut(self) -> bool:
        """Whether an output limit ended it."""
        return self.finish_reason.lower() in _CUT


def read_completion(data: bytes, source: str) -> Completion:
    """The answer that the body of a successful reply holds.

    Args:
        data: the body.
        source: the address that it came from, to start an error message with.

    Raises:
        EndpointError: it is no JSON, holds no message, or is an error in disguise.
    """
    try:
        reply = parse_document(data, source="")
    except MalformedJson as error:
        start = data[:60].decode("utf-8", "replace")
        raise EndpointError(
            f"{source}: the reply is no JSON ({error.reason}): {start!r}", status=200
        ) from None
    choice = _first_choice(reply, source)
    message = choice.get("message")
    if not isinstance(message, dict):
        raise EndpointError(f"{source}: the reply's choice holds no message", status=200)
    content = _text(message.get("content"))
    if content is None:
        raise EndpointError(f"{source}: the content of the reply is no text", status=200)
    return Completion(
        content=content or _string(message, "refusal"),
        reasoning=next((text for name in _REASONING if (text := _string(message, name))), ""),
        finish_reason=_string(choice, "finish_reason"),
        model=_string(reply, "model"),
        usage=read_usage(reply.get("usage")),
        called_tool=bool(message.get("tool_calls")),
        raw=data.decode("utf-8"),
    )


def read_usage(stated: Json) -> Usage | None:
    """Tokens in disjoint classes, from what an OpenAI-style endpoint states.

    There cached tokens are nested in those of the prompt, and reasoning in those of the completion;
    both are subtracted. Some endpoints count reasoning beside the completion, which their total
    shows. What is not stated as a count stays unset: nothing is estimated, and 0 is a count.

    Args:
        stated: the member ``usage`` of a reply, whatever it is.
    """
    if not isinstance(stated, dict):
        return None
    prompt, completion = _count(stated, "prompt_tokens"), _count(stated, "completion_tokens")
    total = _count(stated, "total_tokens")
    of_prompt = stated.get("prompt_tokens_details")
    read = _count(of_prompt, "cached_tokens")
    written = _count(of_prompt, "cache_write_tokens")
    reasoning = _count(stated.get("completion_tokens_details"), "reasoning_tokens")
    beside = None not in (prompt, completion, reasoning, total) and (
        (prompt or 0) + (completion or 0) + (reasoning or 0) == total
    )
    counts = {
        "input_tokens": _less(prompt, (read or 0) + (written or 0)),
        "output_tokens": _less(completion, 0 if beside else reasoning or 0),
        "cache_read_tokens": read,
        "cache_write_tokens": written,
        "reasoning_tokens": reasoning,
    }
    known = {name: count for name, count in counts.items() if count is not None}
    if not known:
        return None
    nested: bool | msgspec.UnsetType = msgspec.UNSET
    if completion is not None and reasoning is None:
        nested = True
    return Usage(**known, includes_reasoning=nested)


def _first_choice(reply: Json, source: str) -> dict[str, Json]:
    if not isinstance(reply, dict):
        raise EndpointError(f"{source}: the reply is no JSON object", status=200)
    choices = reply.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    for holder in (reply, choice):
        if isinstance(holder, dict) and holder.get("error"):
            raise _disguised(holder["error"], source)
    if not isinstance(choice, dict):
        raise EndpointError(f"{source}: the reply has no choices", status=200)
    return choice


def _disguised(error: Json, source: str) -> EndpointError:
    """An error that came with status 200, as routers send it when a model fails behind them."""
    code = error.get("code") if isinstance(error, dict) else None
    status = code if type(code) is int and 400 <= code <= 599 else NO_STATUS
    said = " ".join(stated_error(error).split())[:_SHOWN]
    return EndpointError(f"{source}: error {status or ''}: {said}", status=status, outage=False)


def _text(content: Json) -> str | None:
    """A message's content as text: a string, nothing, or a list of parts; None if it is no text."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return None
    parts = [part if isinstance(part, str) else _string(part, "text") for part in content]
    return "".join(parts)


def _string(holder: Json, name: str) -> str:
    value = holder.get(name) if isinstance(holder, dict) else None
    return value if isinstance(value, str) else ""


def _count(holder: Json, name: str) -> int | None:
    value = holder.get(name) if isinstance(holder, dict) else None
    return value if type(value) is int and value >= 0 else None


def _less(count: int | None, nested: int) -> int | None:
    """A count without what is nested in it; unknown if the two do not fit."""
    return None if count is None or nested > count else count - nested
