"""What an attempt has used and cost so far, from what its subject says while it runs."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from kcb_core.run_record import StatedUsage, Usage
from kcb_experiments.amount import Amount
from kcb_experiments.results import tokens_of
from kcb_experiments.spec import Price

CLASSES = (
    *("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens"),
    "reasoning_tokens",
)
_PRICES = {
    "input_tokens": "input",
    "output_tokens": "output",
    "cache_read_tokens": "cache_read",
    "cache_write_tokens": "cache_write",
    "reasoning_tokens": "reasoning",
}


def summed(usages: Iterable[Usage]) -> StatedUsage:
    """What several answers used together; a class that none of them states stays unset."""
    sums: dict[str, int] = {}
    mixed = False
    for usage in usages:
        mixed = mixed or usage.includes_reasoning is True
        for name in CLASSES:
            value = getattr(usage, name)
            if isinstance(value, int):
                sums[name] = sums.get(name, 0) + value
    return StatedUsage(**sums, includes_reasoning=True if mixed else msgspec.UNSET)


def priced(usage: StatedUsage, price: Price) -> tuple[float, bool]:
    """US dollars for some tokens, and whether a class without a price makes it a lower bound."""
    dollars, at_least = 0.0, False
    for name in CLASSES:
        tokens = getattr(usage, name)
        if not (isinstance(tokens, int) and tokens):
            continue
        each = getattr(price, _PRICES[name])
        if isinstance(each, msgspec.UnsetType):
            at_least = True
        else:
            dollars += tokens * each / 1e6
    return dollars, at_least


def charge(
    usage: StatedUsage | None,
    dollars: float | None,
    seconds: float,
    *,
    reserved: Amount,
    whole: bool,
) -> Amount:
    """What a budget is charged for an attempt.

    Args:
        usage: what the provider counted, if it did.
        dollars: what that cost, if it is known.
        seconds: working time.
        reserved: what had been set aside.
        whole: whether every answer's usage arrived; if not, tokens and dollars are charged in full.
    """
    tokens = tokens_of(usage) if usage else 0
    known = whole and usage is not None
    if known and not tokens:
        dollars = 0.0
    return Amount(
        dollars=dollars if known and dollars is not None else max(reserved.dollars, dollars or 0.0),
        tokens=tokens if known else max(reserved.tokens, tokens),
        seconds=round(seconds, 3),
    )
