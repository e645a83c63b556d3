"""What is taken for a loop, and what is not."""

import random

import pytest

from kcb_agents.endpoint.loop_guard import UNIT, WINDOW, LoopGuard, loops


@pytest.mark.parametrize("unit", ["a", "again and again\n", "x" * 30 + "y\n", "0123456789" * 50])
def test_a_short_text_over_and_over_is_a_loop(unit: str) -> None:
    """Whatever stood before it."""
    assert loops("A beginning.\n" + unit * (2 * WINDOW // len(unit)))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a" * (WINDOW - 1),
        "\n" * WINDOW,
        "".join(f"line {n}\n" for n in range(2000)),
        ("x" * UNIT + "y") * 20,
        "".join(random.Random(1).choices("ab", k=WINDOW)),
        "a" * WINDOW + "the end of a very long table, and then a program that goes on for a while",
    ],
    ids=["empty", "short", "blank", "counted", "long unit", "random", "over"],
)
def test_what_only_looks_like_one_is_none(text: str) -> None:
    """A model that is right must never be stopped."""
    assert not loops(text)


def test_a_guard_sees_it_while_it_grows() -> None:
    """Soon after it is long enough, whatever the size of the pieces."""
    guard = LoopGuard()
    fed = 0
    while not guard.feed("la la la "):
        fed += 9
        assert fed < 2 * WINDOW
    assert fed >= WINDOW - 9
