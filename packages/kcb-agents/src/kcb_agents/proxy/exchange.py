"""One request on its way: to the endpoint, and back in a stream that is read in passing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import suppress
from dataclasses import dataclass, field

import aiohttp
from aiohttp import web

from kcb_agents.proxy.headers import to_client, to_endpoint
from kcb_agents.proxy.ledger import Entry
from kcb_agents.proxy.order import Order
from kcb_agents.proxy.reading import READERS, Reading
from kcb_agents.proxy.refusal import Refusal
from kcb_agents.proxy.routes import Route
from kcb_agents.proxy.tap import Tap
from kcb_agents.proxy.upstream import Bounds, Upstream
from kcb_core.codec import parse
from kcb_core.errors import MalformedJson

_SMALL = 16 << 10
"""Bytes that an empty buffer takes without holding the writer back."""

_STREAMS = {"text/event-stream": False, "application/x-ndjson": True}
"""Content types of streams, with whether each of their lines is an event."""


@dataclass(slots=True, kw_only=True, eq=False)
class Exchange:
    """One request that was let through, until its usage is settled."""

    upstream: Upstream
    bounds: Bounds
    session: aiohttp.ClientSession
    turn: asyncio.Semaphore
    """Which of all requests are sent at once."""
    route: Route
    order: Order
    entry: Entry | None
    """None for a request for which no model works."""
    request: web.BaseRequest
    task: asyncio.Task[web.StreamResponse] | None = None
    reading: Reading = field(default_factory=Reading)
    _status: int = 0
    """HTTP status of the endpoint's answer; 0 as long as there is none."""
    _read_bytes: int = 0
    _sent: bool = False
    _begun: bool = False
    """Whether the client has got a part of a stream."""
    _left: bool = False

    def leave(self) -> None:
        """The client is gone: read on for the usage, but not for long."""
        if self._left or self.task is None:
            return
        self._left = True
        wait_s = self.bounds.drain_s if self._sent else 0.0
        asyncio.get_running_loop().call_later(wait_s, self.task.cancel)

    async def run(self) -> web.StreamResponse:
        """Answer the client; whatever happens, the request is settled.

        Raises:
            Refusal: the endpoint gave no answer that can be passed on.
        """
        try:
            async with asyncio.timeout(self.bounds.reply_s), self.turn:
                return await self._ask()
        except Refusal:
            self._cut()
            raise
        except TimeoutError:
            self._cut()
            raise Refusal(504, "too_slow", "the endpoint did not answer in time") from None
        finally:
            self._settle()

    async def _ask(self) -> web.StreamResponse:
        self._sent = True
        try:
            async with self.session.post(
                self.upstream.url(self.route),
                data=self.order.data,
                headers=to_endpoint(self.request.headers, self.upstream.credentials(self.route)),
                allow_redirects=False,
            ) as reply:
                return await self._answer(reply)
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError):
            raise Refusal(502, "no_connection", "the endpoint cannot be reached") from None
        except (aiohttp.ClientError, ConnectionError):
            # Nobody knows whether the endpoint has begun; what it has begun it will bill.
            self._admit()
            raise Refusal(502, "connection_lost", "the endpoint broke off") from None
        except asyncio.CancelledError:
            self._admit()
            raise

    async def _answer(self, reply: aiohttp.ClientResponse) -> web.StreamResponse:
        self._status = reply.status
        if 200 <= reply.status < 300:
            self._admit()
        if reply.headers.get("Content-Encoding", "identity") != "identity":
            raise Refusal(502, "compressed", "the endpoint compresses its answers unasked")
        if 300 <= reply.status < 400:
            raise Refusal(502, "redirected", "the endpoint redirects; its base URL is another")
        lines = _STREAMS.get(reply.content_type)
        if lines is None or reply.status >= 300:
            return await self._whole(reply)
        return await self._stream(reply, lines)

    async def _whole(self, reply: aiohttp.ClientResponse) -> web.Response:
        """Pass an answer on that comes in one piece."""
        bound = self.bounds.reply_bytes if reply.status < 300 else self.bounds.error_bytes
        data = bytearray()
        async for part in self._bounded(reply, bound):
            data += part
        if reply.status < 300:
            with suppress(MalformedJson):
                value = parse(bytes(data))
                if isinstance(value, dict):
                    READERS[self.route.api].whole(self.reading, value)
        body = self.upstream.scrubbed(bytes(data))
        return web.Response(status=reply.status, body=body, headers=to_client(reply.headers))

    async def _stream(self, reply: aiohttp.ClientResponse, lines: bool) -> web.StreamResponse:
        """Pass a stream on, event by event, and read on if nobody wants it any more."""
        tap = Tap(READERS[self.route.api], lines=lines, hide_usage=self.order.hide_usage)
        self.reading = tap.reading
        response = web.StreamResponse(status=reply.status, headers=to_client(reply.headers))
        self._begun = True
        await self._to_client(response.prepare(self.request))
        async for data in self._bounded(reply, self.bounds.reply_bytes):
            if (ready := tap.feed(data)) and not self._left:
                ready = self.upstream.scrubbed(ready)
                if self._takes_at_once(len(ready)):
                    await response.write(ready)
                else:
                    await self._to_client(response.write(ready))
        rest = self.upstream.scrubbed(tap.finish())
        # Before the client can know that it is over: whoever asks then finds it settled.
        self._settle()
        if rest and not self._left:
            await self._to_client(response.write(rest))
        if not self._left:
            await self._to_client(response.write_eof())
        return response

    async def _to_client(self, sending: Awaitable[object]) -> None:
        """Send something, unless the client has gone or does not read."""
        try:
            async with asyncio.timeout(self.bounds.stall_s):
                await sending
        except (TimeoutError, ConnectionError):
            self._cut()
            self.leave()

    def _takes_at_once(self, size: int) -> bool:
        """Whether so many bytes can be sent without waiting; a bound on a wait is not for free."""
        transport = self.request.transport
        waits = transport is None or transport.is_closing() or transport.get_write_buffer_size()
        return not waits and size < _SMALL

    def _cut(self) -> None:
        """End the client's connection, so that a broken answer cannot pass for a whole one.

        An answer that has not begun is left to whoever refuses the request.
        """
        if self.request.transport is not None and self._begun:
            self.request.transport.abort()

    def _admit(self) -> None:
        if self.entry is not None:
            self.entry.admit()

    def _settle(self) -> None:
        """Put on record what was read, the first time that it is called."""
        if self.entry is not None:
            size = self._read_bytes
            self.entry.settle(self.reading, status=self._status, reply_bytes=size)

    async def _bounded(self, reply: aiohttp.ClientResponse, bound: int) -> AsyncIterator[bytes]:
        """The parts of an answer as they come.

        Raises:
            Refusal: there is more of it than the bound.
        """
        async for data in reply.content.iter_any():
            self._read_bytes += len(data)
            if self._read_bytes > bound:
                reason = f"the endpoint's answer has more than {bound} bytes"
                raise Refusal(502, "too_large", reason)
            yield data
