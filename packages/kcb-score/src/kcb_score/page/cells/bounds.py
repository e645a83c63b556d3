"""How much of a transcript a page holds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a page shows of what a cell has left."""

    characters: int
    """Of each text; the rest is a number."""
    records: int
    """Of the transcript; what is left out is in its middle."""


LADDER = (Bounds(8_000, 2_000), Bounds(2_000, 2_000), Bounds(500, 1_000), Bounds(100, 300))
"""The widest that a page has room for is taken."""

FOLDED_FROM = 600
"""Characters of a text from which on it is folded."""

MOST_BYTES = 3_000_000
"""How large a page may be."""
