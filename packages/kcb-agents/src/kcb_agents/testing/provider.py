"""A provider that answers by a script: a real HTTP server on loopback, in all forms.

::

    with Provider().serving() as provider:
        provider.says("### main.py\\n...")          # an answer, in the form that is asked for
        provider.fails(429, Retry_After="3")        # an error
        provider.says(manner="silent")              # and everything that goes wrong elsewhere
        ...                                          # provider.url is the base URL
    provider.requests                                # the bodies that it was sent

It counts tokens as a fourth of the characters, and can have a context that it cuts prompts to in
silence. The prompts of a preflight are answered beside the script. No request waits for ever: what
hangs is let go when the server ends.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from kcb_agents.endpoint.preflight import HEAD
from kcb_agents.testing.scripted_answer import Said, stream, whole

HANGING_S = 60.0
"""Longest time that a silent answer is held, in seconds."""

_FORMS = {
    "/chat/completions": "openai",
    "/responses": "responses",
    "/v1/messages": "anthropic",
    "/api/chat": "ollama",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """Anything else that a server may send."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    before: Callable[[], object] = lambda: None
    """Called before it is sent."""
    hangs_up: bool = False
    """Whether the connection is closed instead."""


@dataclass(slots=True, kw_only=True)
class Provider:
    """What is answered, in order, and what was asked."""

    answers: list[Said | Sent] = field(default_factory=list)
    usual: Said | Callable[[str], Said] | None = None
    """What is said when the script is at its end, perhaps by the prompt; else HTTP 418 is sent."""
    context: int | None = None
    """Tokens that prompts are cut to in silence."""
    counts: bool = True
    """Whether tokens are stated."""
    obeys: bool = True
    """Whether the prompts of a preflight get the word that they ask for."""
    refuses: int = 0
    """HTTP status of all answers, those to preflights too; 0 if it refuses nobody."""
    shown: dict[str, Any] = field(default_factory=dict)
    """What is sent as JSON for other paths, such as ``/props``; anything else is HTTP 404."""
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    probes: list[dict[str, Any]] = field(default_factory=list)
    """Requests of a preflight, which stand in no other list."""
    looks: list[str] = field(default_factory=list)
    """Paths that were looked at besides."""
    most_at_once: int = 0
    """Most requests that were ever under way together."""
    url: str = ""
    """Base URL, ending with ``/v1``."""
    released: threading.Event = field(default_factory=threading.Event)
    """Set at the end: lets everything go that hangs."""
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _under_way: int = 0

    def says(self, content: str | None = None, **more: Any) -> None:
        """Adds an answer; ``more`` are members of ``Said``."""
        self.answers.append(Said(content=content, **more))

    def fails(self, status: int, body: bytes = b"", **headers: str) -> None:
        """Adds an error."""
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        self.answers.append(Sent(status=status, body=body, headers=names))

    def sends(self, body: bytes, **more: Any) -> None:
        """Adds any body; ``more`` are members of ``Sent``."""
        self.answers.append(Sent(body=body, **more))

    def hangs_up(self) -> None:
        """Adds a closed connection."""
        self.answers.append(Sent(hangs_up=True))

    @contextmanager
    def serving(self) -> Iterator[Provider]:
        """Serves on loopback until the block ends."""
        handler = type("Handler", (_Handler,), {"provider": self})
        with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            server.daemon_threads = True
            server.block_on_close = False
            self.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
            thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
            thread.start()
            try:
                yield self
            finally:
                self.released.set()
                server.shutdown()
                thread.join()

    def tokens(self, text: str) -> int:
        """What a text comes to."""
        return len(text) // 4

    def next_for(self, body: dict[str, Any]) -> Said | Sent:
        """The answer to a request."""
        if self.refuses:
            return Sent(status=self.refuses)
        prompt = "\n".join(texts(body))
        kept = prompt if self.context is None else prompt[-4 * self.context :]
        counted = {"prompt": self.tokens(kept)} if self.counts else {}
        if prompt.startswith(HEAD):
            word = prompt.removeprefix(HEAD).partition("\n")[0]
            obeyed = word if self.obeys and HEAD + word in kept else "I am only a small model."
            return Said(content=obeyed, usage={**counted, "completion": 3} if counted else {})
        with self._lock:
            usual = self.usual_for(body, prompt)
            found = self.answers.pop(0) if self.answers else usual or Sent(status=418)
        if isinstance(found, Sent) or found.usage is not None:
            return found
        said = found.reasoning + (found.content or "")
        arguments = "".join(call.arguments for call in found.calls)
        usage = {**counted, "completion": self.tokens(said + arguments)} if counted else {}
        return _with_usage(found, usage)

    def usual_for(self, body: Mapping[str, Any], prompt: str) -> Said | None:
        """What is said beside the script, for one that must see more than the prompt to override.

        Args:
            body: the request as it was sent.
            prompt: all texts in it.
        """
        return self.usual(prompt) if callable(self.usual) else self.usual

    @contextmanager
    def busy(self) -> Iterator[Callable[[], None]]:
        """Counts a request as under way, to the end or until what it gives is called.

        That is to be done before the last byte is sent: whoever has that may ask again at once.
        """
        over = threading.Event()

        def end() -> None:
            with self._lock:
                self._under_way -= not over.is_set()
                over.set()

        with self._lock:
            self._under_way += 1
            self.most_at_once = max(self.most_at_once, self._under_way)
        try:
            yield end
        finally:
            end()


def texts(value: Any) -> Iterator[str]:
    """Every text that a request gives a model to read, in whichever form."""
    if isinstance(value, dict):
        for name in ("system", "messages", "input", "content", "text", "output"):
            found = value.get(name)
            if isinstance(found, str):
                yield found
            elif found:
                yield from texts(found)
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)


def _with_usage(said: Said, usage: Mapping[str, int]) -> Said:
    return Said(**{name: getattr(said, name) for name in Said.__slots__} | {"usage": usage})


class _Handler(BaseHTTPRequestHandler):
    provider: Provider
    protocol_version = "HTTP/1.1"
    timeout = HANGING_S
    over: Callable[[], None] = staticmethod(lambda: None)

    def do_GET(self) -> None:
        self._look()

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        form = next((name for end, name in _FORMS.items() if self.path.endswith(end)), "")
        if not form:
            self._look()
            return
        provider = self.provider
        if next(texts(body), "").startswith(HEAD):
            provider.probes.append(body)
        else:
            provider.requests.append(body)
            provider.headers.append(dict(self.headers))
            provider.paths.append(self.path)
        self.close_connection = True
        with provider.busy() as self.over, suppress(OSError):  # a client may have heard enough
            answer = provider.next_for(body)
            if isinstance(answer, Sent):
                self._send(answer)
            elif body.get("stream", form == "ollama"):
                self._stream(form, answer)
            else:
                self._say(form, answer)

    def _look(self) -> None:
        self.provider.looks.append(self.path)
        found = self.provider.shown.get(self.path)
        data = json.dumps(found).encode()
        self._send(Sent(status=404) if found is None else Sent(body=data))

    def _send(self, sent: Sent) -> None:
        sent.before()
        if sent.hangs_up:
            return
        headers = {name: value for name, value in sent.headers.items() if name != "Content-Type"}
        kind = sent.headers.get("Content-Type", "application/json")
        self.over()
        self._begin(sent.status, kind, headers, len(sent.body))
        self.wfile.write(sent.body)

    def _say(self, form: str, said: Said) -> None:
        self.provider.released.wait(HANGING_S if _hangs(said) else said.pause_s)
        if said.ends:
            data = json.dumps(whole(form, said, said.usage or {})).encode()
            self.over()
            self._begin(200, "application/json", {}, len(data))
            self.wfile.write(data)

    def _stream(self, form: str, said: Said) -> None:
        if said.manner == "mute":
            self.provider.released.wait(HANGING_S)
            return
        kind = "application/x-ndjson" if form == "ollama" else "text/event-stream"
        self._begin(200, kind, {})
        events = list(stream(form, said, said.usage or {}))
        # Nobody has to wait for the mark that a chat completion ends with.
        telling = len(events) - (form == "openai" and said.manner == "whole")
        for number, event in enumerate(events, 1):
            self.provider.released.wait(said.pause_s)
            if number == telling and said.ends:
                self.over()
            self._chunk(event)
        if said.manner in ("silent", "lingers"):
            self.provider.released.wait(HANGING_S)
        elif said.manner != "breaks":
            self._chunk(b"")

    def _begin(
        self, status: int, kind: str, headers: Mapping[str, str], length: int | None = None
    ) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Connection", "close")
        if length is None:
            self.send_header("Transfer-Encoding", "chunked")
        else:
            self.send_header("Content-Length", str(length))
        self.end_headers()

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def log_message(self, format: str, *args: object) -> None:
        """Silent."""


def _hangs(said: Said) -> bool:
    return said.manner in ("mute", "silent")
