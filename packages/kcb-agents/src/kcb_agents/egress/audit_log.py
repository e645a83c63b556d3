"""The record of everything that a subject asked of its proxy: JSON lines, bounded in size.

It uses the standard library and nothing else: a copy of it works inside the proxy.
"""

from __future__ import annotations

import json
import os
import time
from typing import Any

BEGUN, ENDED, TRUNCATED = "begun", "ended", "truncated"
"""Events of the first line, and of the last: all is there, or there was more than fits."""

MOST_FIELD = 2048
"""Characters that are kept of a field."""

_LAST_BYTES = 256
"""Room for the last line."""


class AuditLog:
    """Writes it. Once it is full, or cannot be written, it stays so, and nothing may pass."""

    def __init__(self, path: str, most_bytes: int, **begun: Any) -> None:
        """Begin a new file.

        Args:
            path: where it is to be; nothing may be there.
            most_bytes: its greatest size, the last line included.
            begun: fields of the first line.

        Raises:
            OSError: it cannot be made.
        """
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC
        self._file = os.open(path, flags, 0o600)
        self._room = most_bytes - _LAST_BYTES
        self._lines = 0
        self._begun = time.monotonic()
        self.open = True
        self.write(BEGUN, **begun)

    def write(self, event: str, **fields: Any) -> bool:
        """Append one line; whether it is there. A line that does not fit ends the file."""
        if not self.open:
            return False
        kept = {name: _short(value) for name, value in fields.items()}
        line = _line({"event": event, "at_s": self._at_s(), **kept})
        if len(line) > self._room:
            self._end(TRUNCATED)
            return False
        self._room -= len(line)
        return self._append(line)

    def close(self) -> None:
        """Append the last line, if the file has none yet; a second time does nothing."""
        if self.open:
            self._end(ENDED)

    def _end(self, event: str) -> None:
        self._append(_line({"event": event, "at_s": self._at_s(), "lines": self._lines}))
        self.open = False
        os.close(self._file)

    def _at_s(self) -> float:
        """Seconds since it was begun."""
        return round(time.monotonic() - self._begun, 3)

    def _append(self, line: bytes) -> bool:
        try:
            self.open = os.write(self._file, line) == len(line)
        except OSError:
            self.open = False
        self._lines += 1
        return self.open


def _line(fields: dict[str, Any]) -> bytes:
    return json.dumps(fields, separators=(",", ":")).encode("ascii") + b"\n"


def _short(value: Any) -> Any:
    return value[:MOST_FIELD] if isinstance(value, str) else value
