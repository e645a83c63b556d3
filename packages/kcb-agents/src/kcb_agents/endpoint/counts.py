"""Tokens in five disjoint classes, from counts that endpoints nest in each other."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from kcb_core.run_record import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What an endpoint states, nested as most of them do; None is what it does not state."""

    prompt: int | None = None
    """Tokens of the whole prompt, those of a cache among them."""
    completion: int | None = None
    """Tokens of the whole answer, reasoning among them."""
    total: int | None = None
    read: int | None = None
    """Prompt tokens that came from a cache."""
    written: int | None = None
    """Prompt tokens that went into one."""
    reasoning: int | None = None

    def usage(self) -> Usage | None:
        """The same as disjoint classes; None if nothing was stated.

        Some endpoints count reasoning beside the completion, which their total shows. What is not
        stated as a count stays unset: nothing is estimated, and 0 is a count.
        """
        known = {
            "input_tokens": _less(self.prompt, (self.read or 0) + (self.written or 0)),
            "output_tokens": _less(self.completion, 0 if self._beside else self.reasoning or 0),
            "cache_read_tokens": self.read,
            "cache_write_tokens": self.written,
            "reasoning_tokens": self.reasoning,
        }
        stated = {name: count for name, count in known.items() if count is not None}
        if not stated:
            return None
        nested = self.completion is not None and self.reasoning is None
        return Usage(**stated, includes_reasoning=True if nested else msgspec.UNSET)

    @property
    def _beside(self) -> bool:
        """Whether reasoning is counted beside the completion."""
        parts = (self.prompt, self.completion, self.reasoning)
        return None not in parts and sum(part or 0 for part in parts) == self.total


def _less(count: int | None, nested: int) -> int | None:
    """A count without what is nested in it; unknown if the two do not fit."""
    return None if count is None or nested > count else count - nested
