"""The ways out of a container: which there are, and that bytes go through them unchanged."""

from __future__ import annotations

import os
import socket
import threading
import time
from pathlib import Path

import pytest

from kcb_core.errors import DeclarationError
from kcb_experiments.engine.doors import Door, doors_of, open_doors, socket_name
from kcb_experiments.engine.relay import Relay

PATIENCE_S = 20.0


def test_every_url_of_a_subject_is_a_door_once() -> None:
    """Wherever it stands in the settings; what is no URL is none."""
    settings = {
        "base_url": "http://localhost:8080/v1",
        "model": "http-model",
        "more": [{"url": "https://api.example.org/v1"}, "https://api.example.org/v2"],
    }
    doors = doors_of(settings, ["http://[::1]:9/"])
    assert doors == (Door("::1", 9), Door("api.example.org", 443), Door("localhost", 8080))
    assert [door.inside for door in doors] == ["::1", "127.0.0.1", "127.0.0.1"]
    assert [door.is_loopback for door in doors] == [True, False, True]
    assert doors_of({"model": "m"}) == ()


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://10.0.0.5:8080/v1", "10.0.0.5 has no name"),
        ("https://", "no HTTP URL"),
        ("http://host:none/", "no HTTP URL"),
    ],
)
def test_what_cannot_be_a_door_is_said_before_anything_starts(url: str, said: str) -> None:
    """A subject would else only find that nobody answers."""
    with pytest.raises(DeclarationError, match=said):
        doors_of({"base_url": url})


def test_bytes_go_through_both_ways_and_so_does_their_end(tmp_path: Path) -> None:
    """A server that answers only when all was said gets to know it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        host, port = server.getsockname()
        threading.Thread(target=backwards, args=(server,), daemon=True).start()
        (relay,) = open_doors([Door(host, port)], tmp_path, os.geteuid())
        sent = os.urandom(1 << 20)
        with socket.socket(socket.AF_UNIX) as near:
            near.settimeout(PATIENCE_S)
            near.connect(str(tmp_path / socket_name(0)))
            near.sendall(sent)
            near.shutdown(socket.SHUT_WR)
            assert everything(near) == sent[::-1]
        relay.close()


def test_an_endpoint_that_is_not_there_closes_the_connection(tmp_path: Path) -> None:
    """The client sees an end, and does not wait for its own timeout."""
    with socket.create_server(("127.0.0.1", 0)) as gone:
        host, port = gone.getsockname()
    (relay,) = open_doors([Door(host, port)], tmp_path, os.geteuid())
    with socket.socket(socket.AF_UNIX) as near:
        near.settimeout(PATIENCE_S)
        near.connect(str(tmp_path / socket_name(0)))
        assert near.recv(1) == b""
    relay.close()


def test_closing_ends_what_is_open_and_lets_nobody_in() -> None:
    """A subject that has ended is cut from its endpoint at once."""
    near, far = socket.socketpair()
    listener = socket.create_server(("127.0.0.1", 0))
    address = listener.getsockname()
    relay = Relay(listener, lambda: far)
    with socket.create_connection(address) as client, near:
        client.settimeout(PATIENCE_S)
        client.sendall(b"x")
        assert near.recv(1) == b"x"
        relay.close()
        assert client.recv(1) == b""
    until = time.monotonic() + PATIENCE_S
    with socket.socket() as late:
        while late.connect_ex(address) == 0:
            assert time.monotonic() < until, "somebody still answers"


def backwards(server: socket.socket) -> None:
    """Answer one client with all that it said, from the end to the start."""
    connection, _ = server.accept()
    with connection:
        connection.sendall(everything(connection)[::-1])


def everything(connection: socket.socket) -> bytes:
    """All that comes until the end."""
    pieces = []
    while piece := connection.recv(1 << 16):
        pieces.append(piece)
    return b"".join(pieces)
