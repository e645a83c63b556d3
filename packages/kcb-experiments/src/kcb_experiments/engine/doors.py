"""The ways out of a container that has no network: one for each endpoint that a subject declares.

Outside, a socket in the file system leads to the endpoint and nowhere else. Inside, the worker
listens at the endpoint's own port on loopback, under the endpoint's own name, and hands what comes
in to that socket. So URLs, TLS and certificates stay as they are.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from kcb_core.errors import DeclarationError
from kcb_experiments.engine.relay import Relay

CONNECT_S = 30.0
"""How long an endpoint may take to accept a connection."""

_PORTS = {"http": 80, "https": 443}
_BACKLOG = 64


@dataclass(frozen=True, slots=True, order=True)
class Door:
    """One endpoint."""

    host: str
    port: int

    @property
    def is_loopback(self) -> bool:
        """Whether the endpoint is on this machine."""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost" or self.host.endswith(".localhost")

    @property
    def inside(self) -> str:
        """The address at which the worker listens."""
        return self.host if self.host == "::1" or self.host.startswith("127.") else "127.0.0.1"


def doors_of(settings: Mapping[str, Any], more: Iterable[str] = ()) -> tuple[Door, ...]:
    """The endpoints that a subject's settings name: every URL among them.

    Args:
        settings: of the subject.
        more: further URLs.

    Raises:
        DeclarationError: one cannot be reached from a container without a network.
    """
    urls = [*_urls(settings), *more]
    return tuple(sorted({_door(url) for url in urls}))


def open_doors(doors: Iterable[Door], folder: Path, owner: int) -> list[Relay]:
    """Have the sockets of some doors in a folder; each is to be closed.

    Args:
        doors: one socket each, named by its place among them.
        folder: where they lie.
        owner: user who may connect, with this process.

    Raises:
        OSError: one cannot be made.
    """
    relays = []
    for number, door in enumerate(doors):
        path = folder / socket_name(number)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(os.fspath(path))
        os.chown(path, owner, -1)
        listener.listen(_BACKLOG)
        connect = partial(socket.create_connection, (door.host, door.port), CONNECT_S)
        relays.append(Relay(listener, partial(_patient, connect)))
    return relays


def socket_name(number: int) -> str:
    """File name of the socket of a door."""
    return f"door-{number}"


def _patient(connect: partial[socket.socket]) -> socket.socket:
    """A connection that, once it is there, may be silent for as long as it likes."""
    made = connect()
    made.settimeout(None)
    return made


def _urls(value: object) -> Iterator[str]:
    if isinstance(value, str) and value.startswith(("http://", "https://")):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _urls(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _urls(part)


def _door(url: str) -> Door:
    parts = urlsplit(url.strip())
    try:
        host, port = parts.hostname, parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError:
        host, port = None, 0
    if not host or not port:
        raise DeclarationError("a subject names an endpoint that is no HTTP URL")
    door = Door(host, port)
    if _is_address(host) and not door.is_loopback:
        raise DeclarationError(
            f"the endpoint {host} has no name: a container without a network reaches names and "
            "this machine only; give it a name in /etc/hosts, and use that"
        )
    return door


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
