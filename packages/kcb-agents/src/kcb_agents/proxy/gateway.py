"""The HTTP server that subjects talk to: who they are, what they may ask, and their end."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
import socket
from collections.abc import Iterable
from dataclasses import dataclass, field

import aiohttp
from aiohttp import web

from kcb_agents.endpoint.address import is_loopback
from kcb_agents.proxy.admission import Asked
from kcb_agents.proxy.checkpoint import Checkpoint
from kcb_agents.proxy.exchange import Exchange
from kcb_agents.proxy.ledger import Entry, Ledger
from kcb_agents.proxy.order import Order, read_order
from kcb_agents.proxy.refusal import Refusal
from kcb_agents.proxy.routes import MODEL_LISTS, ROUTES, Route
from kcb_agents.proxy.subject import Subject
from kcb_agents.proxy.upstream import Bounds, Upstream
from kcb_core.errors import MachineError

_LOG = logging.getLogger(__name__)
_LOG.addHandler(logging.NullHandler())  # what a subject sends is no news for a terminal

_KEEP_ALIVE_S = 4.0
"""How long a connection to an endpoint is kept: less than the five seconds after which common
servers close theirs, since a request that meets its close may or may not have been begun."""


@dataclass(slots=True, eq=False)
class Guest:
    """A subject while it is served."""

    subject: Subject
    ledger: Ledger
    exchanges: set[Exchange] = field(default_factory=set)
    ended: bool = False


class Gateway:
    """Serves subjects in one event loop; everything here belongs to that loop's thread."""

    def __init__(self, upstream: Upstream, bounds: Bounds) -> None:
        """A server that listens to nobody yet."""
        self._upstream = upstream
        self._bounds = bounds
        self._guests: dict[bytes, Guest] = {}
        self._turn = asyncio.Semaphore(bounds.at_once)
        self._session = _session(upstream, bounds)
        self._uploads = 0
        self._web = web.Server(
            self._answer,
            handler_cancellation=True,
            access_log=None,
            auto_decompress=False,
            logger=_LOG,
        )

    async def listen(self, listener: socket.socket) -> asyncio.Server:
        """Serve a socket that listens, wherever it was made; closing what is given ends that."""
        loop = asyncio.get_running_loop()
        return await loop.create_server(self._connect, sock=listener)

    def admit(self, subject: Subject) -> str:
        """Serve a subject from now on; gives the token that it has to show.

        Raises:
            MachineError: its checkpoint cannot be written.
        """
        token = "kcb-" + secrets.token_urlsafe(32)
        ledger = Ledger(
            profile=subject.profile,
            folder=subject.folder,
            key=subject.key,
            models=frozenset(subject.models),
            admission=subject.admission,
        )
        if ledger.failure:
            raise MachineError(ledger.failure)
        self._guests[_digest(token)] = Guest(subject, ledger)
        return token

    async def end(self, token: str) -> Checkpoint:
        """Refuse a subject from now on, and wait until all that it asked is settled.

        Raises:
            MachineError: its checkpoint could not be written.
        """
        guest = self._guests[_digest(token)]
        await self._end(guest, self._bounds.drain_s)
        if guest.ledger.failure:
            raise MachineError(guest.ledger.failure)
        return guest.ledger.state

    async def close(self, *, at_once: bool = False) -> None:
        """End every subject, and stop; what is under way is given up if it has to be at once."""
        wait_s = 0.0 if at_once else self._bounds.drain_s
        await asyncio.gather(*(self._end(guest, wait_s) for guest in self._guests.values()))
        await self._web.shutdown(0.0)
        await self._session.close()

    async def _end(self, guest: Guest, wait_s: float) -> None:
        guest.ended = True
        tasks = {task for exchange in guest.exchanges if (task := exchange.task) is not None}
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=wait_s)
            for task in late:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        if not guest.ledger.state.settled:
            guest.ledger.end()

    def _connect(self) -> asyncio.Protocol:
        """What serves a new connection; one too many is closed, or a subject could use up all
        files that this process may open."""
        full = len(self._web.connections) >= self._bounds.connections
        return _Closed() if full else self._web()

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer one request of anybody."""
        try:
            guest = self._guest(request)
            if request.path in MODEL_LISTS and request.method == "GET":
                return web.json_response(_model_list(guest.subject.models))
            route = _route(request)
            data = await self._body(request)
            order = read_order(
                route,
                data,
                guest.subject.models,
                ask_usage=self._upstream.asks_usage,
                room=guest.subject.admission.room,
            )
            return await self._exchange(guest, route, order, request)
        except Refusal as refusal:
            return web.json_response(refusal.document, status=refusal.status)

    def _guest(self, request: web.BaseRequest) -> Guest:
        """Whose token a request shows."""
        shown = request.headers.get("x-api-key", "")
        if not shown:
            shown = request.headers.get("Authorization", "").removeprefix("Bearer ")
        guest = self._guests.get(_digest(shown))
        if guest is None:
            raise Refusal(401, "unknown_token", "the request shows no token of this proxy")
        if guest.ended:
            raise Refusal(403, "ended", "this subject has ended")
        return guest

    async def _body(self, request: web.BaseRequest) -> bytes:
        """The body of a request, within its bounds."""
        if request.headers.get("Content-Encoding", "identity") != "identity":
            raise Refusal(415, "compressed", "the body is compressed; send it as it is")
        held = self._uploads + sum(len(each.exchanges) for each in self._guests.values())
        if held >= self._bounds.waiting:
            raise Refusal(503, "busy", "too many requests wait already")
        bound, data = self._bounds.request_bytes, bytearray()
        self._uploads += 1
        try:
            async with asyncio.timeout(self._bounds.upload_s):
                async for part in request.content.iter_any():
                    data += part
                    if len(data) > bound:
                        raise Refusal(413, "too_large", f"the body has more than {bound} bytes")
        except TimeoutError:
            raise Refusal(408, "too_slow", "the body did not come in time") from None
        finally:
            self._uploads -= 1
        return bytes(data)

    async def _exchange(
        self, guest: Guest, route: Route, order: Order, request: web.BaseRequest
    ) -> web.StreamResponse:
        """Ask the endpoint, in a task that outlives the client's connection."""
        if guest.ended:  # while its body came
            raise Refusal(403, "ended", "this subject has ended")
        exchange = Exchange(
            upstream=self._upstream,
            bounds=self._bounds,
            session=self._session,
            turn=self._turn,
            route=route,
            order=order,
            entry=_entry(guest, route, order),
            request=request,
        )
        exchange.task = asyncio.create_task(exchange.run())
        guest.exchanges.add(exchange)
        exchange.task.add_done_callback(lambda task: _is_over(guest, exchange, task))
        try:
            return await asyncio.shield(exchange.task)
        except asyncio.CancelledError:
            exchange.leave()
            raise


def _is_over(guest: Guest, exchange: Exchange, task: asyncio.Task[web.StreamResponse]) -> None:
    guest.exchanges.discard(exchange)
    if not task.cancelled():
        task.exception()  # looked at, since nobody else does once the client is gone


class _Closed(asyncio.Protocol):
    """A connection that is closed as soon as it is made."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Close it."""
        transport.close()


def _entry(guest: Guest, route: Route, order: Order) -> Entry | None:
    if not route.metered:
        return None
    asked = Asked(
        number=guest.ledger.state.requests + 1,
        profile=guest.subject.profile,
        api=route.api,
        model=order.model,
        request_bytes=len(order.data),
        max_output_tokens=order.max_output_tokens,
    )
    return guest.ledger.open(asked)


def _route(request: web.BaseRequest) -> Route:
    route = ROUTES.get(request.rel_url.raw_path)
    if route is None or request.method != "POST":
        reason = f"{request.method:.20} {request.rel_url.raw_path:.100} does not go through"
        raise Refusal(404, "unknown_path", reason)
    return route


def _model_list(models: Iterable[str]) -> dict[str, object]:
    """The declared models, in a form that clients of every kind of endpoint read."""
    entries = [{"id": m, "object": "model", "type": "model", "display_name": m} for m in models]
    return {"object": "list", "data": entries, "has_more": False}


def _session(upstream: Upstream, bounds: Bounds) -> aiohttp.ClientSession:
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=_KEEP_ALIVE_S),
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=bounds.connect_s),
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
        # A proxy that the environment names cannot reach this machine's own servers.
        trust_env=not is_loopback(upstream.base_url),
    )


def _digest(token: str) -> bytes:
    """By which a token is known: looking it up tells nothing about how near a wrong one was."""
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()
