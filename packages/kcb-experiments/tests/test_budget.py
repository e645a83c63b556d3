"""The budget: whatever runs at once, settled and reserved together stay under every cap."""

import multiprocessing
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from multiprocessing.managers import BaseManager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcb_experiments.amount import Amount
from kcb_experiments.budget import Budget, Room
from kcb_experiments.spec import Caps

DIME = Amount(dollars=0.1, tokens=10, seconds=1.0)


def spend(budget: Budget, worker: int, tries: int) -> int:
    """Reserve and settle in turns, now in full, now in part, now not at all; how often it could."""
    made = 0
    for turn in range(tries):
        key = f"{worker}/{turn}"
        if budget.reserve(key, DIME) is not Room.RESERVED:
            continue
        made += 1
        if turn % 3 == 0:
            budget.release(key)
        else:
            budget.settle(key, None if turn % 3 == 1 else Amount(dollars=0.05))
    return made


def test_sixteen_threads_never_exceed_a_cap() -> None:
    """Checking first and adding later lets sixteen at once through a gap that has room for one."""
    budget = Budget(Caps(dollars=3.0))
    switch = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    seen: list[float] = []

    def work(worker: int) -> int:
        made = spend(budget, worker, 60)
        seen.append(budget.held.dollars)
        return made

    try:
        with ThreadPoolExecutor(16) as pool:
            made = sum(pool.map(work, range(16)))
    finally:
        sys.setswitchinterval(switch)
    assert max(seen) <= 3.0
    assert budget.held.dollars == budget.spent.dollars
    assert 2.9 < budget.spent.dollars <= 3.0
    assert made < 16 * 60
    assert budget.reserve("one more", DIME) is Room.NEVER


class Office(BaseManager):
    """Gives a budget to other processes."""


Office.register("Budget", Budget, exposed=("reserve", "settle", "release"))


def test_sixteen_processes_never_exceed_a_cap() -> None:
    """The writer's process has the budget, and workers of any kind ask it."""
    context = multiprocessing.get_context("fork")
    with Office(ctx=context) as office:
        budget = office.Budget(Caps(tokens=300))  # type: ignore[attr-defined]
        with context.Pool(16) as pool:
            jobs = [pool.apply_async(hold, (budget, worker)) for worker in range(16)]
            held = [job.get(timeout=60) for job in jobs]
    assert sum(held) * DIME.tokens == 300


def hold(budget: Budget, worker: int) -> int:
    """How many of five reservations one process got and kept."""
    return sum(budget.reserve(f"{worker}/{turn}", DIME) is Room.RESERVED for turn in range(5))


amounts = st.builds(
    Amount,
    dollars=st.floats(0, 10),
    tokens=st.integers(0, 1000),
    seconds=st.floats(0, 1000),
)
steps = st.lists(st.tuples(st.sampled_from("rsux"), st.integers(0, 5), amounts, st.floats(0, 1)))


@given(steps=steps, cap=st.floats(0.01, 40))
def test_no_order_of_steps_exceeds_a_cap(
    steps: list[tuple[str, int, Amount, float]], cap: float
) -> None:
    """As long as nothing costs more than it reserved, the sum is exact and stays under the cap."""
    budget = Budget(Caps(dollars=cap))
    open_now: dict[str, Amount] = {}
    for what, number, worst, share in steps:
        key = str(number)
        if what == "r" and key not in open_now:
            if budget.reserve(key, worst) is Room.RESERVED:
                open_now[key] = worst
        elif what == "s" and key in open_now:
            budget.settle(key, Amount(dollars=open_now.pop(key).dollars * share))
        elif what == "u" and key in open_now:
            budget.settle(key, None)
            del open_now[key]
        elif what == "x" and key in open_now:
            budget.release(key)
            del open_now[key]
        assert Fraction(budget.held.dollars) <= Fraction(cap)


def test_a_tenth_fits_ten_times_and_no_more() -> None:
    """Floats that are added drift; a cap that is reached exactly is not exceeded."""
    budget = Budget(Caps(tokens=100))
    rooms = [budget.reserve(str(n), DIME) for n in range(11)]
    assert rooms == [Room.RESERVED] * 10 + [Room.LATER]


def test_what_may_fit_later_is_not_exhausted() -> None:
    """A cell must not be refused for ever because another happens to run beside it."""
    budget = Budget(Caps(dollars=1.0))
    assert budget.reserve("a", Amount(dollars=0.9)) is Room.RESERVED
    assert budget.reserve("b", Amount(dollars=0.2)) is Room.LATER
    budget.settle("a", Amount(dollars=0.1))
    assert budget.reserve("b", Amount(dollars=0.2)) is Room.RESERVED
    assert budget.reserve("c", Amount(dollars=0.95)) is Room.NEVER


def test_usage_that_never_arrived_is_charged_in_full() -> None:
    """The provider may have counted all of it; hoping that it did not is no budget."""
    budget = Budget(Caps(dollars=1.0))
    budget.reserve("a", Amount(dollars=0.7))
    budget.settle("a", None)
    assert budget.spent.dollars == 0.7


def test_more_than_was_reserved_is_charged_and_ends_the_rest() -> None:
    """A wrong bound must show, and nothing is begun on top of it."""
    budget = Budget(Caps(dollars=1.0))
    budget.reserve("a", Amount(dollars=0.5))
    budget.settle("a", Amount(dollars=1.5))
    assert budget.spent.dollars == 1.5
    assert budget.reserve("b", Amount()) is Room.NEVER


def test_a_run_goes_on_with_what_earlier_ones_spent() -> None:
    """Starting again must not give the budget anew."""
    budget = Budget(Caps(seconds=10), Amount(seconds=9.5))
    assert budget.reserve("a", DIME) is Room.NEVER


def test_keys_are_used_once() -> None:
    """Two reservations of one attempt would be settled once."""
    budget = Budget(Caps())
    budget.reserve("a", DIME)
    with pytest.raises(ValueError, match="already"):
        budget.reserve("a", DIME)
    with pytest.raises(KeyError):
        budget.settle("b", None)
