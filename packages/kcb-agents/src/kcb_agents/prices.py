"""What tokens cost: declared by the caller, or from the data of ``genai-prices``.

Those are shipped with that library, so nothing is asked of anybody and a version of it is a version
of the prices. A price that nobody knows is never taken for zero, and a server of one's own has no
price unless one is declared.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from importlib.metadata import version

import msgspec

from kcb_agents.endpoint.address import is_loopback
from kcb_core.run_record import Usage

SOURCE = "genai-prices"

_PER = Decimal(1_000_000)
_FREE_ENDING = ":free"


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """US dollars for a million tokens."""

    input: Decimal
    output: Decimal
    """For reasoning too."""
    cache_read: Decimal | None = None
    """As ``input`` if it is not given."""
    cache_write: Decimal | None = None
    """As ``input`` if it is not given."""
    up_to_prompt_tokens: int | None = None
    """The largest prompt for which this is the price; larger ones cost more."""

    def cost(self, usage: Usage) -> Decimal:
        """Dollars for some tokens; classes that were not stated cost nothing."""
        read = self.input if self.cache_read is None else self.cache_read
        write = self.input if self.cache_write is None else self.cache_write
        parts = (
            (usage.input_tokens, self.input),
            (usage.output_tokens, self.output),
            (usage.reasoning_tokens, self.output),
            (usage.cache_read_tokens, read),
            (usage.cache_write_tokens, write),
        )
        known = (count * price for count, price in parts if count is not msgspec.UNSET)
        return sum(known, Decimal(0)) / _PER

    def covers(self, largest_prompt_tokens: int) -> bool:
        """Whether prompts up to this size have this price."""
        bound = self.up_to_prompt_tokens
        return bound is None or largest_prompt_tokens <= bound


def declared_price(
    asked: float | msgspec.UnsetType, said: float | msgspec.UnsetType
) -> Price | None:
    """A price as options declare it, in dollars for a million tokens; None if they do not."""
    if asked is msgspec.UNSET or said is msgspec.UNSET:
        return None
    return Price(input=Decimal(str(asked)), output=Decimal(str(said)))


FREE = Price(input=Decimal(0), output=Decimal(0))
"""The price of a model on a machine of one's own, where somebody declares it so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceBook:
    """The prices of one endpoint at one time."""

    base_url: str
    """Where the models answer, since one model has many prices."""
    at: datetime
    """When it was used, aware of its time zone: prices change, some within the day."""
    declared: Mapping[str, Price] = field(default_factory=dict)
    """Prices by model id; they go before any other."""

    @property
    def source(self) -> str:
        """Where the prices come from, with its version, as a report names it."""
        return f"{SOURCE} {version(SOURCE)}"

    def price(self, model: str) -> Price | None:
        """The price of a model, or None if nobody knows it."""
        if model in self.declared:
            return self.declared[model]
        # A local server may call its model like one that somebody sells.
        return None if is_loopback(self.base_url) else _published(self, model)


def _published(book: PriceBook, model: str) -> Price | None:
    # Its data take most of a second to load, and only who pays has to wait for them.
    from genai_prices import Usage as NoUsage  # noqa: PLC0415
    from genai_prices import calc_price  # noqa: PLC0415
    from genai_prices.types import TieredPrices  # noqa: PLC0415

    try:
        found = calc_price(
            NoUsage(), model, provider_api_url=book.base_url, genai_request_timestamp=book.at
        ).model_price
    except LookupError:
        return None
    stated = {
        "input": found.input_mtok,
        "output": found.output_mtok,
        "cache_read": found.cache_read_mtok,
        "cache_write": found.cache_write_mtok,
    }
    tiers = [price for price in stated.values() if isinstance(price, TieredPrices)]
    bounds = [tier.start for price in tiers for tier in price.tiers]
    plain = {
        name: price.base if isinstance(price, TieredPrices) else price
        for name, price in stated.items()
        if price is not None
    }
    if not {"input", "output"} <= plain.keys():
        # Without a price in the list, only a name that says so is free.
        return FREE if model.endswith(_FREE_ENDING) else None
    return Price(**plain, up_to_prompt_tokens=min(bounds, default=None))
