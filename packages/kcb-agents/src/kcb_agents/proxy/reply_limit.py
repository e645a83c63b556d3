"""The limit that a request sets to its reply, in each form: read, and lowered where that is asked.

A reply that nothing limits could go beyond any bound on the tokens of its subject.
"""

from __future__ import annotations

from typing import Any

from kcb_agents.proxy.routes import Api

_NAMES = {
    Api.OPENAI: ("max_tokens", "max_completion_tokens"),
    Api.RESPONSES: ("max_output_tokens",),
    Api.ANTHROPIC: ("max_tokens",),
    Api.OLLAMA: ("num_predict",),
}
"""Members that hold it; where a request has none of them, the first is set."""

_OPTIONS = "options"
"""Where Ollama has it."""

SPELT_BYTES = 64
"""More than a limit adds to a request."""


def stated_limit(api: Api, body: dict[str, Any]) -> int | None:
    """Most tokens of all replies to a request, as it limits them; None if it does not."""
    limits = _limits(api, body).values()
    return max(limits) * _choices(api, body) if limits else None


def with_limit(api: Api, body: dict[str, Any], most: int) -> dict[str, Any]:
    """The same request, all replies to which have this many tokens together at most."""
    each = max(1, most // _choices(api, body))
    stated = _limits(api, body) or {_NAMES[api][0]: each}
    limits = {name: min(limit, each) for name, limit in stated.items()}
    holder = _holder(api, body)
    return {**body, _OPTIONS: {**holder, **limits}} if api is Api.OLLAMA else {**body, **limits}


def _limits(api: Api, body: dict[str, Any]) -> dict[str, int]:
    """The members that limit something; Ollama has negative numbers for no limit."""
    values = {name: _holder(api, body).get(name) for name in _NAMES[api]}
    return {name: value for name, value in values.items() if type(value) is int and value > 0}


def _holder(api: Api, body: dict[str, Any]) -> dict[str, Any]:
    if api is not Api.OLLAMA:
        return body
    options = body.get(_OPTIONS)
    return options if isinstance(options, dict) else {}


def _choices(api: Api, body: dict[str, Any]) -> int:
    """How many replies are asked for at once."""
    count = body.get("n") if api is Api.OPENAI else None
    return count if type(count) is int and count > 0 else 1
