"""What a trial pays: a declared price before a published one, and no bound without a price."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from kcb_agents.action_loop.loop_agent import LoopOptions
from kcb_agents.coding.coding_agent import CodingOptions
from kcb_agents.command.choices import CommandOptions
from kcb_agents.endpoint.clock import SystemClock
from kcb_agents.endpoint_line import EndpointLine, EndpointLines
from kcb_agents.prices import Price, PriceBook
from kcb_agents.tariff import UNKNOWN, Tariff, tariff
from kcb_agents.testing.provider import Provider
from kcb_core.errors import DeclarationError
from kcb_core.roles import TaskBudget
from kcb_core.run_record import Usage

WHEN = datetime(2026, 1, 1, tzinfo=UTC)
BUDGET = TaskBudget(turns=3, dollars=0.5, seconds=40.0)
DECLARED = {"price_input": 1.0, "price_output": 10.0}


class Sold:
    """A line to a model that is sold somewhere."""

    def __init__(self, base_url: str, model: str) -> None:
        self.sold = model
        self._book = PriceBook(base_url=base_url, at=WHEN)

    def price(self, declared: Price | None) -> Price | None:
        """As an endpoint's line has it."""
        return declared or self._book.price(self.sold)


HOSTED = Sold("https://api.openai.com/v1", "gpt-4o")
LOCAL = Sold("http://localhost:8080/v1", "gpt-4o")


def held(line: Any, budget: TaskBudget | None = None, **options: Any) -> Tariff:
    """The tariff of a trial."""
    generation: Any = SimpleNamespace(budget=budget)
    return tariff(generation, CodingOptions(**options), line, agent="coding")


def test_a_published_price_is_enough_for_a_bound() -> None:
    """Nobody has to type what a list knows."""
    found = held(HOSTED, dollars=0.25)
    assert found.dollars == 0.25
    assert found.cost(Usage(input_tokens=1_000_000)) == 2.5


def test_a_declared_price_goes_before_a_published_one() -> None:
    """Whoever declares it knows the contract."""
    assert held(HOSTED, **DECLARED).price == Price(input=Decimal("1.0"), output=Decimal("10.0"))


def test_a_bound_without_a_price_is_refused() -> None:
    """It could never be reached."""
    with pytest.raises(DeclarationError, match="'dollars': no price of 'gpt-4o' is known there"):
        held(LOCAL, dollars=0.25)


def test_the_bound_of_the_task_holds_where_a_price_is_known() -> None:
    """Elsewhere turns and seconds bound the trial; a bound of the caller's goes before."""
    assert held(HOSTED, BUDGET).dollars == 0.5
    assert held(HOSTED, BUDGET, dollars=0.1).dollars == 0.1
    assert held(LOCAL, BUDGET).dollars is None
    assert held(LOCAL, BUDGET, **DECLARED).dollars == 0.5
    assert held(HOSTED).dollars is None


def test_what_is_not_known_is_not_taken_for_free() -> None:
    """No price, no usage, or a prompt larger than the price is for."""
    small = Price(input=Decimal(1), output=Decimal(1), up_to_prompt_tokens=10)
    assert UNKNOWN.cost(Usage(input_tokens=5)) is None
    assert Tariff(price=small).cost(None) is None
    assert Tariff(price=small).cost(Usage(input_tokens=10)) == 1e-5
    assert Tariff(price=small).cost(Usage(input_tokens=8, cache_read_tokens=3)) is None


@pytest.mark.parametrize("options", [CodingOptions, LoopOptions, CommandOptions])
def test_all_agents_that_pay_read_prices_alike(options: Any) -> None:
    """One price without the other is none, and both are dollars for a million tokens."""
    program = {"argv": "x"} if options is CommandOptions else {}
    assert options(**program).declared_price is None
    declared = options(**program, **DECLARED).declared_price
    assert declared.cost(Usage(input_tokens=1000, output_tokens=100)) == Decimal("0.002")
    with pytest.raises(msgspec.ValidationError, match="go together"):
        msgspec.convert({**program, "price_input": 1.0}, options)


def test_a_server_on_this_machine_sells_nothing_unless_it_is_said() -> None:
    """By the line that agents use."""
    with Provider().serving() as server:
        settings = {"base_url": server.url, "model": "gpt-4o", "api": "openai"}
        connection = EndpointLines(SystemClock()).connection(settings)
        asking: Any = SimpleNamespace(connection=connection, clock=SystemClock())
        line = EndpointLine(asking=asking)
    price = Price(input=Decimal(1), output=Decimal(2))
    assert line.sold == "gpt-4o"
    assert line.price(None) is None
    assert line.price(price) == price
