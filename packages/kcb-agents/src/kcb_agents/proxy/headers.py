"""Which headers pass, either way. All others stay where they are, credentials and cookies first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kcb_agents.proxy.web_tools import is_web_name

_TO_ENDPOINT = ("accept", "user-agent", "anthropic-version", "openai-beta")
_BETAS = "anthropic-beta"
_TO_CLIENT = (
    *("content-type", "cache-control", "retry-after", "retry-after-ms", "x-should-retry"),
    *("request-id", "x-request-id", "openai-processing-ms", "openai-model"),
)
_TO_CLIENT_BEGIN = ("x-ratelimit-", "anthropic-ratelimit-")


def to_endpoint(headers: Mapping[str, str], credentials: Mapping[str, str]) -> dict[str, str]:
    """Headers of the request to the endpoint.

    Args:
        headers: what the client sent; names in any case.
        credentials: the header with the real key.
    """
    kept = {name: headers[name] for name in _TO_ENDPOINT if name in headers}
    if betas := ",".join(_without_web(headers.get(_BETAS, "").split(","))):
        kept[_BETAS] = betas
    # Compressed, neither usage could be read nor the size of what unfolds be bounded.
    fixed = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
    return {**kept, **fixed, **credentials}


def to_client(headers: Mapping[str, str]) -> dict[str, str]:
    """Headers of the answer to the client."""
    return {
        name: value
        for name, value in headers.items()
        if name.lower() in _TO_CLIENT or name.lower().startswith(_TO_CLIENT_BEGIN)
    }


def _without_web(betas: Iterable[str]) -> list[str]:
    """Beta features such as ``web-fetch-2025-09-10`` left out."""
    plain = (beta.strip() for beta in betas)
    return [
        beta for beta in plain if beta and not is_web_name(beta) and not beta.startswith("mcp-")
    ]
