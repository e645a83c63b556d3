"""The value that every interval is."""

from __future__ import annotations

from math import isfinite

from kcb_core.report import Document


class Interval(Document, frozen=True, kw_only=False, omit_defaults=False):
    """Where a number may lie, for all that the tasks at hand tell."""

    low: float
    high: float
    level: float = 0.95
    """Share of repeated studies whose interval holds the true number."""
    method: str = "wilson"
    """How it was computed; docs/explanation/scoring.md names each."""

    def __post_init__(self) -> None:
        if not (isfinite(self.low) and isfinite(self.high) and self.low <= self.high):
            raise ValueError("an interval has two finite ends, the lower one first")
        if not 0 < self.level < 1:
            raise ValueError("the level of an interval lies between 0 and 1")
