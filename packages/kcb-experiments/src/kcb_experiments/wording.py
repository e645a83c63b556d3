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


def share(value: float, *, signed: bool = False) -> str:
    """A share in per cent."""
    return f"{value:{'+' if signed else ''}.1%}"


def measure(value: Measure, *, signed: bool = False) -> str:
    """A share, or its two bounds, or that there is none."""
    if value.value is not None:
        text = share(value.value, signed=signed)
    elif value.at_least is not None and value.at_most is not None:
        text = f"{share(value.at_least)} to {share(value.at_most)}"
    else:
        return "–"
    return f"{text} {interval(value.interval, signed=signed)}".strip()


def interval(value: Interval | None, *, signed: bool = False) -> str:
    """An interval in brackets, or nothing."""
    if value is None:
        return ""
    return f"[{share(value.low, signed=signed)}, {share(value.high, signed=signed)}]"


def listed(counts: dict[str, int]) -> str:
    """Words and their numbers: ``2 void, 1 interrupted``."""
    return ", ".join(f"{number} {word}" for word, number in counts.items()) or "none"
