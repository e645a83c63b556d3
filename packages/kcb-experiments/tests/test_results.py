"""Results and pairs: derived on demand, with what was lost beside what was kept."""

from collections.abc import Callable, Sequence

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kcb_core.errors import DataError
from kcb_core.run_record import StatedUsage
from kcb_experiments.amount import Amount
from kcb_experiments.attempts import Attempts, fold
from kcb_experiments.cells import Cell
from kcb_experiments.frozen import Experiment
from kcb_experiments.pairing import Pairing, Side, pair
from kcb_experiments.records import (
    Artifact,
    AttemptEnd,
    AttemptStart,
    Cause,
    Holder,
    Load,
    Opened,
    Record,
    Request,
    Status,
)
from kcb_experiments.results import LOSS_NOTE, Results, derive
from kcb_experiments.selection import CellState
from kcb_score.statistics.proportions import wilson

Folded = Callable[..., Attempts]
OPENED = Opened(
    term=1, experiment_sha256="e", holder=Holder(host="h", pid=1), load=Load(arms=2, groups=2)
)


def won(cell: str, score: float = 1.0, **changes: object) -> list[Record]:
    """A valid attempt at a cell."""
    known: dict[str, object] = {"status": Status.COMPLETED, "duration_s": 10.0}
    known |= {"spent": Amount(dollars=0.5), "usage": StatedUsage(input_tokens=3, output_tokens=4)}
    end = AttemptEnd(cell=cell, attempt=1, score=score, **(known | changes))  # type: ignore[arg-type]
    return [AttemptStart(cell=cell, attempt=1, reserved=Amount(dollars=1.0)), end]


def lost(cell: str, cause: Cause = Cause.INFRASTRUCTURE) -> list[Record]:
    """A void attempt at a cell, long and with many requests, whose usage never arrived."""
    requests = [Request(cell=cell, attempt=1, number=n) for n in range(1, 6)]
    end = AttemptEnd(cell=cell, attempt=1, status=Status.VOID, cause=cause, duration_s=50.0)
    return [AttemptStart(cell=cell, attempt=1, reserved=Amount(dollars=1.0)), *requests, end]


def ids(experiment: Experiment, subject: str) -> list[str]:
    """Cells of one subject, in order."""
    return [cell.id for cell in experiment.cells() if cell.subject == subject]


def test_the_kernel_of_a_cell(experiment: Experiment, folded: Folded) -> None:
    """Score, status, duration, usage, cost and artifacts of the attempt that counts."""
    cell = ids(experiment, "a")[0]
    artifact = Artifact(path="cells/x/report.json", size=3, sha256="0" * 64)
    found = derive(experiment, folded(won(cell, 1.0, artifacts=(artifact,), verifier="runner 1")))
    row = next(row for row in found.cells if row.cell == cell)
    assert (row.state, row.score, row.duration_s, row.dollars) == ("completed", 1.0, 10.0, 0.5)
    assert row.usage == StatedUsage(input_tokens=3, output_tokens=4)
    assert (row.artifacts, row.verifier, row.attempts) == ((artifact,), "runner 1", 1)
    assert not found.complete
    assert len(found.cells) == 12


def test_an_arm_that_lost_cells_has_bounds_and_the_note_on_loss(
    experiment: Experiment, folded: Folded
) -> None:
    """The mean of what survived would favour the arm that lost its long attempts."""
    first, second = ids(experiment, "a"), ids(experiment, "b")
    records = [record for cell in first for record in won(cell)]
    records += [record for cell in second[:4] for record in won(cell, 0.0)]
    records += [*lost(second[4]), *lost(second[5], Cause.RATE_LIMITED)]
    found = derive(experiment, folded(records))
    a, b = found.arms
    assert (a.score.value, a.resolved, a.lost) == (1.0, 6, {})
    assert a.score.interval is not None
    assert (b.score.at_least, b.score.at_most) == (0.0, pytest.approx(1 / 3))
    assert b.score.reason == "2 of 6 cells have no valid attempt"
    assert b.lost == {"infrastructure": 1, "rate_limited": 1}
    assert (b.kept_effort.mean_s, b.void_effort.mean_s) == (10.0, 50.0)
    assert (b.kept_effort.mean_requests, b.void_effort.mean_requests) == (0.0, 5.0)
    assert LOSS_NOTE in found.notes
    assert b.charged.dollars == 4 * 0.5 + 2 * 1.0
    assert b.dollars_per_resolved.value is None
    assert b.dollars_per_resolved.reason == "no cell was resolved"
    assert a.dollars_per_resolved.value == 0.5
    assert a.tokens == 6 * 7


def test_what_is_running_is_not_void(experiment: Experiment, folded: Folded) -> None:
    """Nothing is lost of an attempt whose writer is alive; once that died, something is."""
    first, second, *_ = ids(experiment, "a")
    attempts = folded([*won(first), AttemptStart(cell=second, attempt=1)])
    live = derive(experiment, attempts, live_term=1).arms[0]
    assert (live.states["running"], live.void_effort.attempts, live.lost) == (1, 0, {})
    dead = derive(experiment, attempts).arms[0]
    assert (dead.states["interrupted"], dead.void_effort.attempts) == (1, 1)
    assert dead.lost == {"interrupted": 1}


def test_the_interval_of_a_score_is_the_one_on_the_page(
    experiment: Experiment, folded: Folded
) -> None:
    """One repetition of independent tasks is a share of these: Wilson's, as resolve@1 has it."""
    once = msgspec.structs.replace(experiment, repetitions=1)
    cells = ids(once, "a")
    records = [record for cell in cells for record in won(cell, float(cell == cells[0]))]
    assert derive(once, folded(records)).arms[0].score.interval == wilson(1, 3)
    lacking = [*won(cells[0]), *won(cells[1], 0.0), *lost(cells[2])]
    around = derive(once, folded(lacking)).arms[0].score.interval
    assert around is not None
    assert (around.low, around.high) == (wilson(1, 3).low, wilson(2, 3).high)


def test_nothing_yet_is_no_zero(experiment: Experiment) -> None:
    """Before the first attempt a score may be anything, and nothing was lost."""
    found = derive(experiment, fold(()))
    arm = found.arms[0]
    assert (arm.score.value, arm.score.at_least, arm.score.at_most) == (None, 0.0, 1.0)
    assert (arm.lost, arm.tokens, found.occasions, found.notes) == ({}, None, (), ())
    assert {row.state for row in found.cells} == {CellState.PENDING}


def test_verifiers_that_differ_and_late_records_are_said(
    experiment: Experiment, folded: Folded
) -> None:
    """Scores of two verifiers are unlike, and what came late is somewhere to be seen."""
    one, two, *_ = ids(experiment, "a")
    late = AttemptStart(cell=one, attempt=9, term=1)
    found = derive(experiment, folded(won(one, verifier="v 1"), [*won(two, verifier="v 2"), late]))
    assert found.verifiers == ("v 1", "v 2")
    assert "judge all projects again" in found.notes[-1]
    assert found.late_records == 1
    assert [(o.runs, o.load.cells) for o in found.occasions] == [(2, 4)]


def side(experiment: Experiment, subject: str, records: Sequence[Record]) -> Side:
    """One arm with what its log holds."""
    attempts = fold([OPENED])
    for record in records:
        attempts.add(msgspec.structs.replace(record, term=1))
    results: Results = derive(experiment, attempts)
    return Side(subject=subject, dataset=experiment.dataset, results=results)


def paired(experiment: Experiment, records: Sequence[Record]) -> Pairing:
    """Arms a and b of one log."""
    return pair(side(experiment, "a", records), side(experiment, "b", records))


def test_only_what_both_finished_is_compared(experiment: Experiment) -> None:
    """An arm that lost the hard tasks must not look better for it."""
    first, second = ids(experiment, "a"), ids(experiment, "b")
    records = [*won(first[0]), *won(first[1], 0.0), *won(first[2], 0.0), *won(second[0])]
    records += [*won(second[3]), *lost(second[1])]
    found = paired(experiment, records)
    assert (found.pairs, found.tasks) == (1, 1)
    assert (found.first.unmatched, found.second.unmatched) == (2, 1)
    assert (found.first.mean, found.second.mean, found.difference.value) == (1.0, 1.0, 0.0)
    assert found.difference.interval is None
    assert (found.first.unfinished, found.second.unfinished) == (
        {"pending": 3},
        {"void": 1, "pending": 3},
    )
    first_line, second_line, loss = found.notes
    assert first_line.startswith("a: 3 of 6 cells without a score (3 pending); only what both arms")
    assert second_line.startswith("b: 4 of 6 cells without a score (1 void, 3 pending); ")
    assert loss.startswith("Loss is not random")
    assert "experiment pair" not in loss


def test_a_pairing_has_exact_numbers(experiment: Experiment) -> None:
    """Three tasks, one repetition: b alone resolves two, a alone none; p = 0.5 by hand."""
    once = msgspec.structs.replace(experiment, repetitions=1)
    first, second = ids(once, "a"), ids(once, "b")
    scores = [(0.0, 1.0), (0.0, 1.0), (1.0, 1.0)]
    records: list[Record] = []
    for one, two, (a, b) in zip(first, second, scores, strict=True):
        records += [*won(one, a), *won(two, b)]
    found = paired(once, records)
    assert found.difference.value == pytest.approx(2 / 3)
    assert (found.first.only, found.second.only) == (0, 2)
    assert found.p_value == pytest.approx(0.5)
    assert found.difference.interval is not None
    assert found.smallest_visible is not None
    assert found.notes == ()


def test_repetitions_and_partial_scores_have_no_exact_test(experiment: Experiment) -> None:
    """Two samples of one task are no two coins, and half a score is no side of one."""
    records: list[Record] = []
    for cell in experiment.cells():
        records += won(cell.id, 0.5 if cell.repetition else 1.0)
    found = paired(experiment, records)
    assert (found.pairs, found.tasks, found.p_value, found.first.only) == (6, 3, None, None)


def test_nothing_in_common_is_said(experiment: Experiment) -> None:
    """No number, and its reason."""
    found = paired(experiment, won(ids(experiment, "a")[0]))
    assert (found.pairs, found.difference.value) == (0, None)
    assert "b: 6 of 6 cells without a score (6 pending); " in found.notes[1]
    assert "experiment run' goes on" in found.notes[1]
    assert found.difference.reason == "no task was finished by both"


def test_arms_of_different_data_are_refused_and_separate_occasions_are_said(
    experiment: Experiment,
) -> None:
    """Other tasks are another question; another load is another day."""
    records = [*won(ids(experiment, "a")[0]), *won(ids(experiment, "b")[0])]
    first = side(experiment, "a", records)
    stamp = msgspec.structs.replace(experiment.dataset, manifest_sha256="1" * 64)
    other = side(msgspec.structs.replace(experiment, dataset=stamp), "b", records)
    with pytest.raises(DataError, match="different datasets: 000000000000 and 111111111111"):
        pair(first, other)
    alone = derive(experiment, fold([msgspec.structs.replace(OPENED, load=Load(arms=1, groups=9))]))
    apart = Side(subject="b", dataset=experiment.dataset, results=alone)
    assert any("separate occasions" in note for note in pair(first, apart).notes)


@given(scores=st.lists(st.sampled_from([None, 0.0, 1.0]), min_size=12, max_size=12))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_pairing_mirrors_when_its_arms_change_places(
    experiment: Experiment, scores: list[float | None]
) -> None:
    """Which arm is named first must not matter but for the sign."""
    records: list[Record] = []
    for cell, score in zip(experiment.cells(), scores, strict=True):
        records += won(cell.id, score) if score is not None else lost(cell.id)
    a, b = side(experiment, "a", records), side(experiment, "b", records)
    forth, back = pair(a, b), pair(b, a)
    assert forth.pairs == back.pairs
    assert forth.p_value == back.p_value
    if forth.difference.value is not None:
        assert back.difference.value == pytest.approx(-forth.difference.value)
    kept = [Cell.parse(row.cell).subject for row in a.results.cells if row.score is not None]
    assert forth.first.unmatched == kept.count("a") - forth.pairs
