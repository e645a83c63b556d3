"""Results of tools in full, so that the model can read back what its context holds no more."""

from __future__ import annotations

from kcb_agents.coding.hands.pages import LINES, page

PREFIX = "archive:"

LARGEST = 1 << 20
"""Most characters of one result that are kept."""

ROOM = 64 << 20
"""Most characters of all results; the oldest give way."""


class Archive:
    """Results by name. The names are numbers in the order of the results."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._count = 0
        self._size = 0

    def keep(self, text: str) -> str:
        """Keep a result, and give its name."""
        self._count += 1
        name = f"{PREFIX}{self._count}"
        self._texts[name] = text[:LARGEST]
        self._size += min(len(text), LARGEST)
        while self._size > ROOM:
            oldest = next(iter(self._texts))
            self._size -= len(self._texts.pop(oldest))
        return name

    def read(self, name: str, offset: int = 1, limit: int = LINES) -> str | None:
        """A page of a result; None if there is none of that name."""
        text = self._texts.get(name)
        return None if text is None else page(text, offset, limit)
