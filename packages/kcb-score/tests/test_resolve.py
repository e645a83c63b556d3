"""The numbers."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kcb_core.score import Samples
from kcb_score.resolve import ResolveAtOne, tally

EASY = tuple(f"kcb-easy-{n:03d}-family-{n}" for n in (1, 2, 3))
TASKS = EASY + tuple(f"kcb-max-{n:03d}-family-{n}" for n in (1, 2, 3))

outcomes = st.fixed_dictionaries(
    {task: st.sampled_from(["resolved", "failed", "void", "missing"]) for task in TASKS}
).filter(lambda drawn: set(drawn.values()) != {"missing"})
"""How each task of the small dataset came out; at least one has a report."""


def measures(bench: Any, *samples: Any, total: int = 3, **more: Any) -> Any:
    """Both numbers of a slice."""
    return ResolveAtOne().score(Samples(tier="easy", total=total, samples=samples, **more))


def reports_of(bench: Any, drawn: dict[str, str], repetition: int = 0) -> list[Any]:
    """Reports of the tasks that are not missing."""
    return [
        bench.report(task, outcome, of=bench.small, repetition=repetition)
        for task, outcome in drawn.items()
        if outcome != "missing"
    ]


def bounds(measure: Any) -> tuple[float, float]:
    """Both bounds of a number, equal if it is one number."""
    if measure.value is not None:
        return measure.value, measure.value
    return measure.at_least, measure.at_most


def test_sixty_four_of_sixty_five(bench: Any) -> None:
    """32/65 with the missing one a failure, 32/64 of the submitted."""
    score = bench.score(*bench.sixty_four(), manifest=bench.whole)
    easy = score.subjects[0].repetitions[0].tiers[0]
    assert (easy.tier, easy.resolved, easy.total, easy.submitted) == ("easy", 32, 65, 64)
    assert easy.measures["resolve@1"].value == pytest.approx(32 / 65, abs=0, rel=1e-12)
    assert easy.measures["resolve@1 of submitted"].value == 0.5
    assert easy.missing_tasks == ("kcb-easy-065-family-65",)
    assert easy.incomplete
    assert score.incomplete


def test_without_the_dataset_the_number_of_missing_tasks_is_told(bench: Any) -> None:
    """The ids are not in the reports."""
    easy = bench.score(*bench.sixty_four()).subjects[0].repetitions[0].tiers[0]
    assert (easy.missing, easy.missing_tasks) == (1, ())


def test_no_report_gives_no_number_and_a_reason(bench: Any) -> None:
    """Nothing divides by zero, whatever the denominator."""
    for total in (0, 65):
        for measure in measures(bench, total=total).values():
            assert measure.value is None
            assert measure.reason == "no report"


def test_an_empty_denominator_gives_no_number_and_a_reason(bench: Any) -> None:
    """It cannot come from a dataset, but whoever calls the API may pass it."""
    found = measures(bench, bench.sample(EASY[0]), total=0)
    assert found["resolve@1"].value is None
    assert found["resolve@1"].reason == "no task"


def test_partial_success_adds_nothing(bench: Any) -> None:
    """9 of 10 right responses are a task that did not resolve."""
    found = measures(bench, bench.sample(EASY[0], "failed", passed=9))
    assert found["resolve@1"].value == 0.0


def test_void_makes_a_pair_and_never_one_number(bench: Any) -> None:
    """What is sure, and what is possible."""
    samples = (bench.sample(EASY[0]), bench.sample(EASY[1], "void"))
    found = measures(bench, *samples)
    assert bounds(found["resolve@1"]) == (1 / 3, 2 / 3)
    assert bounds(found["resolve@1 of submitted"]) == (1 / 2, 1.0)
    assert all(m.value is None and m.reason == "1 void" for m in found.values())


def test_several_projects_of_one_task_have_no_resolve_at_one(bench: Any) -> None:
    """It takes one project a task; the best or the first of them would be another number."""
    found = measures(bench, bench.sample(EASY[0]), bench.sample(EASY[0], repetition=1))
    assert all(m.value is None and "several projects" in m.reason for m in found.values())


def test_an_excluded_task_counts_as_not_resolved_whatever_it_did(bench: Any) -> None:
    """It stays in both denominators, so excluding never raises a rate."""
    excluded = frozenset({EASY[0], EASY[1], EASY[2]})
    samples = (bench.sample(EASY[0]), bench.sample(EASY[1], "void"))
    found = measures(bench, *samples, excluded=excluded)
    assert found["resolve@1"].value == 0.0
    assert found["resolve@1 of submitted"].value == 0.0
    counts = tally(Samples(tier="easy", total=3, samples=samples, tasks=EASY, excluded=excluded))
    assert (counts.excluded, counts.missing, counts.void, counts.submitted) == (3, 0, 0, 2)
    assert counts.missing_tasks == ()
    assert counts.incomplete


def test_a_complete_tier_is_not_incomplete(bench: Any) -> None:
    """The flag would mean nothing if it were always on."""
    samples = tuple(bench.sample(task, "failed") for task in EASY)
    assert not tally(Samples(tier="easy", total=3, samples=samples)).incomplete


def test_void_tasks_are_named_with_their_cause(bench: Any) -> None:
    """So that somebody can evaluate them again."""
    samples = tuple(bench.sample(task, "void") for task in EASY[::-1])
    counts = tally(Samples(tier="easy", total=3, samples=samples))
    assert [void.task_id for void in counts.void_tasks] == list(EASY)
    assert {(void.cause, void.reason) for void in counts.void_tasks} == {("machine", "no space")}


def test_diagnosis_stands_apart(bench: Any) -> None:
    """Right responses and kinds of failure are counted, and add to nothing."""
    samples = tuple(map(bench.sample, EASY, ("resolved", "failed", "void")))
    diagnosis = tally(Samples(tier="easy", total=3, samples=samples)).diagnosis
    assert (diagnosis.assertions_passed, diagnosis.assertions) == (17, 20)
    assert diagnosis.failures == {"wrong_response": 1}


def test_a_tally_takes_one_report_a_task(bench: Any) -> None:
    """Counting a task twice would break the sum that every tally keeps."""
    samples = (bench.sample(EASY[0]), bench.sample(EASY[0], repetition=1))
    with pytest.raises(ValueError, match="each repetition by itself"):
        tally(Samples(tier="easy", total=3, samples=samples))


def test_a_tally_cannot_hold_more_than_its_denominator(bench: Any) -> None:
    """A rate above 1 is impossible, not only unlikely."""
    samples = tuple(bench.sample(task) for task in EASY)
    with pytest.raises(ValueError, match="exactly one way"):
        tally(Samples(tier="easy", total=2, samples=samples))


@settings(deadline=None)  # a busy machine is no fault
@given(drawn=outcomes, seed=st.integers(0, 1_000), repetitions=st.integers(1, 2))
def test_scores_ignore_the_order_of_reports(
    bench: Any, drawn: dict[str, str], seed: int, repetitions: int
) -> None:
    """The same files are the same score, however a shell or a file system lists them."""
    reports = [one for n in range(repetitions) for one in reports_of(bench, drawn, n)]
    shuffled = random.Random(seed).sample(reports, len(reports))
    assert bench.score(*reports) == bench.score(*shuffled)


@settings(deadline=None)  # a busy machine is no fault
@given(
    drawn=outcomes, index=st.integers(0, len(TASKS) - 1), excluded=st.sets(st.sampled_from(TASKS))
)
def test_a_success_in_place_of_anything_else_never_lowers_a_score(
    bench: Any, drawn: dict[str, str], index: int, excluded: set[str]
) -> None:
    """Failure, void or missing turned into resolved: no number of any tier goes down.

    A missing task is a failure of resolve@1 alone; the number of the submitted does not know it.
    """
    better = {**drawn, TASKS[index]: "resolved"}
    reasons = dict.fromkeys(excluded, "why")
    names = ["resolve@1"]
    if drawn[TASKS[index]] != "missing":
        names.append("resolve@1 of submitted")
    for before, after in zip(
        tallies(bench.score(*reports_of(bench, drawn), excluded=reasons)),
        tallies(bench.score(*reports_of(bench, better), excluded=reasons)),
        strict=True,
    ):
        assert before.resolved <= after.resolved
        for name in names:
            if bounds(before.measures[name]) != (None, None):
                low, high = bounds(before.measures[name])
                assert low <= bounds(after.measures[name])[0]
                assert high <= bounds(after.measures[name])[1]


@settings(deadline=None)  # a busy machine is no fault
@given(drawn=outcomes, excluded=st.sets(st.sampled_from(TASKS)))
def test_excluding_never_raises_a_score(
    bench: Any, drawn: dict[str, str], excluded: set[str]
) -> None:
    """Exclusions are for readers; they are no way to a better number."""
    reports = reports_of(bench, drawn)
    reasons = dict.fromkeys(excluded, "why")
    for plain, less in zip(
        tallies(bench.score(*reports)),
        tallies(bench.score(*reports, excluded=reasons)),
        strict=True,
    ):
        for name, measure in plain.measures.items():
            if bounds(measure) != (None, None):
                assert bounds(less.measures[name])[0] <= bounds(measure)[0]
                assert bounds(less.measures[name])[1] <= bounds(measure)[1]


@settings(deadline=None)  # a busy machine is no fault
@given(drawn=outcomes, excluded=st.sets(st.sampled_from(TASKS)))
def test_every_task_counts_in_exactly_one_way(
    bench: Any, drawn: dict[str, str], excluded: set[str]
) -> None:
    """The parts add up to the denominator, and the tiers to the whole."""
    score = bench.score(*reports_of(bench, drawn), excluded=dict.fromkeys(excluded, "why"))
    *tiers, overall = tallies(score)
    assert overall.total == len(TASKS)
    for part in ("total", "resolved", "failed", "void", "missing", "excluded", "submitted"):
        assert getattr(overall, part) == sum(getattr(tier, part) for tier in tiers)
    assert overall.incomplete == any(tier.incomplete for tier in tiers)


def tallies(score: Any) -> tuple[Any, ...]:
    """The tallies of the only repetition, all tiers together last."""
    (repetition,) = score.subjects[0].repetitions
    return (*repetition.tiers, repetition.overall)
