"""How long the tasks take, when the last one will be done, and whether another fits in."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import mean

from kcb_core.errors import DeclarationError

_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*([smh]?)", re.ASCII)
_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}


def read_duration(text: str) -> float:
    """The seconds that a text such as ``90``, ``30m`` or ``2h`` names.

    Raises:
        DeclarationError: it names none.
    """
    found = _DURATION.fullmatch(text.strip().lower())
    seconds = float(found[1]) * _UNITS[found[2]] if found else 0.0
    if not 0 < seconds < 1e8:
        raise DeclarationError(f"{text!r} is no duration such as 90s, 30m or 2h")
    return seconds


def say_duration(seconds: float) -> str:
    """A duration as a person reads it."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60:02} min"


@dataclass(slots=True, kw_only=True)
class Schedule:
    """The time of one run."""

    now: Callable[[], float]
    """Seconds since some moment; never set back."""
    budget_s: float | None = None
    """How long all tasks together may take; None for as long as they need."""
    begun: float = field(init=False)
    took_s: list[float] = field(default_factory=list)
    """Wall time of each task so far."""

    def __post_init__(self) -> None:
        self.begun = self.now()

    def took(self, seconds: float) -> None:
        """Note that a task is done."""
        self.took_s.append(seconds)

    @property
    def has_time(self) -> bool:
        """Whether another task would be done in time, if it takes as long as those before it."""
        if self.budget_s is None:
            return True
        usual = mean(self.took_s) if self.took_s else 0.0
        return self.now() - self.begun + usual < self.budget_s

    def needed_s(self, tasks: int) -> float:
        """How long some more tasks will take, as far as those before them tell."""
        return tasks * mean(self.took_s) if self.took_s else 0.0

    def outlook(self, tasks: int) -> str:
        """How long the rest will take, and how much of it there is time for, in one line."""
        needed_s = self.needed_s(tasks)
        line = f"{say_duration(needed_s)} for the other {tasks} tasks, if each takes as long"
        if self.budget_s is None or not self.took_s:
            return line
        left_s = max(0.0, self.budget_s - (self.now() - self.begun))
        fit = min(tasks, int(left_s / max(mean(self.took_s), 1e-9)))
        return line if fit == tasks else f"{line}; the time budget is enough for {fit} of them"
