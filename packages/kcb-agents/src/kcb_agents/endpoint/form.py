"""What a form of endpoint is: how a question is written, and how an answer is read.

A stream is put together into the body that would have come in one piece, and then read as that:
there is one reader of answers for each form, and what a stream leaves out is missing in both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Protocol

from kcb_agents.endpoint import loose
from kcb_agents.endpoint.conversation import Answer, Message, Stop, Tool, ToolCall
from kcb_agents.endpoint.counts import Counts
from kcb_agents.endpoint.framing import Framing
from kcb_core.codec import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One question to a model, in no endpoint's own form."""

    model: str
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()
    stream: bool = True
    sampling: Mapping[str, float | int]
    """Only what was given: ``temperature``, ``top_p``, ``top_k``, ``min_p``, ``max_tokens`` and
    ``seed``."""
    context_tokens: int | None = None
    """The context to ask for, where the form can."""
    think: bool | None = None
    """Whether to think first, where the form can say it; None leaves it to the model."""


class Fold(Protocol):
    """A stream as far as it has come."""

    @property
    def ended(self) -> bool:
        """Whether the endpoint has said that the answer is whole."""
        ...

    @property
    def complete(self) -> bool:
        """Whether nothing more is to come that matters, so that nobody need wait for the end."""
        ...

    def feed(self, event: Json) -> str:
        """Add one event, and give the text that it added, said or thought."""
        ...

    def body(self) -> dict[str, Json]:
        """The body that would have come in one piece."""
        ...


class Form(Protocol):
    """One form of endpoint."""

    @property
    def name(self) -> str:
        """Its name for ``--api``."""
        ...

    @property
    def framing(self) -> Framing:
        """How its streams are cut."""
        ...

    @property
    def settings(self) -> frozenset[str]:
        """The settings that it can send; another one is refused, and never left out in silence."""
        ...

    @property
    def defaults(self) -> Mapping[str, int]:
        """Sampling settings that it sends where none are given, since it cannot do without."""
        ...

    def url(self, base_url: str) -> str:
        """Where its questions go."""
        ...

    def headers(self, api_key: str) -> dict[str, str]:
        """The headers that carry a key, and what else it wants."""
        ...

    def body(self, ask: Ask) -> dict[str, Any]:
        """The body of a request."""
        ...

    def read(self, body: Json, source: str) -> Answer:
        """The answer in the body of a successful reply.

        Args:
            body: the body as JSON.
            source: the address that it came from, to start an error message with.

        Raises:
            EndpointError: it holds no answer, or is an error in disguise.
        """
        ...

    def fold(self, source: str) -> Fold:
        """An empty stream."""
        ...


NOTHING: Mapping[str, int] = MappingProxyType({})
"""The defaults of a form that needs none."""

SAMPLING = frozenset({"temperature", "top_p", "top_k", "min_p", "max_tokens", "seed"})
"""The names of sampling settings."""


def answer_of(
    body: Mapping[str, Json],
    words: Mapping[str, Stop],
    counts: Counts,
    *,
    word: str,
    content: str,
    reasoning: str,
    calls: tuple[ToolCall, ...],
    truncated: bool = False,
) -> Answer:
    """What a form has found in the body of a reply, as an answer.

    Args:
        body: the body, which names the model that answered.
        words: what the form's finish reasons mean.
        counts: what the body says of tokens.
        word: the finish reason in it; the other arguments are members of the answer.
    """
    return Answer(
        content=content,
        reasoning=reasoning,
        calls=calls,
        finish_reason=word,
        stop=_stop(word, words, calls=bool(calls)),
        model=loose.text(body, "model"),
        usage=counts.usage(),
        prompt_tokens=counts.prompt,
        truncated=truncated,
    )


def _stop(word: str, words: Mapping[str, Stop], *, calls: bool) -> Stop:
    """What a finish reason means; calls outweigh a word that says that the model was done.

    Local servers give ``stop`` to an answer that asks for tools.
    """
    stop = words.get(word.lower(), Stop.OTHER)
    return Stop.TOOLS if calls and stop in (Stop.END, Stop.OTHER) else stop


def root_of(base_url: str) -> str:
    """A base URL without its version, for what stands beside the OpenAI-style part of a server."""
    return base_url.removesuffix("/v1")
