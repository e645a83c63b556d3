"""What a model is told, asked and answers, as the records of a transcript."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from kcb_agents.endpoint.conversation import Answer, Message, Tool
from kcb_core import transcript as kept
from kcb_core.codec import canonical, digest
from kcb_core.transcript_file import TranscriptWriter

Numbered = tuple[int, Message]
"""A message with its number in the transcript."""


def record_message(transcript: TranscriptWriter, message: Message, turn: int = 0) -> int:
    """Record a message that enters the context, and give its number."""
    return transcript.record(
        kept.Message(
            turn=turn,
            role=message.role,
            text=message.text,
            calls=_calls(message),
            call_id=message.call_id,
        )
    )


def record_request(
    transcript: TranscriptWriter,
    context: Sequence[Numbered],
    tools: Sequence[Tool] = (),
    *,
    turn: int = 1,
    purpose: str = "turn",
) -> None:
    """Record that a model is asked with these messages and tools."""
    transcript.record(
        kept.Request(
            turn=turn,
            purpose=purpose,
            messages=kept.ranges([number for number, _ in context]),
            sha256=request_digest([message for _, message in context], tools),
        )
    )


def record_reply(
    transcript: TranscriptWriter,
    answer: Answer,
    turn: int = 1,
    wall_s: float = 0.0,
    dollars: float | None = None,
) -> None:
    """Record what a model answered."""
    transcript.record(
        kept.Reply(
            turn=turn,
            content=answer.content,
            reasoning=answer.reasoning,
            calls=_calls(answer),
            finish_reason=answer.finish_reason,
            model=answer.model,
            usage=answer.usage or msgspec.UNSET,
            dollars=msgspec.UNSET if dollars is None else dollars,
            wall_s=round(wall_s, 3),
            raw=transcript.stream(answer.raw.encode("utf-8", "surrogatepass")),
        )
    )


def request_digest(messages: Sequence[Message], tools: Sequence[Tool]) -> str:
    """SHA-256 of what a model is sent, in no endpoint's own form."""
    sent = {
        "messages": [
            {
                "role": m.role,
                "text": m.text,
                "calls": [[c.id, c.name, c.arguments] for c in m.calls],
                "call_id": m.call_id,
            }
            for m in messages
        ],
        "tools": tool_schemas(tools),
    }
    return digest(canonical(sent))


def tool_schemas(tools: Sequence[Tool]) -> list[dict[str, object]]:
    """Tools as plain values, for digests and records."""
    return [{"name": t.name, "description": t.description, "schema": t.schema} for t in tools]


def _calls(holder: Message | Answer) -> tuple[kept.Call, ...]:
    return tuple(kept.Call(id=c.id, name=c.name, arguments=c.arguments) for c in holder.calls)
