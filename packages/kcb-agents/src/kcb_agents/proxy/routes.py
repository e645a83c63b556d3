"""Which requests go through: a list of paths, and nothing beside it.

What is not listed would be neither metered nor searched for web tools: batches, stored responses,
files and WebSockets among it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Api(StrEnum):
    """The form in which an endpoint is spoken to."""

    OPENAI = "openai"
    """Chat completions."""
    RESPONSES = "responses"
    """OpenAI's responses."""
    ANTHROPIC = "anthropic"
    """Anthropic's messages."""
    OLLAMA = "ollama"
    """Ollama's own form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One kind of request, always a POST with a JSON object."""

    api: Api
    tail: str
    """What stands behind the base URL of the endpoint."""
    metered: bool = True
    """Whether a model works for it."""


_CHAT = Route(api=Api.OPENAI, tail="/chat/completions")
_RESPONSES = Route(api=Api.RESPONSES, tail="/responses")
_MESSAGES = Route(api=Api.ANTHROPIC, tail="/v1/messages")

ROUTES = {
    "/v1/chat/completions": _CHAT,
    "/chat/completions": _CHAT,
    "/v1/responses": _RESPONSES,
    "/responses": _RESPONSES,
    "/v1/messages": _MESSAGES,
    "/v1/messages/count_tokens": Route(
        api=Api.ANTHROPIC, tail="/v1/messages/count_tokens", metered=False
    ),
    "/api/chat": Route(api=Api.OLLAMA, tail="/api/chat"),
    "/api/generate": Route(api=Api.OLLAMA, tail="/api/generate"),
    "/api/show": Route(api=Api.OLLAMA, tail="/api/show", metered=False),
}
"""Path to what it asks for. Clients differ in whether their base URL ends in ``/v1``."""

MODEL_LISTS = frozenset({"/v1/models", "/models"})
"""Answered with the declared models, without asking anybody."""

_OF_BASE = {
    Api.OPENAI: (),
    Api.RESPONSES: (),
    Api.ANTHROPIC: ("/v1",),
    Api.OLLAMA: ("/v1", "/api"),
}


def upstream_url(base_url: str, route: Route) -> str:
    """Where an endpoint takes such a request.

    OpenAI's forms follow the base URL as it is, since not every one ends in ``/v1``; the others
    have their version in the path, so that one base URL serves all forms of a server.
    """
    for ending in _OF_BASE[route.api]:
        base_url = base_url.removesuffix(ending)
    return base_url + route.tail
