"""What follows from a checkpoint: complete or not, what is missing, what it cost."""

from datetime import UTC, datetime
from decimal import Decimal

import msgspec
import pytest

from kcb_agents.prices import FREE, Price, PriceBook
from kcb_agents.proxy.bill import bill, total
from kcb_agents.proxy.checkpoint import Checkpoint, ModelUsage
from kcb_core.run_record import Usage

WHEN = datetime(2026, 1, 15, tzinfo=UTC)
LOCAL = PriceBook(base_url="http://localhost:8080/v1", at=WHEN)
DEAR = Price(input=Decimal(2), output=Decimal(10), cache_read=Decimal("0.5"))
USAGE = Usage(
    input_tokens=1_000_000, cache_read_tokens=2_000_000, output_tokens=100_000, reasoning_tokens=1
)


def used(model: str = "m", usage: Usage = USAGE, largest: int = 0) -> ModelUsage:
    """A row of a checkpoint."""
    return ModelUsage(model=model, usage=usage, largest_prompt_tokens=largest)


COMPLETE = Checkpoint(
    profile="toy", settled=True, requests=3, admitted=2, usage_bearing=2, models=(used(),)
)


def book(**prices: Price) -> PriceBook:
    """A local endpoint with declared prices."""
    return PriceBook(base_url=LOCAL.base_url, at=WHEN, declared=prices)


def test_complete_usage_has_a_cost() -> None:
    """Each class has its own price; reasoning is output."""
    found = bill(COMPLETE, book(m=DEAR))
    assert found.usage_complete
    assert not found.cost_is_lower_bound
    assert found.cost_usd == Decimal(2) + Decimal(1) + Decimal(1) + Decimal("0.00001")
    assert found.usage == USAGE


@pytest.mark.parametrize(
    "change",
    [{"settled": False}, {"in_flight": 1}, {"usage_bearing": 1}, {"admitted": 3}],
)
def test_partial_usage_is_a_lower_bound_without_cost(change: dict[str, int]) -> None:
    """The tokens are kept, and no dollars are made of them."""
    found = bill(msgspec.structs.replace(COMPLETE, **change), book(m=DEAR))
    assert not found.usage_complete
    assert found.cost_usd is None
    assert found.cost_is_lower_bound
    assert found.usage == USAGE
    assert found.admitted_without_usage == (1 if {"usage_bearing", "admitted"} & set(change) else 0)


def test_settled_is_not_implied_by_any_counts() -> None:
    """Between two requests the counts look the same as at the end."""
    between = msgspec.structs.replace(COMPLETE, settled=False)
    assert bill(COMPLETE, LOCAL).usage_complete
    assert not bill(between, LOCAL).usage_complete


def test_an_unknown_price_is_a_lower_bound_and_never_zero() -> None:
    """A local model has no price unless one is declared, whatever its name."""
    found = bill(msgspec.structs.replace(COMPLETE, models=(used("gpt-4o"),)), LOCAL)
    assert found.usage_complete
    assert found.cost_usd is None
    assert found.cost_is_lower_bound
    assert found.unpriced == ("gpt-4o",)


def test_a_part_without_a_price_makes_the_rest_a_lower_bound() -> None:
    """A total that lacks the price of a part is a lower bound."""
    both = msgspec.structs.replace(COMPLETE, models=(used(), used("other")))
    found = bill(both, book(m=DEAR))
    assert found.cost_usd == bill(COMPLETE, book(m=DEAR)).cost_usd
    assert found.cost_is_lower_bound
    assert found.unpriced == ("other",)
    assert found.usage.input_tokens == 2_000_000


def test_a_declared_free_model_costs_nothing() -> None:
    """Zero is known where somebody says so."""
    found = bill(COMPLETE, book(m=FREE))
    assert (found.cost_usd, found.cost_is_lower_bound) == (0, False)


def test_a_subject_that_asked_nothing_cost_nothing() -> None:
    """Nothing used needs no price."""
    found = bill(Checkpoint(profile="toy", settled=True), LOCAL)
    assert (found.cost_usd, found.cost_is_lower_bound) == (0, False)


def test_a_total_is_a_lower_bound_as_soon_as_one_bill_is() -> None:
    """The cell's and the run's total is flagged."""
    whole = bill(COMPLETE, book(m=DEAR))
    part = bill(msgspec.structs.replace(COMPLETE, settled=False), book(m=DEAR))
    assert total([whole, whole]).cost_usd == 2 * (whole.cost_usd or 0)
    assert not total([whole, whole]).is_lower_bound
    assert total([whole, part]).is_lower_bound
    assert total([whole, part]).cost_usd == whole.cost_usd
    assert total([]).cost_usd == 0


OPENAI = PriceBook(base_url="https://api.openai.com/v1", at=WHEN)
ANTHROPIC = PriceBook(base_url="https://api.anthropic.com", at=WHEN)
ROUTER = PriceBook(base_url="https://openrouter.ai/api/v1", at=WHEN)


def test_published_prices_come_with_the_version_of_their_data() -> None:
    """A report names what it was priced by."""
    price = OPENAI.price("gpt-4o")
    assert price is not None
    assert (price.input, price.output, price.cache_read) == (
        Decimal("2.5"),
        Decimal(10),
        Decimal("1.25"),
    )
    name, _, number = OPENAI.source.partition(" ")
    assert (name, number[:2]) == ("genai-prices", "0.")
    assert bill(COMPLETE, OPENAI).prices == OPENAI.source


@pytest.mark.parametrize("model", ["no-such-model-anywhere", ""])
def test_a_model_that_nobody_sells_has_no_price(model: str) -> None:
    """Not found is not free."""
    assert OPENAI.price(model) is None
    assert PriceBook(base_url="https://example.org/v1", at=WHEN).price("gpt-4o") is None


def test_a_free_model_of_a_router_is_free() -> None:
    """Its name says so."""
    assert ROUTER.price("deepseek/deepseek-chat-v3-0324:free") == FREE


def test_a_price_that_rises_with_the_prompt_is_known_up_to_its_bound() -> None:
    """A sum of tokens does not say which requests were that large."""
    price = ANTHROPIC.price("claude-sonnet-4-5")
    assert price is not None
    assert price.up_to_prompt_tokens == 200_000
    small, large = (
        bill(
            msgspec.structs.replace(COMPLETE, models=(used("claude-sonnet-4-5", largest=size),)),
            ANTHROPIC,
        )
        for size in (200_000, 200_001)
    )
    assert small.cost_usd == large.cost_usd != 0
    assert (small.cost_is_lower_bound, large.cost_is_lower_bound) == (False, True)
    assert large.unpriced == ("claude-sonnet-4-5",)
