"""One request to an OpenAI-style endpoint: bytes there and, within bounds, bytes back.

It follows no redirect, so a key goes nowhere but to the address that was named for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from ssl import SSLContext

import httpx

from kcb_agents.endpoint.address import CHAT_PATH, is_loopback
from kcb_agents.endpoint.clock import Clock
from kcb_agents.endpoint.failure import TOO_MANY_REQUESTS, EndpointError
from kcb_core.codec import Json, ascii_line, parse_document
from kcb_core.errors import MalformedJson

MAX_REPLY_BYTES = 8 << 20
"""Largest reply that is read; no context of today's models holds as much."""

CONNECT_S = 10.0
"""How long a connection may take."""

MIN_SCRUBBED = 16
"""Shortest key that is taken out of a reply; shorter ones are dummies such as ``ollama``."""

_SPENT = re.compile(r"insufficient_quota|billing|quota[ _]exceeded|credits? exhausted", re.I)
_SHOWN = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where a model answers."""

    base_url: str
    """As ``clean_base_url`` gives it."""
    timeout_s: float
    """How long one request may take, from start to end."""
    api_key: str = field(default="", repr=False)

    @property
    def url(self) -> str:
        """Where chat completions are asked for."""
        return self.base_url + CHAT_PATH


def post(endpoint: Endpoint, body: Json, clock: Clock) -> bytes:
    """The body of the reply to one request.

    Args:
        endpoint: where to ask.
        body: the request, a JSON object.
        clock: by which the time limit is held while the reply is read.

    Raises:
        EndpointError: there was no reply, or one with another status than success.
    """
    deadline = clock.monotonic() + endpoint.timeout_s
    with _plainly(endpoint), _client(endpoint) as client:
        request = client.build_request("POST", endpoint.url, content=ascii_line(body).encode())
        response = client.send(request, stream=True)
        try:
            data = _read(endpoint, response, deadline, clock)
        finally:
            response.close()
    if not response.is_success:
        raise _refusal(endpoint, response, data)
    if len(endpoint.api_key) >= MIN_SCRUBBED:
        data = data.replace(endpoint.api_key.encode(), b"[api key]")
    return data


def stated_error(value: Json) -> str:
    """What a JSON error body says, whichever of the usual shapes it has."""
    if isinstance(value, dict):
        for name in ("error", "message", "detail"):
            if value.get(name):
                return stated_error(value[name])
    return value if isinstance(value, str) else "" if value is None else ascii_line(value)


def _client(endpoint: Endpoint) -> httpx.Client:
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json",
        # Compressed, a small reply could unfold into any size.
        "Accept-Encoding": "identity",
        "User-Agent": "klein-bench",
    }
    if endpoint.api_key:
        headers["Authorization"] = f"Bearer {endpoint.api_key}"
    timeout = httpx.Timeout(endpoint.timeout_s, connect=min(CONNECT_S, endpoint.timeout_s))
    # A proxy that the environment names cannot reach this machine's own servers.
    return httpx.Client(
        headers=headers,
        timeout=timeout,
        verify=_certificates(),
        trust_env=not is_loopback(endpoint.base_url),
    )


@cache
def _certificates() -> SSLContext:
    """What servers are known by; reading it takes longer than a request on loopback."""
    return httpx.create_ssl_context()


@contextmanager
def _plainly(endpoint: Endpoint) -> Iterator[None]:
    """Turns whatever a transport fails with into one line."""
    try:
        yield
    except httpx.ConnectTimeout:
        raise EndpointError(f"{endpoint.url}: no connection within {CONNECT_S:g} s") from None
    except httpx.TimeoutException:
        raise _too_slow(endpoint) from None
    except httpx.ConnectError as error:
        reason = f"{endpoint.url}: {error or 'no connection'}; is the server running?"
        raise EndpointError(reason) from None
    except httpx.HTTPError as error:
        reason = f"{endpoint.url}: {error or type(error).__name__}"
        raise EndpointError(_scrubbed(endpoint, reason), outage=False) from None


def _read(endpoint: Endpoint, response: httpx.Response, deadline: float, clock: Clock) -> bytes:
    if response.headers.get("content-encoding", "identity") != "identity":
        raise EndpointError(
            f"{endpoint.url}: the reply is compressed, which was not asked for",
            status=response.status_code,
        )
    data = bytearray()
    for chunk in response.iter_raw():
        data += chunk
        if len(data) > MAX_REPLY_BYTES:
            raise EndpointError(
                f"{endpoint.url}: the reply is larger than {MAX_REPLY_BYTES >> 20} MiB; "
                "--max-tokens bounds it",
                status=response.status_code,
                outage=False,
            )
        # A server that sends blanks to keep the connection alive would never time out otherwise.
        if clock.monotonic() > deadline:
            raise _too_slow(endpoint)
    return bytes(data)


def _too_slow(endpoint: Endpoint) -> EndpointError:
    return EndpointError(
        f"{endpoint.url}: no whole reply within {endpoint.timeout_s:g} s; "
        "raise --timeout, or set --max-tokens",
        outage=False,
    )


def _refusal(endpoint: Endpoint, response: httpx.Response, data: bytes) -> EndpointError:
    """What a reply with an error status means."""
    status = response.status_code
    try:
        said = stated_error(parse_document(data, source=""))
    except MalformedJson:
        said = data[:_SHOWN].decode("utf-8", "replace")
    if response.is_redirect:
        said = f"it redirects to {response.headers.get('location', 'nowhere')}; give that address"
    elif status == 404 and not endpoint.base_url.endswith("/v1"):
        said += " (does the base URL lack /v1?)"
    said = " ".join(_scrubbed(endpoint, said).split())[:_SHOWN]
    return EndpointError(
        f"{endpoint.url}: HTTP {status}{': ' if said else ''}{said}",
        status=status,
        retry_after=response.headers.get("retry-after", ""),
        spent=status == TOO_MANY_REQUESTS and bool(_SPENT.search(data.decode("utf-8", "replace"))),
    )


def _scrubbed(endpoint: Endpoint, text: str) -> str:
    return text.replace(endpoint.api_key, "[api key]") if endpoint.api_key else text
