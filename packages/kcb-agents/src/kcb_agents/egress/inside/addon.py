"""What mitmproxy calls at each event of a proxy; a method bears the name of its event.

It is copied beside the modules that it imports, into a folder of the proxy's own, and runs in the
environment of mitmproxy, where nothing else of this project is. Version and settings come in its
environment; it ends when its standard input does.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import threading
import traceback
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from mitmproxy import connection, ctx, dns, http, tcp, udp, version
from mitmproxy.proxy.commands import CloseConnection
from mitmproxy.proxy.events import Event, Start
from mitmproxy.proxy.layer import CommandGenerator, Layer, NextLayer
from mitmproxy.proxy.server_hooks import ServerConnectionHookData
from warden import HEALTH_HOST, Warden

MOST_REFUSED_BODY = 64 << 10
"""Bytes of a body that are read before its request is answered with a refusal."""

LINGER_S = 0.2
"""How long a client that sends more than that may go on, in seconds."""

VIOLATED = 70
"""Exit status of a proxy that cannot be relied on any more; its record has no end then."""


SPOKEN = re.compile(rb"\x16\x03|[A-Z]{1,20}(?: |\Z)")
"""How what passes begins: a record of TLS with a greeting in it, or the method of a request."""


def closed(hook: Callable[..., None]) -> Callable[..., None]:
    """A hook whose failure ends this proxy: mitmproxy would go on as if it had agreed."""

    @wraps(hook)
    def called(*words: Any) -> None:
        try:
            hook(*words)
        except BaseException:  # noqa: BLE001 - whatever it is, nothing may pass any more
            traceback.print_exc()
            os._exit(VIOLATED)

    return called


class Ended(Layer):
    """What is left of a tunnel that is not to be one."""

    def _handle_event(self, event: Event) -> CommandGenerator[None]:
        if isinstance(event, Start):
            yield CloseConnection(self.context.client)


class Egress:
    """Asks the warden, and does what it says."""

    def __init__(self, warden: Warden) -> None:
        self.warden = warden
        self.tunnels: set[str] = set()
        self.ended: set[str] = set()

    async def running(self) -> None:
        """Look names up only to addresses that may be connected to, and follow whoever started."""
        loop = asyncio.get_running_loop()
        looked_up = loop.getaddrinfo

        async def getaddrinfo(host: Any, port: Any, **more: Any) -> Any:
            found = await looked_up(host, port, **more)
            allowed = self.warden.reachable(str(host), [str(entry[4][0]) for entry in found])
            if not allowed:
                raise OSError(f"{host} has no address of the internet")
            return [entry for entry in found if entry[4][0] in allowed]

        loop.getaddrinfo = getaddrinfo  # type: ignore[method-assign]
        threading.Thread(target=self.follow, args=(loop,), daemon=True).start()

    def follow(self, loop: asyncio.AbstractEventLoop) -> None:
        """Wait for the end of standard input, which whoever started this holds open."""
        while sys.stdin.buffer.read(1):
            pass
        loop.call_soon_threadsafe(ctx.master.shutdown)

    def done(self) -> None:
        """End the record."""
        self.warden.close()

    @closed
    def http_connect(self, flow: http.HTTPFlow) -> None:
        """Judge the host of a tunnel."""
        nested = flow.client_conn.id in self.tunnels
        self.tunnels.add(flow.client_conn.id)
        if why := self.warden.tunnel(flow.request.host, flow.request.port, nested=nested):
            flow.response = refusal(why)

    @closed
    def client_disconnected(self, client: connection.Client) -> None:
        """Forget a client."""
        self.tunnels.discard(client.id)
        self.ended.discard(client.id)

    @closed
    def next_layer(self, data: NextLayer) -> None:
        """End a tunnel in which neither TLS nor HTTP is spoken, before anybody is connected to."""
        said = data.data_client()
        if data.context.client.id in self.tunnels and said and not SPOKEN.match(said):
            address = data.context.server.address
            self.warden.raw("tunnel", address[0] if address else "")
            data.layer = Ended(data.context)

    @closed
    def requestheaders(self, flow: http.HTTPFlow) -> None:
        """Judge a request before any of its body is read, and anybody is connected to."""
        request = flow.request
        if request.host == HEALTH_HOST and request.scheme == "http":
            said = json.dumps({"nonce": self.warden.nonce})
            flow.response = http.Response.make(200, said, {"content-type": "application/json"})
            return
        called = (named(request.host_header or ""), named(request.authority))
        names = (*called, flow.client_conn.sni or "")
        why = self.warden.request(request.method, request.host, request.port, names, request.path)
        if not why:
            request.authority = ""  # a host that is sent a whole address believes that
            request.stream = True
        elif is_small(request.headers):
            flow.response = refusal(why)
        else:
            flow.kill()
            hang_up(flow.client_conn)

    @closed
    def responseheaders(self, flow: http.HTTPFlow) -> None:
        """Hand a body on as it comes; none is kept."""
        if flow.response is not None:
            flow.response.stream = True

    @closed
    def server_connect(self, data: ServerConnectionHookData) -> None:
        """Judge a host once more, whatever led here."""
        if data.client.id in self.ended:
            data.server.error = "it is no HTTP"
        elif data.server.address and (why := self.warden.connection(data.server.address[0])):
            data.server.error = why

    @closed
    def server_connected(self, data: ServerConnectionHookData) -> None:
        """End this proxy if it has connected to where it may not; then nothing here holds."""
        host, peer = data.server.address, data.server.peername
        if not (host and peer and self.warden.reachable(host[0], [peer[0]])):
            os._exit(VIOLATED)

    @closed
    def tcp_start(self, flow: tcp.TCPFlow) -> None:
        """End a tunnel in which something else than HTTP is spoken."""
        self.kill(flow, "tcp")

    @closed
    def udp_start(self, flow: udp.UDPFlow) -> None:
        """The same of packets."""
        self.kill(flow, "udp")

    @closed
    def dns_request(self, flow: dns.DNSFlow) -> None:
        """The same of name service."""
        self.kill(flow, "dns")

    def kill(self, flow: tcp.TCPFlow | udp.UDPFlow | dns.DNSFlow, kind: str) -> None:
        """Record and end what is no HTTP; neither connects to anybody from then on."""
        address = flow.server_conn.address
        self.warden.raw(kind, address[0] if address else "")
        self.ended.add(flow.client_conn.id)
        flow.kill()
        hang_up(flow.client_conn)


def refusal(why: str) -> http.Response:
    """An answer that says why a request was refused."""
    return http.Response.make(403, f"{why}\n", {"content-type": "text/plain; charset=utf-8"})


def hang_up(client: connection.Client) -> None:
    """End a client that would go on sending though what it sends was ended.

    mitmproxy ends a flow, and leaves the connection open if there is more to come.
    """
    for handler in ctx.master.addons.get("proxyserver").connections.values():
        kept = handler.transports.get(client)
        if kept is not None and kept.writer is not None:
            asyncio.get_running_loop().call_later(LINGER_S, kept.writer.close)


def named(authority: str) -> str:
    """The host of a ``Host`` header, without its port."""
    if authority.startswith("["):
        return authority.partition("]")[0] + "]"
    return authority.partition(":")[0]


def is_small(headers: http.Headers) -> bool:
    """Whether the body of a request that is refused may be read to its end."""
    length = headers.get("content-length", "0")
    if "transfer-encoding" in headers or not length.isdigit():
        return False
    return int(length) <= MOST_REFUSED_BODY


if os.environ["KCB_EGRESS_VERSION"] != version.VERSION:
    sys.exit(f"mitmproxy is {version.VERSION}, and not {os.environ['KCB_EGRESS_VERSION']}")

addons = [Egress(Warden(Path(os.environ["KCB_EGRESS_SETTINGS"])))]
