"""What is said to a model and what it answers, in no endpoint's own form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, Protocol

from kcb_core.codec import Json, parse
from kcb_core.errors import MalformedJson
from kcb_core.run_record import Usage

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One use of a tool that a model asks for."""

    id: str
    """By which the result names it; made up where the endpoint gives none."""
    name: str
    arguments: str = "{}"
    """JSON text, as the model wrote it: it may be no JSON at all."""

    def value(self) -> dict[str, Json]:
        """The arguments as an object; what is none is handed on as text, for the model to see."""
        try:
            value = parse(self.arguments.encode("utf-8", "surrogatepass"))
        except MalformedJson:
            value = None
        return value if isinstance(value, dict) else {"malformed": self.arguments}


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a conversation."""

    role: Role
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    """What an assistant asked for."""
    call_id: str = ""
    """Which call a tool's message answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """Something that a model may ask for."""

    name: str
    description: str
    schema: Mapping[str, Any] = field(default_factory=dict)
    """JSON Schema of its arguments, an object."""


class Stop(StrEnum):
    """Why an answer ended, whatever word the endpoint has for it."""

    END = "end"
    """The model was done."""
    LENGTH = "length"
    """An output limit, or a full context, cut it."""
    TOOLS = "tools"
    """It wants tools to be used."""
    REFUSED = "refused"
    """The endpoint held the answer back."""
    REPETITION = "repetition"
    """It said the same over and over, and was not heard to its end."""
    TIME = "time"
    """It was still at it when the time was up."""
    OTHER = "other"
    """The endpoint gave no reason, or one that nobody knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer of a model."""

    content: str
    """What it said."""
    reasoning: str = ""
    """What it thought, where the endpoint gives that apart."""
    calls: tuple[ToolCall, ...] = ()
    """Which tools it wants to be used."""
    finish_reason: str = ""
    """Why it ended, in the endpoint's own word; empty if it gave none."""
    stop: Stop = Stop.OTHER
    """The same in ours."""
    model: str = ""
    """The model that answered, as the endpoint names it."""
    usage: Usage | None = None
    """Tokens, if the endpoint stated any."""
    prompt_tokens: int | None = None
    """Tokens of the whole prompt as the endpoint counts them, cached or not."""
    truncated: bool = False
    """Whether the endpoint says that it left out a part of the prompt."""
    raw: str = ""
    """The whole reply as JSON: as it came, or put together from its stream."""


class Model(Protocol):
    """Whatever answers."""

    def forbids(self, messages: Sequence[Message], tools: Sequence[Tool] = ()) -> str:
        """Why a question might use more tokens than the caller allows; empty if it cannot."""
        ...

    def ask(self, messages: Sequence[Message], tools: Sequence[Tool] = ()) -> Answer:
        """The answer to a conversation.

        Retries happen inside; a signal handler that raises ends any wait at once.

        Raises:
            EndpointError: there was none; nothing is said of the model.
        """
        ...
