"""Usage of several answers together: each class as far as it was stated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from kcb_core.run_record import Usage

_CLASSES = (
    "input_tokens",
    "output_tokens",
    "cache_read_tokens",
    "cache_write_tokens",
    "reasoning_tokens",
)


def total_usage(usages: Sequence[Usage | None]) -> Usage | None:
    """The sum of what was stated; None if nothing was.

    A class that no answer states stays unset. Whether every answer stated its usage is for
    :func:`is_complete` to say; if not, the sum is a lower bound.
    """
    stated = [usage for usage in usages if usage is not None]
    sums: dict[str, Any] = {}
    for name in _CLASSES:
        counts = [c for u in stated if (c := getattr(u, name)) is not msgspec.UNSET]
        if counts:
            sums[name] = sum(counts)
    if not sums:
        return None
    if any(usage.includes_reasoning is True for usage in stated):
        sums["includes_reasoning"] = True
    return Usage(**sums)


def is_complete(usages: Sequence[Usage | None]) -> bool:
    """Whether every answer stated its usage."""
    return all(usage is not None for usage in usages)
