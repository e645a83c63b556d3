"""How many tokens one generation may use of a model, and has used.

A request is reckoned before it is sent: no tokenizer makes more tokens than bytes of it, and its
reply is limited to what is left. Once it is answered, the endpoint's own count takes the place of
that; where it counts nothing, the worst is taken to have come. A request that is made again since
it failed counts once: whether somebody charges for the failed one too, nobody says.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from kcb_core.run_record import Usage


@dataclass(slots=True, kw_only=True)
class Allowance:
    """The tokens of one generation."""

    tokens: int | None = None
    """Most that it may use; None if nobody bounds it."""
    used: int = 0

    def room(self, request_bytes: int) -> int | None:
        """Most tokens that the reply to a request may have; None for any number."""
        return None if self.tokens is None else self.tokens - self.used - request_bytes

    def forbids(self, request_bytes: int) -> str:
        """Why such a request has no room, in one line; empty if it has."""
        room = self.room(request_bytes)
        if room is None or room > 0:
            return ""
        return (
            f"its {self.tokens} tokens leave no room for another request: {self.used} are used, "
            f"and its {request_bytes} bytes may be as many tokens"
        )

    def settle(self, usage: Usage | None, worst: int) -> None:
        """Count what a request came to.

        Args:
            usage: what the endpoint counted, if it did.
            worst: the most that it may have come to.
        """
        self.used += worst if usage is None else total(usage)


def total(usage: Usage) -> int:
    """Tokens of all classes, those of thoughts once."""
    names = ["input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens"]
    if usage.includes_reasoning is not True:
        names.append("reasoning_tokens")
    counts = (getattr(usage, name) for name in names)
    return sum(count for count in counts if count is not msgspec.UNSET)
