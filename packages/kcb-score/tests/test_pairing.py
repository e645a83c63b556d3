"""Two arms on the same tasks: what is paired, what is lost, and what the numbers say."""

from fractions import Fraction
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcb_core.errors import DeclarationError
from kcb_score.compare.arm import Arm, Result
from kcb_score.compare.assembling import marks, pairs, summaries
from kcb_score.compare.comparison import Mark
from kcb_score.compare.measured import Measured
from kcb_score.compare.pairing import pair_up
from kcb_score.compare.sheets import pair_sheet, verdict

EASY = tuple(f"kcb-easy-{n:03d}-family-{n}" for n in range(1, 11))
HARD = tuple(task.replace("easy", "hard") for task in EASY)
BOTH = Measured(tasks={"easy": EASY, "hard": HARD}, unnamed={})
ONE = Measured(tasks={"easy": EASY}, unnamed={})

RESULTS = {
    "+": Result(resolved=True),
    "-": Result(resolved=False, failure="timeout"),
    "?": Result(resolved=None),
    "h": Result(resolved=False, failure="corrected by hand", hand_corrected=True),
}


def arm(name: str, *runs: str, tasks: tuple[str, ...] = EASY, **fields: Any) -> Arm:
    """An arm by one letter a task: resolved, failed, void, corrected by hand, blank for missing."""
    return Arm(
        name=name,
        subject=name,
        runs=tuple(
            {
                task: RESULTS[letter]
                for task, letter in zip(tasks, run, strict=True)
                if letter != " "
            }
            for run in runs
        ),
        **fields,
    )


def test_a_tier_that_nobody_tried_is_no_finding() -> None:
    """Two noughts of projects that are not there do not show that two subjects are equal."""
    pair = pair_up(arm("a", "++++++++++"), arm("b", "+++++-----"), BOTH)
    easy, hard = pair.tiers
    assert easy.difference == -0.5
    assert (hard.tasks, hard.pairs, hard.unpaired, hard.alike) == (10, 10, 0, 10)
    assert (hard.first, hard.difference, hard.interval, hard.p_value) == (None,) * 4
    assert hard.smallest_difference is None
    assert hard.reasons["difference"] == "neither has a project"
    assert (pair.overall.pairs, pair.overall.difference) == (20, -0.25)
    row = next(row.cells for row in pair_sheet(pair, (), level=0.95).rows if row.cells[0] == "hard")
    assert row[2:6] == ("–", "–", "–", "–")
    nothing = pair_up(arm("a", " " * 10), arm("b", " " * 10), ONE)
    assert verdict(nothing) == "nothing can be said of b against a: neither has a project"


def test_what_is_paired_and_what_is_lost() -> None:
    """A missing project is a failure, a void one is unpaired, both are told by arm."""
    first, second = arm("a", "+++++---? "), arm("b", "++---+-?+h")
    pair = pair_up(first, second, ONE)
    (easy,) = pair.tiers
    assert (easy.tasks, easy.pairs, easy.unpaired, easy.families) == (10, 8, 2, 8)
    assert (easy.first, easy.second, easy.difference) == (5 / 8, 3 / 8, -2 / 8)
    assert (easy.first_better, easy.second_better, easy.alike) == (3, 1, 4)
    assert easy.mcnemar == easy.p_value == pytest.approx(10 / 16)
    assert easy.interval is not None
    assert easy.interval.low < -0.25 < easy.interval.high
    one, two = summaries([first, second], ONE)
    assert (one.resolved, one.failed, one.missing, one.void, one.expected) == (5, 3, 1, 1, 10)
    assert (two.resolved, two.failed, two.missing, two.void) == (4, 5, 0, 1)
    assert two.hand_corrected == 1


def test_discordant_tasks_are_listed_with_the_way_in_which_they_failed() -> None:
    """Losses first, since they are what one looks for."""
    pair = pair_up(arm("a", "+-+-++++ +"), arm("b", "-+++++++++"), ONE)
    assert [(one.task_id, one.first_failure, one.second_failure) for one in pair.discordant] == [
        (EASY[0], "", "timeout"),
        (EASY[1], "timeout", ""),
        (EASY[3], "timeout", ""),
        (EASY[8], "missing", ""),
    ]
    assert [(one.first, one.second) for one in pair.discordant[:2]] == [(1, 0), (0, 1)]


def test_tasks_that_nobody_has_a_report_of_count_as_failed_by_both() -> None:
    """Without the dataset their ids are not known, their number is."""
    scope = Measured(tasks={"easy": EASY[:4]}, unnamed={"easy": 6})
    whole = pair_up(arm("a", "++--", tasks=EASY[:4]), arm("b", "+-+-", tasks=EASY[:4]), ONE).overall
    anonymous = pair_up(
        arm("a", "++--", tasks=EASY[:4]), arm("b", "+-+-", tasks=EASY[:4]), scope
    ).overall
    assert anonymous == whole
    assert (whole.pairs, whole.first, whole.families) == (10, 0.2, 10)
    (summary,) = summaries([arm("a", "++--", tasks=EASY[:4])], scope)
    assert (summary.missing, summary.expected) == (6, 10)


def test_across_tiers_families_are_clusters() -> None:
    """The same losses in both tiers of a family are not twice as sure as in one."""
    everything = (*EASY, *HARD)
    first = arm("a", "+" * 20, tasks=everything)
    second = arm("b", "-----+++++" * 2, tasks=everything)
    pair = pair_up(first, second, BOTH)
    easy, hard = pair.tiers
    assert easy == msgspec.structs.replace(hard, tier="easy")
    assert pair.overall.p_value == easy.p_value == pytest.approx(2 / 32)
    assert pair.overall.mcnemar == pytest.approx(2 / 1024)
    assert pair.overall.families == 10
    assert pair.overall.interval is not None
    assert easy.interval is not None
    width = easy.interval.high - easy.interval.low
    assert pair.overall.interval.high - pair.overall.interval.low == pytest.approx(width)


def test_repetitions_count_by_their_share_and_have_no_mcnemar() -> None:
    """A task counts once, however often it was tried; voids lower the number of tries."""
    first, second = arm("a", "++--------", "+---------"), arm("b", "+++-------", "?++ ------")
    easy = pair_up(first, second, ONE).overall
    assert easy.first == pytest.approx((1 + 0.5) / 10)
    assert easy.second == pytest.approx((1 + 1 + 1) / 10)
    assert easy.mcnemar is None
    assert "several repetitions" in easy.reasons["mcnemar"]
    assert easy.p_value == pytest.approx(2 / 4)
    assert (easy.second_better, easy.alike) == (2, 8)
    assert second.share(EASY[0]) == 1
    assert first.share(EASY[1]) == Fraction(1, 2)


def test_a_number_that_is_not_defined_is_left_out_with_its_reason() -> None:
    """Nothing paired, and one family only."""
    nothing = pair_up(arm("a", "?" * 10), arm("b", "+" * 10), ONE)
    assert nothing.overall.first is nothing.overall.interval is nothing.overall.p_value is None
    assert set(nothing.overall.reasons.values()) == {"no task that both finished"}
    assert "nothing can be said of b against a" in verdict(nothing)
    single = pair_up(
        arm("a", "+", tasks=EASY[:1]),
        arm("b", "-", tasks=EASY[:1]),
        Measured(tasks={"easy": EASY[:1]}, unnamed={}),
    )
    assert single.overall.difference == -1
    assert single.overall.interval is single.overall.smallest_difference is None
    assert "fewer than two families" in single.overall.reasons["interval"]


@given(st.text("+-? ", min_size=10, max_size=10), st.text("+-? ", min_size=10, max_size=10))
def test_subjects_that_change_places_change_signs(one: str, two: str) -> None:
    """Nothing else: no number favours who is named first."""
    there = pair_up(arm("a", one), arm("b", two), ONE).overall
    back = pair_up(arm("b", two), arm("a", one), ONE).overall
    assert (there.first, there.second) == (back.second, back.first)
    assert (there.first_better, there.second_better) == (back.second_better, back.first_better)
    assert there.p_value == back.p_value
    assert there.smallest_difference == back.smallest_difference
    if there.interval and back.interval:
        assert there.interval.low == pytest.approx(-back.interval.high)


def test_more_than_two_subjects_are_adjusted_after_holm() -> None:
    """Three pairs, so the smallest p-value counts threefold; tiers among themselves."""
    arms = [arm("a", "++++++++++"), arm("b", "---+++++++"), arm("c", "----------")]
    found = pairs(arms, ONE, 0.95)
    assert [(pair.first, pair.second) for pair in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    raw = [pair.overall.p_value for pair in found]
    assert raw == pytest.approx([0.25, 2 / 1024, 2 / 128])
    adjusted = [pair.overall.p_adjusted for pair in found]
    assert adjusted == pytest.approx([0.25, 6 / 1024, 4 / 128])
    assert [pair.tiers[0].p_adjusted for pair in found] == adjusted
    assert "p, Holm" in pair_sheet(found[0], (), level=0.95).columns
    (alone,) = pairs(arms[:2], ONE, 0.95)
    assert alone.overall.p_adjusted is None
    assert "p, Holm" not in pair_sheet(alone, (), level=0.95).columns


def test_a_difference_that_is_one_of_many_may_be_noise() -> None:
    """Seven tasks of ten alone are more than noise; as the best of many pairs they are not."""
    two = [arm("a", "++++++++++"), arm("b", "------++++")]
    assert verdict(pairs(two, ONE, 0.95)[0]).endswith("more than noise")
    many = [*two, *(arm(name, "++++++++++") for name in "cdef")]
    assert verdict(pairs(many, ONE, 0.95)[0]).endswith("this may be noise")


def test_what_is_unequal_needs_leave() -> None:
    """A partial run and differing budgets, each by its own word, and marked."""
    whole = arm("a", "+" * 10, budgets=("1 h",))
    partial = arm("b", "+" * 9 + " ", budgets=("1 h",))
    richer = arm("c", "+" * 10, budgets=("2 h",))
    silent = arm("d", "+" * 10, budgets=("",))
    assert marks(summaries([whole, whole], ONE), set()) == ()
    with pytest.raises(DeclarationError, match=r"b: 1 of 10 projects is missing.*--allow partial"):
        marks(summaries([whole, partial], ONE), {Mark.BUDGET})
    assert marks(summaries([whole, partial], ONE), {Mark.PARTIAL}) == (Mark.PARTIAL,)
    for other in (richer, silent):
        with pytest.raises(DeclarationError, match=r"budgets: .*'1 h'.*--allow budget"):
            marks(summaries([whole, other], ONE), {Mark.PARTIAL})
    assert marks(summaries([whole, richer], ONE), set(Mark)) == (Mark.BUDGET,)


def test_marks_stand_on_every_table() -> None:
    """A table that is cut out of its page still says what it compares."""
    pair = pair_up(arm("a", "+" * 10), arm("b", "+" * 10), ONE)
    sheet = pair_sheet(pair, (Mark.PARTIAL, Mark.BUDGET), level=0.95)
    assert sheet.title == "b against a [partial, budget]"
