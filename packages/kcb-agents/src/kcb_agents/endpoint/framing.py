"""How a stream is cut into JSON values: server-sent events, or one value on each line.

Lines end at byte 0x0A and nowhere else: a reply may hold every other separator as text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from kcb_agents.endpoint.failure import EndpointError
from kcb_core.codec import Json, parse_document
from kcb_core.errors import MalformedJson

Framing: TypeAlias = Callable[[Iterable[bytes], str], Iterator[Json]]
"""From the bytes as they come, and the address that an error names, to values as they are whole."""

_DONE = b"[DONE]"


def event_stream(chunks: Iterable[bytes], source: str) -> Iterator[Json]:
    """The data of server-sent events, up to the one that says that it was the last: that is None.

    Comments, names and ids of events are skipped, since the data says them again. Some servers
    send an error as a field of its own. Source: WHATWG HTML, section 9.2.6.

    Raises:
        EndpointError: an event is no JSON.
    """
    data: list[bytes] = []
    for line in _lines(chunks):
        name, _, value = line.removesuffix(b"\r").partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            data.append(value)
        elif name == b"error" and value:
            yield {"error": read_value(value, source)}
        elif not name and not value and data:
            whole, data = b"\n".join(data), []
            if whole.strip() == _DONE:
                yield None
                return
            yield read_value(whole, source)


def json_lines(chunks: Iterable[bytes], source: str) -> Iterator[Json]:
    """The values of a stream with one on each line.

    Raises:
        EndpointError: a line is no JSON.
    """
    for line in _lines(chunks):
        if line.strip():
            yield read_value(line, source)


def read_value(data: bytes, source: str) -> Json:
    """The JSON value that some bytes of a reply are.

    Raises:
        EndpointError: they are none.
    """
    try:
        return parse_document(data, source="")
    except MalformedJson as error:
        start = data[:60].decode("utf-8", "replace")
        raise EndpointError(
            f"{source}: the reply is no JSON ({error.reason}): {start!r}", status=200
        ) from None


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The lines of a stream, its last one too, and an empty one that ends the last event."""
    pieces: list[bytes] = []
    for chunk in chunks:
        head, *more = chunk.split(b"\n")
        pieces.append(head)
        for line in more:
            yield b"".join(pieces)
            pieces = [line]
    yield b"".join(pieces)
    yield b""
