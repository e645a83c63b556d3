"""What follows from a checkpoint: whether it is complete, what is missing, what it cost.

One pure function, for whoever reads a checkpoint, so that no two of them can disagree.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from kcb_agents.prices import PriceBook
from kcb_agents.proxy.checkpoint import Checkpoint
from kcb_agents.tokens import sum_usage
from kcb_core.run_record import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Bill:
    """What a subject has used, and what that cost."""

    usage: Usage
    """Tokens of all models: the whole if ``usage_complete``, else a lower bound."""
    usage_complete: bool
    admitted_without_usage: int
    """Requests that the provider will bill, without having said what for."""
    cost_usd: Decimal | None
    """Dollars; None if usage is not complete, or no price is known of anything that was used."""
    cost_is_lower_bound: bool
    """Whether something was used, or may have been, that ``cost_usd`` does not hold."""
    unpriced: tuple[str, ...] = ()
    """Models whose price is not known, or not for prompts as large as they got."""
    prices: str = ""
    """Where the prices come from, with its version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """Dollars of several bills."""

    cost_usd: Decimal
    is_lower_bound: bool


def bill(checkpoint: Checkpoint, book: PriceBook) -> Bill:
    """What a checkpoint says, with the prices of a book."""
    usage = sum_usage(row.usage for row in checkpoint.models)
    missing = checkpoint.admitted - checkpoint.usage_bearing
    complete = checkpoint.settled and checkpoint.in_flight == 0 and missing == 0
    costs, unpriced = [], []
    for row in checkpoint.models:
        price = book.price(row.model)
        if price is not None:
            costs.append(price.cost(row.usage))
        if price is None or not price.covers(row.largest_prompt_tokens):
            unpriced.append(row.model)
    known = complete and (costs or not unpriced)
    return Bill(
        usage=usage,
        usage_complete=complete,
        admitted_without_usage=missing,
        cost_usd=sum(costs, Decimal(0)) if known else None,
        cost_is_lower_bound=not complete or bool(unpriced),
        unpriced=tuple(unpriced),
        prices=book.source,
    )


def total(bills: Iterable[Bill]) -> Total:
    """The dollars of several bills; a lower bound as soon as one of them is, or has no cost."""
    bills = list(bills)
    return Total(
        cost_usd=sum((bill.cost_usd or Decimal(0) for bill in bills), Decimal(0)),
        is_lower_bound=any(bill.cost_is_lower_bound for bill in bills),
    )
