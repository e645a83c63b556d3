"""Weeks of several arms, with a control arm against drift."""

from fractions import Fraction
from typing import Any

import pytest

from kcb_core.codec import decode, encode
from kcb_core.errors import DeclarationError, UnknownNameError
from kcb_score.compare.arm import Arm, Result
from kcb_score.compare.history import History, HistoryEntry, Week, history

TASKS = tuple(f"kcb-easy-{n:03d}-family-{n}" for n in range(1, 11))


def week(label: str, **arms: str) -> Week:
    """A week by one letter a task and arm: resolved, failed, void, or blank for missing."""
    results = {"+": True, "-": False, "?": None}
    return Week(
        label=label,
        arms={
            name: Arm(
                name=name,
                runs=(
                    {
                        task: Result(resolved=results[letter])
                        for task, letter in zip(TASKS, letters, strict=True)
                        if letter != " "
                    },
                ),
            )
            for name, letters in arms.items()
        },
    )


def entry(found: History, label: str, arm: str) -> HistoryEntry:
    """The entry of one arm in one week."""
    return next(one for one in found.entries if (one.week, one.arm) == (label, arm))


THREE = (
    week("2026-W10", fixed="++++++----", mine="+++++-----"),
    week("2026-W11", fixed="++++------"),
    week("2026-W12", fixed="++++++----", mine="+++-+++-? "),
)


def test_each_week_has_rates_and_the_distance_to_the_control() -> None:
    """Void is no task, missing is a failure; the control has no distance to itself."""
    found = history(THREE, control="fixed", tasks=TASKS)
    assert (found.weeks, found.arms) == (("2026-W10", "2026-W11", "2026-W12"), ("fixed", "mine"))
    assert [(one.week[-2:], one.arm) for one in found.entries] == [
        *(("10", "fixed"), ("10", "mine"), ("11", "fixed"), ("12", "fixed"), ("12", "mine")),
    ]
    first, last = entry(found, "2026-W10", "mine"), entry(found, "2026-W12", "mine")
    assert (first.tasks, first.rate) == (10, 0.5)
    assert (last.tasks, last.rate) == (9, 6 / 9)
    assert last.interval is not None
    assert last.interval.low < 6 / 9 < last.interval.high
    assert first.against_control is not None
    assert first.against_control.difference == pytest.approx(-0.1)
    assert entry(found, "2026-W10", "fixed").against_control is None


def test_a_change_is_held_against_the_control_s_change() -> None:
    """Over the weeks in which the arm was run, and beyond what moved the control too."""
    drifted = (
        week("1", fixed="++++++----", mine="++++++----"),
        week("2", fixed="++++------", mine="++++------"),
    )
    now = entry(history(drifted, control="fixed", tasks=TASKS), "2", "mine")
    assert now.change is not None
    assert now.beyond_drift is not None
    assert (now.change.difference, now.beyond_drift.difference) == (-0.2, 0)
    assert now.beyond_drift.interval is not None
    assert now.beyond_drift.interval.low == -now.beyond_drift.interval.high
    later = entry(history(THREE, control="fixed", tasks=TASKS), "2026-W12", "mine")
    assert later.since == "2026-W10"
    assert later.change is not None
    assert (later.change.tasks, later.change.difference) == (9, pytest.approx(1 / 9))


def test_flipped_tasks_are_named() -> None:
    """Both ways, against the last week with this arm; a void week says nothing of a task."""
    found = entry(history(THREE, control="fixed", tasks=TASKS), "2026-W12", "mine")
    assert found.gained == (TASKS[5], TASKS[6])
    assert found.lost == (TASKS[3],)
    control = entry(history(THREE, control="fixed", tasks=TASKS), "2026-W11", "fixed")
    assert (control.gained, control.lost) == ((), (TASKS[4], TASKS[5]))
    assert control.beyond_drift is None


def test_a_first_week_has_no_change() -> None:
    """And a week without the control no distance to it."""
    weeks = (week("1", mine="+---------"), week("2", fixed="+---------", mine="++--------"))
    found = history(weeks, control="fixed", tasks=TASKS)
    first, second = entry(found, "1", "mine"), entry(found, "2", "mine")
    assert (first.since, first.change, first.against_control) == ("", None, None)
    assert second.against_control is not None
    assert second.change is not None
    assert second.beyond_drift is None


def test_the_history_is_a_document() -> None:
    """It survives its own JSON, and holds no null."""
    found = history(THREE, control="fixed", tasks=TASKS)
    data = encode(found)
    assert b"null" not in data
    assert decode(data, History, source="memory") == found


@pytest.mark.parametrize(
    ("weeks", "control", "error", "fault"),
    [
        ((THREE[0], THREE[0]), "fixed", DeclarationError, "same label"),
        (THREE, "fixd", UnknownNameError, "did you mean 'fixed'"),
    ],
)
def test_a_history_that_cannot_be_told_is_refused(
    weeks: tuple[Week, ...], control: str, error: type[Exception], fault: str
) -> None:
    """Two weeks of one name, or a control that is nowhere."""
    with pytest.raises(error, match=fault):
        history(weeks, control=control, tasks=TASKS)


def test_a_share_of_repetitions_can_flip_in_part() -> None:
    """Half of the repetitions more is a gain, as is the first of two."""

    def arm(*runs: bool) -> Arm:
        return Arm(name="mine", runs=tuple({TASKS[0]: Result(resolved=one)} for one in runs))

    weeks: Any = (
        Week(label="1", arms={"mine": arm(False, False)}),
        Week(label="2", arms={"mine": arm(True, False)}),
    )
    found = entry(history(weeks, control="mine", tasks=TASKS[:1]), "2", "mine")
    assert found.gained == (TASKS[0],)
    assert found.rate == float(Fraction(1, 2))
    assert found.interval is None
