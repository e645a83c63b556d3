"""Sums of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from kcb_core.run_record import Usage

_CLASSES = (
    *("input_tokens", "output_tokens"),
    *("cache_read_tokens", "cache_write_tokens", "reasoning_tokens"),
)


def sum_usage(usages: Iterable[Usage]) -> Usage:
    """Tokens of several answers together: of each class what was stated, unset if nothing was."""
    usages = list(usages)
    counts: dict[str, int] = {}
    for name in _CLASSES:
        stated = [count for usage in usages if (count := getattr(usage, name)) is not msgspec.UNSET]
        if stated:
            counts[name] = sum(stated)
    nested = any(usage.includes_reasoning is True for usage in usages)
    return Usage(**counts, includes_reasoning=True if nested else msgspec.UNSET)


def total_usage(usages: Sequence[Usage | None]) -> Usage | None:
    """The sum of what was stated; None if nothing was.

    Whether every answer stated its usage is for :func:`is_complete` to say; if not, the sum is a
    lower bound.
    """
    total = sum_usage(usage for usage in usages if usage is not None)
    return None if total == Usage() else total


def is_complete(usages: Sequence[Usage | None]) -> bool:
    """Whether every answer stated its usage."""
    return all(usage is not None for usage in usages)


def prompt_tokens(usage: Usage) -> int:
    """Tokens of a whole prompt, cached or not, as far as they were stated."""
    parts = (usage.input_tokens, usage.cache_read_tokens, usage.cache_write_tokens)
    return sum(part for part in parts if part is not msgspec.UNSET)
