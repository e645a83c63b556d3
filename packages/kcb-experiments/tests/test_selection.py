"""Which attempt counts, which cells run, and what an attempt comes to."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcb_core.errors import DeclarationError
from kcb_experiments.attempts import Attempt, Attempts
from kcb_experiments.cells import Cell, groups
from kcb_experiments.conclusion import Conclusion, Course, conclude
from kcb_experiments.records import AttemptEnd, AttemptStart, Cause, Record, Status
from kcb_experiments.selection import (
    CellState,
    Retry,
    refuse_replacement,
    selected,
    state_of,
    to_run,
)

Folded = Callable[..., Attempts]
DONE = Conclusion(status=Status.COMPLETED, score=1.0)
FAILED = Conclusion(status=Status.SUBJECT_FAILED, score=0.0)
EXHAUSTED = Conclusion(status=Status.BUDGET_EXHAUSTED)


def void(cause: Cause) -> Conclusion:
    """A void attempt."""
    return Conclusion(status=Status.VOID, cause=cause)


def tried(cell: str, *conclusions: Conclusion | None) -> list[Record]:
    """Attempts at a cell, with None for one that has no end."""
    records: list[Record] = []
    for attempt, came in enumerate(conclusions, start=1):
        records.append(AttemptStart(cell=cell, attempt=attempt))
        if came is None:
            continue
        given = {"cause": came.cause, "score": came.score}
        fields = {name: value for name, value in given.items() if value is not None}
        records.append(AttemptEnd(cell=cell, attempt=attempt, status=came.status, **fields))  # type: ignore[arg-type]
    return records


CELLS = [cell for group in groups(["t"], 1, "abcdefgh") for cell in group.cells]
ALL = {
    "a": [],
    "b": [DONE],
    "c": [void(Cause.UNKNOWN), FAILED, DONE],
    "d": [void(Cause.INFRASTRUCTURE)],
    "e": [void(Cause.CANCELLED)],
    "f": [void(Cause.RATE_LIMITED), None],
    "g": [EXHAUSTED],
    "h": [DONE, None],
}


@pytest.fixture
def attempts(folded: Folded) -> Attempts:
    """Cells in every state."""
    return folded([r for name, ends in ALL.items() for r in tried(f"t/r0/{name}", *ends)])


def test_every_cell_stands_in_one_place(attempts: Attempts) -> None:
    """What the table of a status counts adds up to the cells."""
    states = {c.subject: state_of(attempts.of(c.id)) for c in CELLS}
    assert states == {
        "a": CellState.PENDING,
        "b": CellState.COMPLETED,
        "c": CellState.SUBJECT_FAILED,
        "d": CellState.VOID,
        "e": CellState.INTERRUPTED,
        "f": CellState.INTERRUPTED,
        "g": CellState.BUDGET_EXHAUSTED,
        "h": CellState.COMPLETED,
    }
    assert state_of(attempts.of("t/r0/f"), live_term=1) is CellState.RUNNING


def test_the_earliest_valid_attempt_counts_and_never_the_best(attempts: Attempts) -> None:
    """Choosing the best of several tries would measure patience."""
    chosen = selected(attempts.of("t/r0/c"))
    assert chosen is not None
    assert (chosen.start.attempt, chosen.score) == (2, 0.0)


def test_run_goes_on_with_what_nobody_finished(attempts: Attempts) -> None:
    """New, interrupted and cancelled cells; other voids only if somebody says so."""

    def names(*retry: Retry) -> str:
        return "".join(cell.subject for cell in to_run(CELLS, attempts, retry=retry))

    assert names() == "aef"
    assert names(Retry.VOID) == "adef"
    assert names(Retry.BUDGET) == "aefg"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("b", "has a valid attempt"),
        ("c", "has a valid attempt"),
        ("a", "is pending"),
        ("e", "is interrupted"),
        ("x", "no cell of this experiment"),
    ],
)
def test_a_replacement_is_for_what_failed_on_infrastructure(
    attempts: Attempts, name: str, says: str
) -> None:
    """A valid attempt counts for ever, so that nobody tries until the result is liked."""
    refuse_replacement(Cell("t", 0, "d"), CELLS, attempts)
    with pytest.raises(DeclarationError, match=says):
        refuse_replacement(Cell("t", 0, name), CELLS, attempts)


@given(ends=st.lists(st.sampled_from([DONE, FAILED, EXHAUSTED, *map(void, Cause)]), max_size=6))
def test_later_attempts_never_change_what_is_selected(ends: list[Conclusion]) -> None:
    """Once a cell has a result, nothing that is appended takes it away."""
    made = [_attempt(number, came) for number, came in enumerate(ends, start=1)]
    chosen = [selected(made[:count]) for count in range(len(made) + 1)]
    first = next((one for one in chosen if one is not None), None)
    assert [one for one in chosen if one is not None] == [first] * (
        len(chosen) - chosen.count(None)
    )


def _attempt(number: int, came: Conclusion) -> Attempt:
    start, end = tried("t/r0/a", came)
    assert isinstance(start, AttemptStart)
    assert isinstance(end, AttemptEnd)
    return Attempt(start=start, end=end)


INFRASTRUCTURE = void(Cause.INFRASTRUCTURE)


@pytest.mark.parametrize(
    ("course", "expected"),
    [
        (Course(succeeded=True, returned=True, score=1.0), DONE),
        (Course(succeeded=False, returned=True, score=0.0), FAILED),
        (Course(started=False, score=1.0), void(Cause.NEVER_STARTED)),
        (Course(cancelled=True, score=1.0), void(Cause.CANCELLED)),
        # A framework timeout keeps the verifier's score; only a missing one is no verdict.
        (
            Course(timed_out=True, score=1.0),
            Conclusion(status=Status.SUBJECT_FAILED, score=1.0),
        ),
        (Course(timed_out=True, succeeded=True), INFRASTRUCTURE),
        (Course(timed_out=True), INFRASTRUCTURE),
        # No last message, but model work was admitted.
        (Course(killed=True, admitted=1), FAILED),
        (Course(returned=True, admitted=3), FAILED),
        (
            Course(returned=True, admitted=3, score=0.5),
            Conclusion(status=Status.SUBJECT_FAILED, score=0.5),
        ),
        (Course(timed_out=True, killed=True, admitted=1), FAILED),
        (Course(returned=True, admitted=0, score=0.0), INFRASTRUCTURE),
        (Course(admitted=5), INFRASTRUCTURE),
        # The execution call itself failed.
        (Course(raised=True, admitted=9, killed=True, score=0.0), INFRASTRUCTURE),
        (Course(succeeded=True, returned=True), INFRASTRUCTURE),
        (
            Course(succeeded=False, returned=True, stop_reason="rate_limited", score=0.0),
            void(Cause.RATE_LIMITED),
        ),
        (
            Course(succeeded=False, returned=True, stop_reason="context_cut", score=0.0),
            INFRASTRUCTURE,
        ),
        (Course(succeeded=True, returned=True, stop_reason="tokens", score=1.0), DONE),
    ],
)
def test_statuses_and_scores_apart(course: Course, expected: Conclusion) -> None:
    """A fault of the machine is never a zero, and a fault of the subject never a retry."""
    assert conclude(course) == expected


def test_cell_ids_print_and_parse() -> None:
    """They stand in records, folders and on command lines, always the same."""
    cell = Cell("kcb-easy-001-word-frequency", 2, "small-1.5")
    assert cell.id == "kcb-easy-001-word-frequency/r2/small-1.5"
    assert Cell.parse(cell.id) == cell
    assert cell.key == "ccddc22ed652"
    for wrong in ("", "a/b", "a/r/b", "a/r01/b", "a/r²/b", "a/r0/", "a/x0/b"):
        with pytest.raises(DeclarationError, match="no cell id"):
            Cell.parse(wrong)


def test_groups_hold_every_cell_once_and_whole_repetitions_in_turn() -> None:
    """What is cut short has as many complete repetitions as could be."""
    made = list(groups(["s", "t"], 2, ["a", "b"]))
    assert [group.name for group in made] == ["s/r0", "t/r0", "s/r1", "t/r1"]
    ids = [cell.id for group in made for cell in group.cells]
    assert len(set(ids)) == len(ids) == 8
