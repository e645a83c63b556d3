"""A real endpoint on loopback that answers by a script, and a real proxy in front of it."""

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from kcb_agents.proxy.checkpoint import Checkpoint, checkpoint_path, recover_checkpoint
from kcb_agents.proxy.serving import Lease, Proxy
from kcb_agents.proxy.subject import Subject
from kcb_agents.proxy.upstream import Bounds, Upstream

KEY = b"the host's own key for checkpoints"
SECRET = "sk-real-key-of-the-provider-0123456789"
MODEL = "tiny:free"

Play = Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    """One connection to the endpoint; plays say what it does."""

    protocol_version = "HTTP/1.1"
    endpoint: "Endpoint"
    body: bytes

    def do_POST(self) -> None:
        self.body = self.rfile.read(int(self.headers["Content-Length"]))
        with self.endpoint.lock:
            self.endpoint.requests.append(json.loads(self.body))
            self.endpoint.headers.append({k.lower(): v for k, v in self.headers.items()})
            self.endpoint.paths.append(self.path)
            self.endpoint.peers.append(self.client_address)
            plays = self.endpoint.plays
            play = plays.pop(0) if len(plays) > 1 else plays[0]
        try:
            play(self)
        except OSError:
            self.close_connection = True

    def begin(self, kind: str = "text/event-stream") -> None:
        """Starts a chunked answer."""
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def part(self, data: bytes) -> None:
        """Sends one chunk."""
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))

    def end(self) -> None:
        """Ends a chunked answer."""
        self.wfile.write(b"0\r\n\r\n")

    def whole(self, status: int, data: bytes, headers: dict[str, str] | None = None) -> None:
        """Sends an answer in one piece."""
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Silent."""


@dataclass(slots=True)
class Endpoint:
    """What the endpoint does, in order; the last play is repeated."""

    url: str = ""
    plays: list[Play] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    peers: list[Any] = field(default_factory=list)
    """Addresses of the connections that requests came by."""
    lock: Any = field(default_factory=threading.Lock)

    def streams(self, *parts: bytes) -> None:
        """Adds a stream that comes in these parts."""

        def play(handler: Handler) -> None:
            handler.begin()
            for part in parts:
                handler.part(part)
            handler.end()

        self.plays.append(play)

    def says(self, reply: Any, status: int = 200, **headers: str) -> None:
        """Adds an answer in one piece."""
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        data = reply if isinstance(reply, bytes) else json.dumps(reply).encode()
        self.plays.append(lambda handler: handler.whole(status, data, names))


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Connections that break off are a part of these tests."""


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    """The endpoint."""
    endpoint = Endpoint()
    handler = type("Scripted", (Handler,), {"endpoint": endpoint})
    with _Server(("127.0.0.1", 0), handler) as server:
        endpoint.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield endpoint
        server.shutdown()
        thread.join()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a client got."""

    status: int
    headers: dict[str, str]
    data: bytes

    @property
    def events(self) -> list[Any]:
        """The JSON of its server-sent events."""
        lines = [line[6:] for line in self.data.splitlines() if line.startswith(b"data: ")]
        return [json.loads(line) for line in lines if line != b"[DONE]"]


@dataclass(slots=True, kw_only=True)
class Client:
    """A subject's program."""

    url: str
    token: str
    folder: Path
    lease: Lease

    @property
    def address(self) -> tuple[str, int]:
        host, _, port = self.url.removeprefix("http://").partition(":")
        return host, int(port)

    def ask(
        self,
        body: Any,
        path: str = "/v1/chat/completions",
        headers: dict[str, str] | None = None,
        method: str = "POST",
    ) -> Reply:
        """One request, answered to its end."""
        connection = http.client.HTTPConnection(*self.address, timeout=20)
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        usual = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        try:
            connection.request(method, path, data, usual | (headers or {}))
            reply = connection.getresponse()
            names = {name.lower(): value for name, value in reply.getheaders()}
            return Reply(status=reply.status, headers=names, data=reply.read())
        finally:
            connection.close()

    def open(self, body: Any, path: str = "/v1/chat/completions") -> socket.socket:
        """Sends a request and leaves the answer in the socket."""
        data = json.dumps(body).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {self.token}\r\n"
            f"Content-Length: {len(data)}\r\n\r\n"
        )
        connection = socket.create_connection(self.address, timeout=20)
        connection.sendall(head.encode() + data)
        return connection

    def checkpoint(self) -> Checkpoint:
        """What is on record now."""
        found = recover_checkpoint(checkpoint_path(self.folder, "toy"), KEY)
        assert found is not None
        return found

    def wait(self, condition: Callable[[Checkpoint], bool], within_s: float = 10.0) -> Checkpoint:
        """The first checkpoint for which something holds."""
        deadline = time.monotonic() + within_s
        while not condition(found := self.checkpoint()):
            assert time.monotonic() < deadline, found
            time.sleep(0.005)
        return found


Serve = Callable[..., Any]


@pytest.fixture
def serve(endpoint: Endpoint, tmp_path: Path) -> Serve:
    """Starts a proxy with one subject."""

    @contextmanager
    def serve(
        *,
        models: Sequence[str] = (MODEL,),
        bounds: Bounds | None = None,
        listener: socket.socket | None = None,
        base: str = "/v1",
        key: str = SECRET,
        **more: Any,
    ) -> Iterator[Client]:
        upstream = Upstream(base_url=endpoint.url + base, api_key=key)
        with Proxy(upstream, bounds=bounds, listener=listener) as proxy:
            folder = tmp_path / "host"
            folder.mkdir(exist_ok=True)
            subject = Subject(profile="toy", models=tuple(models), folder=folder, key=KEY, **more)
            lease = proxy.lease(subject)
            yield Client(url=proxy.url, token=lease.token, folder=folder, lease=lease)

    return serve
