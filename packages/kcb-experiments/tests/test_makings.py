"""What a report says of how its project was made: the bounds and the price that were in force."""

import json
from pathlib import Path

import msgspec
import pytest

from kcb_core.errors import DataError
from kcb_core.run_record import Cost, StatedUsage, Usage
from kcb_experiments.attempts import Attempt
from kcb_experiments.engine.makings import budget_in_force, making_of
from kcb_experiments.records import AttemptEnd, AttemptStart, Generated, Status
from kcb_experiments.spec import Bounds, Price, Subject

CELL = "t/r0/a"
USED = StatedUsage(input_tokens=1_000_000, output_tokens=100_000)
PRICE = Price(input=0.1, output=0.4, source="a list of today")


def subject(price: Price | None = PRICE) -> Subject:
    """One with bounds, and a price or none."""
    bounds = Bounds(seconds=120, tokens=30_000)
    return Subject(name="a", agent="x", bounds=bounds, price=price or msgspec.UNSET)


def attempt(usage: StatedUsage = USED, unsettled: int = 0) -> Attempt:
    """One whose subject has had its turn."""
    generated = Generated(cell=CELL, attempt=1, usage=usage, duration_s=7.5)
    start = AttemptStart(cell=CELL, attempt=1)
    return Attempt(start=start, generated=generated, unsettled=set(range(unsettled)))


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """What a worker stores of an agent with bounds of its own."""
    path = tmp_path / "generation.json"
    said = {"bounds": {"turns": 8, "seconds": 1800.0, "tokens": 2_000_000, "note": "x"}}
    budget = "8 turns, 1800 s, 2000000 estimated tokens"
    run_record = {"budget": budget, "wall_s": 3.0, "cost": {"dollars": 9.0}}
    path.write_text(json.dumps({"run_record": run_record, "said": said}))
    return path


def test_a_budget_is_what_was_in_force() -> None:
    """The agent's own bound counts where it is the tighter one, and nowhere else."""
    given = Bounds(seconds=120, tokens=30_000, dollars=0.5)
    assert budget_in_force(given, {}) == "120 s, 30000 tokens, 0.5 dollars"
    own = {"seconds": 60.0, "tokens": 2_000_000, "turns": 8}
    assert budget_in_force(given, own) == "60 s, 30000 tokens, 0.5 dollars"
    assert budget_in_force(Bounds(), {"tokens": 2_000_000}) == "900 s, 2000000 tokens"


def test_a_report_has_the_bounds_and_the_price_of_the_spec(record: Path) -> None:
    """What an agent says of its own defaults would tell apart arms with equal bounds."""
    found = making_of(subject(), attempt(), record).record
    assert found.budget == "120 s, 30000 tokens"
    assert found.cost == Cost(
        dollars=0.14,
        prices="dollars a million tokens: input 0.1, output 0.4 (a list of today)",
    )
    assert found.wall_s == 3.0
    assert found.usage == Usage(input_tokens=1_000_000, output_tokens=100_000)


def test_one_that_was_cut_off_says_what_is_known_all_the_same() -> None:
    """No file, or none of it: what the experiment counted, and for how long."""
    found = making_of(subject(), attempt(), None).record
    assert (found.budget, found.wall_s) == ("120 s, 30000 tokens", 7.5)
    partly = making_of(subject(), attempt(unsettled=1), None).record.cost
    assert isinstance(partly, Cost)
    assert (partly.dollars, partly.lower_bound) == (0.14, True)


def test_without_a_price_the_agent_s_word_stands(record: Path) -> None:
    """The spec says nothing of what it cost, and neither does this."""
    assert making_of(subject(None), attempt(), record).record.cost == Cost(dollars=9.0)
    assert making_of(subject(None), attempt(), None).record.cost is msgspec.UNSET


def test_an_end_says_what_was_used_when_it_is_judged_again(record: Path) -> None:
    """An attempt that is over has its numbers there."""
    over = attempt(usage=StatedUsage())
    over.end = AttemptEnd(
        cell=CELL, attempt=1, status=Status.COMPLETED, score=1.0, usage=USED, duration_s=8.0
    )
    cost = making_of(subject(), over, record).record.cost
    assert isinstance(cost, Cost)
    assert cost.dollars == 0.14


def test_a_record_that_is_none_is_refused(tmp_path: Path) -> None:
    """Nothing is invented for it."""
    path = tmp_path / "generation.json"
    path.write_text('{"run_record": {"budgets": "x"}}')
    with pytest.raises(DataError, match="budgets"):
        making_of(subject(), attempt(), path)
