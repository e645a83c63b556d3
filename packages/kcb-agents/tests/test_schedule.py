"""How long a run takes, and whether there is time for another task."""

from typing import Any

import pytest

from kcb_agents.schedule import Schedule, read_duration, say_duration
from kcb_core.errors import DeclarationError


@pytest.mark.parametrize(
    ("text", "seconds"), [("90", 90), ("90s", 90), ("1.5m", 90), (" 2H ", 7200), ("0.5", 0.5)]
)
def test_a_duration_has_a_unit_or_is_in_seconds(text: str, seconds: float) -> None:
    """As people write it."""
    assert read_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "0", "-1", "1d", "soon", "1e3", "nan", "٣", "9" * 20])
def test_what_is_no_duration_is_refused(text: str) -> None:
    """Rather than taken for none."""
    with pytest.raises(DeclarationError, match="no duration"):
        read_duration(text)


@pytest.mark.parametrize(
    ("seconds", "text"), [(5, "5 s"), (90, "2 min"), (7140, "119 min"), (7500, "2 h 05 min")]
)
def test_a_duration_is_said_as_a_person_would(seconds: float, text: str) -> None:
    """Nobody wants seconds of hours."""
    assert say_duration(seconds) == text


def test_the_outlook_is_the_mean_so_far(clock: Any) -> None:
    """Nothing better is known."""
    schedule = Schedule(now=clock.monotonic)
    assert schedule.needed_s(10) == 0
    schedule.took(60)
    schedule.took(120)
    assert schedule.needed_s(10) == 900
    assert schedule.outlook(10) == "15 min for the other 10 tasks, if each takes as long"


def test_a_task_is_begun_only_if_it_would_be_done_in_time(clock: Any) -> None:
    """A budget that is overrun by one long task is none."""
    schedule = Schedule(now=clock.monotonic, budget_s=250)
    assert schedule.has_time
    clock.elapsed = 100
    schedule.took(100)
    assert schedule.has_time
    assert "enough for 1 of them" in schedule.outlook(9)
    clock.elapsed = 200
    assert not schedule.has_time
