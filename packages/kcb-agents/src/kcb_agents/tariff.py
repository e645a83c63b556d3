"""What a trial pays for answers, and the most that it may: one rule for all agents with prices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import msgspec

from kcb_agents.line import Line
from kcb_agents.prices import Price
from kcb_core.errors import DeclarationError
from kcb_core.roles import Generation
from kcb_core.run_record import Usage


class Priced(Protocol):
    """Options of an agent that may say what its model costs."""

    @property
    def dollars(self) -> float | msgspec.UnsetType:
        """The most that a trial may cost."""
        ...

    @property
    def declared_price(self) -> Price | None:
        """The price that was declared, if one was."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Tariff:
    """The price of a model and the bound on what a trial may cost."""

    price: Price | None = None
    dollars: float | None = None

    def cost(self, usage: Usage | None) -> float | None:
        """Dollars of one answer; None where its usage, or the price of so large a prompt, is not
        known.
        """
        if self.price is None or usage is None:
            return None
        parts = (usage.input_tokens, usage.cache_read_tokens, usage.cache_write_tokens)
        prompt = sum(count for count in parts if count is not msgspec.UNSET)
        return float(self.price.cost(usage)) if self.price.covers(prompt) else None


UNKNOWN = Tariff()
"""For whoever knows no prices, and bounds nothing by them."""


def tariff(generation: Generation, options: Priced, line: Line, *, agent: str) -> Tariff:
    """What holds for a trial.

    A bound that is set must be one that can be reckoned with. The bound of the task itself holds
    wherever a price is known and no other was set.

    Raises:
        DeclarationError: a bound was set, and no price is known.
    """
    price = line.price(options.declared_price)
    if options.dollars is not msgspec.UNSET:
        if price is None:
            raise DeclarationError(
                f"agent {agent!r}: field 'dollars': no price of {line.sold!r} is known there; "
                "declare 'price_input' and 'price_output'"
            )
        return Tariff(price=price, dollars=options.dollars)
    allowed = generation.budget.dollars if price and generation.budget else None
    return Tariff(price=price, dollars=allowed)
