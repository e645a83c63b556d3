"""Amounts, times and numbers in words for tables."""

from __future__ import annotations

from collections.abc import Collection

from kcb_core.score import Interval, Measure
from kcb_experiments.amount import Amount


def duration(seconds: float) -> str:
    """A time as people say it: ``45 s``, ``12 min``, ``3 h 5 min``."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"{minutes} min"
    hours, rest = divmod(minutes, 60)
    return f"{hours:,} h {rest} min" if rest else f"{hours:,} h"


def dollars(value: float, *, at_least: bool = False) -> str:
    """US dollars, with as many digits as a small sum needs."""
    text = f"${value:,.2f}" if value >= 1 or not value else f"${value:.4f}"
    return f"at least {text}" if at_least else text


def of_name(name: str, value: float) -> str:
    """One of the things that an amount holds, by its name there."""
    if name == "dollars":
        return dollars(value)
    return duration(value) if name == "seconds" else f"{value:,.0f}"


def amount(value: Amount, unbounded: Collection[str] = ()) -> str:
    """All that an amount holds, on one line.

    Args:
        value: the amount.
        unbounded: names of what is not in it, since nobody knows it.
    """
    money = "dollars unknown" if "dollars" in unbounded else dollars(value.dollars)
    tokens = "tokens unknown" if "tokens" in unbounded else f"{value.tokens:,} tokens"
    return f"{money}, {tokens}, {duration(value.seconds)}"


def share(value: float) -> str:
    """A share in per cent."""
    return f"{value:.1%}"


def measure(value: Measure) -> str:
    """A share, or its two bounds, or that there is none."""
    if value.value is not None:
        text = share(value.value)
    elif value.at_least is not None and value.at_most is not None:
        text = f"{share(value.at_least)} to {share(value.at_most)}"
    else:
        return "–"
    return f"{text} {_interval(value.interval)}".strip()


def _interval(value: Interval | None) -> str:
    """An interval in brackets, or nothing."""
    return f"[{share(value.low)}, {share(value.high)}]" if value else ""


def points(value: float, *, signed: bool = False) -> str:
    """A difference of two shares, in percentage points."""
    return f"{_points(value, signed=signed)} points"


def difference(value: Measure) -> str:
    """A difference of two shares in percentage points with its interval, or that there is none."""
    if value.value is None:
        return "–"
    around = value.interval
    if around is None:
        return points(value.value, signed=True)
    low, high = (_points(end, signed=True) for end in (around.low, around.high))
    return f"{points(value.value, signed=True)} [{low}, {high}]"


def _points(value: float, *, signed: bool) -> str:
    return f"{100 * value:{'+' if signed else ''}.1f}"


def counted(number: int, noun: str) -> str:
    """A number of things: ``1 pair``, ``2 pairs``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listed(counts: dict[str, int]) -> str:
    """Words and their numbers: ``2 void, 1 interrupted``."""
    return ", ".join(f"{number} {word}" for word, number in counts.items()) or "none"
