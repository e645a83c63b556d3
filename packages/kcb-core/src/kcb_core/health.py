"""What ``doctor`` asks: one question about this machine each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """How a question about this machine was answered."""

    OK = "ok"
    WARNING = "warning"
    """Something works less well; the remedy says what to do."""
    BROKEN = "broken"
    """Something that is needed does not work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """The answer to one question about this machine."""

    verdict: Verdict
    summary: str
    """One line."""
    remedy: str = ""
    """What to do about it, where something is to be done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthCheck:
    """One question about this machine, and how it is answered."""

    name: str
    """Unique, such as ``runner.probe``."""
    check: Callable[[], Health]
    """Answers it; what it raises counts as broken."""
