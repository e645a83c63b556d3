"""Sees that a model says the same over and over, so that it is not heard to the end of its limit.

Small models fall into loops that only an output limit ends, often after many minutes. What is taken
for one is exact and long: no program needs a line, or a block of them, so often in a row.
"""

from __future__ import annotations

from dataclasses import dataclass, field

WINDOW = 6000
"""Characters that must repeat themselves."""

UNIT = 500
"""Longest text that may be what is repeated, so that it is there a dozen times at least."""

_EVERY = 512
_MARK = 64


def loops(text: str) -> bool:
    """Whether the end of a text is one short piece over and over."""
    tail = text[-WINDOW:]
    if len(tail) < WINDOW or not tail.strip():
        return False
    # The distance to where the last characters stood before is the only candidate for a period.
    before = tail.rfind(tail[-_MARK:], 0, -1)
    period = len(tail) - _MARK - before
    return before >= 0 and period <= UNIT and tail[period:] == tail[:-period]


@dataclass(slots=True)
class LoopGuard:
    """Looks at a text while it grows."""

    _parts: list[str] = field(default_factory=list)
    _fresh: int = 0

    def feed(self, text: str) -> bool:
        """Add some text, and say whether the whole goes round in circles."""
        self._parts.append(text)
        self._fresh += len(text)
        if self._fresh < _EVERY:
            return False
        self._fresh = 0
        tail = "".join(self._parts)[-WINDOW:]
        self._parts = [tail]
        return loops(tail)
