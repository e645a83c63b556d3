"""One request to an endpoint: bytes there and, within bounds, bytes back.

It follows no redirect, so a key goes nowhere but to the address that was named for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from ssl import SSLContext

import httpx

from kcb_agents.endpoint.address import is_loopback
from kcb_agents.endpoint.clock import Clock
from kcb_agents.endpoint.failure import (
    SHOWN,
    TOO_MANY_REQUESTS,
    EndpointError,
    OutOfTime,
    stated_error,
)
from kcb_core.codec import Json, ascii_line, parse_document
from kcb_core.errors import MalformedJson

MAX_REPLY_BYTES = 8 << 20
"""Largest reply in one piece that is read; no context of today's models holds as much."""

MAX_STREAM_BYTES = 64 << 20
"""Largest stream that is read; each token is wrapped in some hundred bytes there."""

CONNECT_S = 10.0
"""How long a connection may take."""

LOOK_S = 3.0
"""How long a look at what a server is may take."""

_SPENT = re.compile(r"insufficient_quota|billing|quota[ _]exceeded|credits? exhausted", re.I)


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where a model answers."""

    base_url: str
    """As ``clean_base_url`` gives it."""
    timeout_s: float
    """How long one request may take, from start to end."""
    api_key: str = field(default="", repr=False)

    def scrubbed(self, text: str) -> str:
        """A text without the key."""
        return text.replace(self.api_key, "[api key]") if self.api_key else text


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A reply that has begun, and says success."""

    url: str
    endpoint: Endpoint
    response: httpx.Response
    deadline: float
    clock: Clock

    @property
    def in_one_piece(self) -> bool:
        """Whether it is one JSON value, or no answer at all, whatever was asked for."""
        kind = self.response.headers.get("content-type", "").partition(";")[0].strip()
        return kind in ("application/json", "text/html")

    def chunks(self, limit: int = MAX_STREAM_BYTES) -> Iterator[bytes]:
        """The bytes as they come.

        Raises:
            OutOfTime: they are not whole in time.
            EndpointError: they are too many.
        """
        size = 0
        for chunk in self.response.iter_raw():
            size += len(chunk)
            if size > limit:
                raise EndpointError(
                    f"{self.url}: the reply is larger than {limit >> 20} MiB; "
                    "--max-tokens bounds it",
                    status=self.response.status_code,
                    outage=False,
                )
            # A server that sends blanks to keep the connection alive would never time out.
            if self.clock.monotonic() > self.deadline:
                raise _too_slow(self.url, self.endpoint)
            yield chunk

    def whole(self) -> bytes:
        """All of it; errors as for ``chunks``."""
        return b"".join(self.chunks(MAX_REPLY_BYTES))


@contextmanager
def asked(
    endpoint: Endpoint, url: str, headers: Mapping[str, str], body: Json, clock: Clock
) -> Iterator[Reply]:
    """The reply to one request, open while it is read.

    Args:
        endpoint: where to ask.
        url: the address there.
        headers: those that carry the key, as the form of the endpoint wants it.
        body: the request, a JSON object.
        clock: by which the time limit is held while the reply is read.

    Raises:
        EndpointError: there was no reply, or one with another status than success; also while the
            reply is read.
    """
    deadline = clock.monotonic() + endpoint.timeout_s
    with _plainly(endpoint, url), _client(endpoint, headers) as client:
        request = client.build_request("POST", url, content=ascii_line(body).encode())
        response = client.send(request, stream=True)
        try:
            reply = Reply(
                url=url, endpoint=endpoint, response=response, deadline=deadline, clock=clock
            )
            if response.headers.get("content-encoding", "identity") != "identity":
                raise EndpointError(
                    f"{url}: the reply is compressed, which was not asked for",
                    status=response.status_code,
                )
            if not response.is_success:
                raise _refusal(reply, reply.whole())
            yield reply
        finally:
            response.close()


def look(endpoint: Endpoint, url: str, body: Json = None) -> Json:
    """What a server says of itself; None if it says nothing that is JSON.

    Args:
        endpoint: whose key is sent.
        url: the address, on the same server.
        body: what is sent with POST; None asks with GET.

    Raises:
        EndpointError: the server cannot be reached.
    """
    bearer = {"Authorization": f"Bearer {endpoint.api_key}"} if endpoint.api_key else {}
    brief = Endpoint(base_url=endpoint.base_url, timeout_s=LOOK_S)
    content = None if body is None else ascii_line(body).encode()
    try:
        with _client(brief, bearer) as client:
            request = client.build_request("GET" if body is None else "POST", url, content=content)
            response = client.send(request, stream=True)
            try:
                data = bytearray()
                for chunk in response.iter_raw():
                    data += chunk
                    if len(data) > MAX_REPLY_BYTES:
                        return None
                return parse_document(bytes(data), source="") if response.is_success else None
            finally:
                response.close()
    except MalformedJson:
        return None
    except httpx.HTTPError as error:
        raise EndpointError(f"{url}: {type(error).__name__}") from None


def _client(endpoint: Endpoint, more: Mapping[str, str]) -> httpx.Client:
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream, application/x-ndjson",
        # Compressed, a small reply could unfold into any size.
        "Accept-Encoding": "identity",
        "User-Agent": "klein-bench",
        **more,
    }
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
def _plainly(endpoint: Endpoint, url: str) -> Iterator[None]:
    """Turns whatever a transport fails with into one line."""
    try:
        yield
    except httpx.ConnectTimeout:
        reason = f"{url}: no connection within {CONNECT_S:g} s"
        raise EndpointError(reason, billable=False) from None
    except httpx.TimeoutException:
        raise _too_slow(url, endpoint) from None
    except httpx.ConnectError as error:
        reason = f"{url}: {error or 'no connection'}; is the server running?"
        raise EndpointError(reason, billable=False) from None
    except httpx.HTTPError as error:
        reason = f"{url}: {error or type(error).__name__}"
        raise EndpointError(endpoint.scrubbed(reason), outage=False) from None


def _too_slow(url: str, endpoint: Endpoint) -> OutOfTime:
    return OutOfTime(
        f"{url}: no whole reply within {endpoint.timeout_s:g} s; "
        "raise --timeout, or set --max-tokens",
        outage=False,
    )


def _refusal(reply: Reply, data: bytes) -> EndpointError:
    """What a reply with an error status means."""
    endpoint, response = reply.endpoint, reply.response
    status = response.status_code
    try:
        said = stated_error(parse_document(data, source=""))
    except MalformedJson:
        said = data[:SHOWN].decode("utf-8", "replace")
    if response.is_redirect:
        said = f"it redirects to {response.headers.get('location', 'nowhere')}; give that address"
    elif status == 404 and not endpoint.base_url.endswith("/v1"):
        said += " (does the base URL lack /v1?)"
    said = " ".join(endpoint.scrubbed(said).split())[:SHOWN]
    return EndpointError(
        f"{reply.url}: HTTP {status}{': ' if said else ''}{said}",
        status=status,
        retry_after=response.headers.get("retry-after", ""),
        spent=status == TOO_MANY_REQUESTS and bool(_SPENT.search(data.decode("utf-8", "replace"))),
    )
