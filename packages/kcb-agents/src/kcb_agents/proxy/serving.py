"""A metering proxy for whoever does not run an event loop: a thread of its own."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self, TypeVar

from kcb_agents.proxy.checkpoint import Checkpoint
from kcb_agents.proxy.gateway import Gateway
from kcb_agents.proxy.subject import Subject
from kcb_agents.proxy.upstream import Bounds, Upstream

T = TypeVar("T")

LOOPBACK = "127.0.0.1"
BACKLOG = 128

_ANSWER_S = 10.0
"""How long the proxy's thread may take for what needs no waiting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """The right of a subject to ask, until it is ended."""

    token: str
    """What the subject shows instead of a key, as bearer token or as ``x-api-key``."""
    proxy: Proxy

    def end(self) -> Checkpoint:
        """Refuse the subject from now on, and wait until all that it asked is settled.

        Its programs should be dead by then. A request whose client is gone is read on for as long
        as the proxy's bounds say, then it is given up.

        Raises:
            MachineError: the checkpoint could not be written.
        """
        return self.proxy.end(self.token)


class Proxy:
    """A metering proxy in front of one endpoint, from ``with`` to its end.

    It listens on a socket that is handed in, such as one made inside a subject's network namespace,
    or else on a port of this machine's loopback.
    """

    def __init__(
        self,
        upstream: Upstream,
        *,
        listener: socket.socket | None = None,
        bounds: Bounds | None = None,
    ) -> None:
        """A proxy that is not running yet; it closes the listener at its end."""
        self._upstream = upstream
        self._bounds = bounds or Bounds()
        self._listener = listener or socket.create_server((LOOPBACK, 0), backlog=BACKLOG)
        self._ready: Future[Gateway] = Future()
        self._at_once = False
        self._stop: asyncio.Event
        self._loop: asyncio.AbstractEventLoop
        self._thread = threading.Thread(
            target=self._run, args=(self._listener,), name="metering proxy", daemon=True
        )

    @property
    def url(self) -> str:
        """The address, as those see it who share the listener's namespace; paths follow it."""
        host, port = self._listener.getsockname()[:2]
        return f"http://{host}:{port}"

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.result(_ANSWER_S)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # Whoever interrupts does not wait for usage at the end of a stream.
        self._at_once = kind is not None and not issubclass(kind, Exception)
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(self._bounds.drain_s + _ANSWER_S)

    def lease(self, subject: Subject) -> Lease:
        """Serve a subject from now on.

        Raises:
            MachineError: its checkpoint could not be written.
        """
        return Lease(token=self._call(self._admit(subject), _ANSWER_S), proxy=self)

    def end(self, token: str) -> Checkpoint:
        """As ``Lease.end``."""
        server = self._ready.result(0)
        return self._call(server.end(token), self._bounds.drain_s + _ANSWER_S)

    async def _admit(self, subject: Subject) -> str:
        return self._ready.result(0).admit(subject)

    def _call(self, work: Coroutine[Any, Any, T], wait_s: float) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(wait_s)

    def _run(self, listener: socket.socket) -> None:
        try:
            asyncio.run(self._serve(listener))
        except BaseException as error:
            if not self._ready.done():
                self._ready.set_exception(error)
            else:
                raise

    async def _serve(self, listener: socket.socket) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        server = Gateway(self._upstream, self._bounds)
        try:
            listening = await server.listen(listener)
            self._ready.set_result(server)
            await self._stop.wait()
            listening.close()
        finally:
            await server.close(at_once=self._at_once)
