"""By what a subject is measured."""

from typing import Any

import msgspec
import pytest

from kcb_core.errors import DataError, DeclarationError, UnknownNameError
from kcb_core.selection import freeze_selection
from kcb_score.collect import Collection, collect
from kcb_score.denominator import read_exclusions, settle

FIRST = "kcb-easy-001-family-1"


@pytest.fixture
def one(bench: Any) -> Collection:
    """One report of the small dataset."""
    return collect(bench.filed(bench.report(FIRST, of=bench.small)))


def test_without_more_the_totals_are_those_of_the_reports(one: Collection) -> None:
    """The numbers stand in each report; which tasks they are does not."""
    found = settle(one)
    assert dict(found.totals) == {"easy": 3, "max": 3}
    assert found.tasks is None


def test_a_dataset_tells_the_ids(bench: Any, one: Collection) -> None:
    """So the missing ones can be named."""
    found = settle(one, manifest=bench.small)
    assert found.tasks == {tier: bench.tasks(tier, bench.small) for tier in ("easy", "max")}


def test_a_foreign_dataset_is_refused_with_both_digests(bench: Any, one: Collection) -> None:
    """The ids of another dataset would be the wrong ones."""
    with pytest.raises(DataError) as caught:
        settle(one, manifest=bench.whole)
    assert bench.small.sha256 in str(caught.value)
    assert bench.whole.sha256 in str(caught.value)


def test_totals_that_the_dataset_denies_are_refused(bench: Any) -> None:
    """A report with a smaller denominator would have a better score."""
    report = bench.report(FIRST, of=bench.small)
    stamp = msgspec.structs.replace(report.dataset, totals={"easy": 1})
    forged = collect(bench.filed(msgspec.structs.replace(report, dataset=stamp)))
    with pytest.raises(DataError, match=r"000\.json: field 'dataset'"):
        settle(forged, manifest=bench.small)


def test_a_task_that_the_dataset_does_not_have_is_refused(bench: Any) -> None:
    """It would be resolved without being one of those counted."""
    extra = collect(bench.filed(bench.report("kcb-easy-009-invented", of=bench.small)))
    with pytest.raises(DataError, match="kcb-easy-009-invented is not in the dataset"):
        settle(extra, manifest=bench.small)


def test_more_tasks_than_a_tier_has_are_refused(bench: Any) -> None:
    """Without the ids the number still cannot be exceeded."""
    reports = [bench.report(f"kcb-easy-{n:03d}-x", of=bench.small) for n in range(1, 5)]
    with pytest.raises(DataError, match="4 tasks of tier 'easy' are reported or excluded"):
        settle(collect(bench.filed(*reports)))


def test_repetitions_of_one_task_take_one_place(bench: Any) -> None:
    """A task is counted once in the denominator."""
    reports = [bench.report(FIRST, of=bench.small, repetition=n) for n in range(9)]
    assert settle(collect(bench.filed(*reports))).totals["easy"] == 3


def test_a_selection_is_the_denominator(bench: Any, one: Collection) -> None:
    """Tiers of which nothing is selected are not counted at all."""
    selection = freeze_selection(bench.small, [FIRST, "kcb-easy-003-family-3"])
    for manifest in (None, bench.small):
        found = settle(one, selection=selection, manifest=manifest)
        assert found.totals == {"easy": 2}
        assert found.tasks == {"easy": selection.tasks}
        second = bench.report("kcb-easy-002-family-2", of=bench.small)
        assert found.inside((*one.filed, *bench.filed(second))) == one.filed


def test_a_selection_keeps_the_order_of_the_dataset(bench: Any, one: Collection) -> None:
    """Tiers are shown from the lowest to the highest."""
    selection = freeze_selection(bench.small, ["kcb-max-001-family-1", FIRST])
    backwards = msgspec.structs.replace(selection, tasks=selection.tasks[::-1])
    assert list(settle(one, selection=backwards).totals) == ["easy", "max"]


def test_a_selection_without_reports_has_its_own_order(bench: Any) -> None:
    """Through the API nothing needs to be reported yet."""
    selection = freeze_selection(bench.small, [FIRST])
    assert settle(Collection(), selection=selection).totals == {"easy": 1}
    assert settle(Collection(), manifest=bench.small).totals == {"easy": 3, "max": 3}
    assert settle(Collection()).totals == {}


def test_a_selection_of_another_dataset_is_refused_with_both_digests(
    bench: Any, one: Collection
) -> None:
    """A frozen selection is checked, not trusted."""
    with pytest.raises(DataError) as caught:
        settle(one, selection=freeze_selection(bench.whole, [FIRST]))
    assert bench.small.sha256 in str(caught.value)
    assert bench.whole.sha256 in str(caught.value)


def test_a_selection_of_invented_tasks_is_refused(bench: Any, one: Collection) -> None:
    """By id where the tasks are known, by number where they are not."""
    selection = freeze_selection(bench.small, [FIRST])
    invented = msgspec.structs.replace(selection, tasks=("kcb-easy-009-invented",))
    with pytest.raises(DataError, match="kcb-easy-009-invented, which is not in the dataset"):
        settle(one, selection=invented, manifest=bench.small)
    hard = msgspec.structs.replace(selection, tasks=("kcb-hard-001-family-1",))
    with pytest.raises(DataError, match="1 tasks of tier 'hard', the dataset 0"):
        settle(one, selection=hard)


def test_exclusions_are_read_as_id_and_reason() -> None:
    """A reason may hold the sign that separates it from the id."""
    texts = ("kcb-easy-001-a=needs x=1", " kcb-easy-002-b = known defect ")
    assert read_exclusions(texts) == {
        "kcb-easy-001-a": "needs x=1",
        "kcb-easy-002-b": "known defect",
    }


@pytest.mark.parametrize("text", ["kcb-easy-001-a", "kcb-easy-001-a=", "=why", "kcb-easy-001-a= "])
def test_an_exclusion_needs_an_id_and_a_reason(text: str) -> None:
    """A task that is left out without a reason looks like a task that was too hard."""
    with pytest.raises(DeclarationError, match="ID=REASON"):
        read_exclusions([text])


def test_an_exclusion_stands_once() -> None:
    """Two reasons for one task are a mistake in one of them."""
    with pytest.raises(DeclarationError, match="kcb-easy-001-a twice"):
        read_exclusions(["kcb-easy-001-a=x", "kcb-easy-001-a=y"])


def test_an_excluded_task_must_be_one_that_counts(bench: Any, one: Collection) -> None:
    """Otherwise a typing mistake would look like an exclusion that was honoured."""
    with pytest.raises(UnknownNameError, match="did you mean 'kcb-easy-001-family-1'"):
        settle(one, manifest=bench.small, excluded={"kcb-easy-001-famly-1": "typo"})
    with pytest.raises(UnknownNameError, match="unknown tier 'hard'"):
        settle(one, excluded={"kcb-hard-001-family-1": "no such tier"})
    with pytest.raises(DataError, match="of another dataset"):
        settle(one, excluded={"toy-easy-001-amounts": "elsewhere"})
    with pytest.raises(DeclarationError, match="is no task id"):
        settle(one, excluded={"family-1": "short"})


def test_excluded_tasks_take_their_place_too(bench: Any, one: Collection) -> None:
    """Where the ids are unknown, reports and exclusions together cannot exceed the tier."""
    fits = {f"kcb-easy-{n:03d}-x": "why" for n in (2, 3)}
    assert settle(one, excluded=fits).excluded == fits
    with pytest.raises(DataError, match="4 tasks of tier 'easy'"):
        settle(one, excluded={**fits, "kcb-easy-004-x": "why"})
