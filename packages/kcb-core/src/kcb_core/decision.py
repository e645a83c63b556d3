"""Decisions on checks that have never failed: the part of a drill's declaration that records them.

A check that never failed may be worn out. Before the next cycle of live trials somebody looks at it
and writes down, in the source of its drill, whether it is kept, sharpened or retired, and why.
"""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import msgspec

from kcb_core.codec import convert, parse_by_name
from kcb_core.storage import read_bounded

_Words = Annotated[str, msgspec.Meta(min_length=1)]


class Review(StrEnum):
    """What was decided about a check."""

    KEPT = "kept"
    """It stays as it is."""
    SHARPENED = "sharpened"
    """It was made harder to pass."""
    RETIRED = "retired"
    """It is no longer declared."""


class Decision(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry of ``decisions``."""

    check: _Words
    """Name of the check."""
    date: date
    """The day of the decision; a TOML date, or ``YYYY-MM-DD`` in quotes."""
    decision: Review
    why: _Words
    """The reason, for whoever reviews it next."""


class DrillDecisions(msgspec.Struct, frozen=True, kw_only=True):
    """What a drill's declaration says of reviews; its other fields are not looked at."""

    drill: _Words
    """Name of the drill, as in its reports."""
    tool: _Words
    """Name of the tool, as in its reports."""
    decisions: tuple[Decision, ...] = ()

    def latest(self, check: str, until: date) -> Decision | None:
        """The newest decision on a check that was taken on this day or before."""
        taken = [one for one in self.decisions if one.check == check and one.date <= until]
        return max(taken, key=lambda one: one.date, default=None)


def read_decisions(path: Path) -> DrillDecisions:
    """The decisions in a drill's declaration, in TOML or JSON.

    Raises:
        DeclarationError: the file cannot be read.
        DataError: it is malformed, or no declaration of a drill; the field is named.
    """
    source = str(path)
    value = parse_by_name(read_bounded(path), source=source)
    return convert(value, DrillDecisions, source=source)
