"""What an attempt may cost, or did: dollars, tokens, seconds."""

from __future__ import annotations

from math import isfinite

import msgspec


class Amount(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """An amount of everything that a budget caps."""

    dollars: float = 0.0
    """US dollars."""
    tokens: int = 0
    """Tokens of all classes together."""
    seconds: float = 0.0
    """Working time of attempts, without the time that they waited for an endpoint."""

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if not (isfinite(value) and value >= 0):
                raise ValueError(f"field {name!r} must be a number from 0 on")

    def __add__(self, other: Amount) -> Amount:
        return Amount(
            dollars=self.dollars + other.dollars,
            tokens=self.tokens + other.tokens,
            seconds=self.seconds + other.seconds,
        )
