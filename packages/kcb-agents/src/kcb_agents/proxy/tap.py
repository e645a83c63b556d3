"""A stream on its way to the client, read in passing.

Whole events are handed on as soon as they are whole, and nearly all of them unread: a search for a
few bytes tells which ones have to be parsed. The start of an event waits for its end, which delays
nothing, since no client can use a part of one.
"""

from __future__ import annotations

import re
from typing import Any

from kcb_agents.proxy.reading import Reader, Reading
from kcb_core.codec import parse
from kcb_core.errors import MalformedJson

MAX_EVENT_BYTES = 8 << 20
"""Largest event that is read; a longer one is handed on unread, and its usage is lost."""

_SSE_END = re.compile(rb"\r?\n\r?\n|\r\r")
_LINE_END = re.compile(rb"\n")


class Tap:
    """Reads one stream of events."""

    def __init__(self, reader: Reader, *, lines: bool, hide_usage: bool) -> None:
        """A tap on a stream that has not begun.

        Args:
            reader: how its events are read.
            lines: whether every line is an event, as in NDJSON; else they are server-sent events.
            hide_usage: whether events that hold nothing but usage are kept back.
        """
        self.reading = Reading()
        self._reader = reader
        self._lines = lines
        self._hide_usage = hide_usage
        self._end = _LINE_END if lines else _SSE_END
        self._usual_end = b"\n" if lines else b"\n\n"
        self._rest = b""
        self._searched = 0
        self._blind = False

    def feed(self, data: bytes) -> bytes:
        """Take what came; gives what is to be handed on now."""
        if self._blind:
            return data
        if not self._rest and data.endswith(self._usual_end):
            if self._reader.telling.search(data) is None:
                return data
        else:
            data = self._whole_events(data)
        if self._reader.telling.search(data) is None:
            return data
        return b"".join([event for event in self._split(data) if self._passes(event)])

    def finish(self) -> bytes:
        """The stream is over; gives what is left to be handed on."""
        rest, self._rest = self._rest, b""
        return rest if self._blind or self._passes(rest) else b""

    def _whole_events(self, data: bytes) -> bytes:
        """All whole events among what waits and what came; the rest waits on."""
        data = self._rest + data
        end = 0
        # An end may have begun before: three bytes of a longest end of four.
        for match in self._end.finditer(data, max(0, self._searched - 3)):
            end = match.end()
        self._rest, self._searched = data[end:], len(data) - end
        if len(self._rest) > MAX_EVENT_BYTES:
            self._rest, self._blind = b"", True
            return data
        return data[:end]

    def _split(self, data: bytes) -> list[bytes]:
        ends = [match.end() for match in self._end.finditer(data)]
        starts = [0, *ends]
        # What follows the last end is empty, unless a stream goes blind.
        return [data[start:end] for start, end in zip(starts, [*ends, len(data)], strict=True)]

    def _passes(self, event: bytes) -> bool:
        """Read one event; whether the client gets it."""
        if self._reader.telling.search(event) is None:
            return True
        value = self._value(event)
        if not isinstance(value, dict):
            return True
        self._reader.part(self.reading, value)
        return not (self._hide_usage and value.get("usage") and value.get("choices") == [])

    def _value(self, event: bytes) -> Any:
        if not self._lines:
            data = (line[5:] for line in event.splitlines() if line.startswith(b"data:"))
            event = b"\n".join(data)
        try:
            return parse(event.strip())
        except MalformedJson:
            return None
