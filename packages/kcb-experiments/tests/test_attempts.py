"""What records come to: who counts, who came late, and what is charged."""

from collections.abc import Callable

import pytest
from msgspec import UNSET

from kcb_core.errors import DataError
from kcb_experiments.amount import Amount
from kcb_experiments.attempts import Attempts
from kcb_experiments.records import (
    AttemptEnd,
    AttemptStart,
    Cause,
    Generated,
    Judged,
    Moved,
    Phase,
    Request,
    Status,
)
from kcb_experiments.selection import selected

Folded = Callable[..., Attempts]
CELL = "t/r0/a"
RESERVED = Amount(dollars=1.0, tokens=100)


def start(attempt: int = 1, term: int = 0) -> AttemptStart:
    """The start of an attempt, by the writer of its place or of another term."""
    return AttemptStart(cell=CELL, attempt=attempt, reserved=RESERVED, term=term)


def end(attempt: int = 1, term: int = 0, **changes: object) -> AttemptEnd:
    """The end of one that counts, or with other fields."""
    known: dict[str, object] = {"status": Status.COMPLETED, "score": 1.0}
    return AttemptEnd(cell=CELL, attempt=attempt, term=term, **(known | changes))  # type: ignore[arg-type]


def generated(term: int = 0) -> Generated:
    """The subject has had its turn."""
    return Generated(cell=CELL, attempt=1, term=term, spent=Amount(dollars=0.25), clock_s=5)


def test_what_was_generated_is_ended_by_the_next_writer(folded: Folded) -> None:
    """It is the same attempt, charged once, and with what its subject did use."""
    attempt = folded([start(), generated()]).of(CELL)[0]
    assert (attempt.unjudged, attempt.valid, attempt.phase) == (True, False, Phase.JUDGING)
    assert (attempt.charged, attempt.cause) == (Amount(dollars=0.25), Cause.INTERRUPTED)
    later = [end(begun_in=1, spent=Amount(dollars=0.25))]
    attempts = folded([start(), generated()], later)
    (attempt,) = attempts.of(CELL)
    assert (attempt.unjudged, attempt.valid, attempt.start.term) == (False, True, 1)
    assert attempts.charged == Amount(dollars=0.25)


def test_a_late_writer_generates_nothing_for_others(folded: Folded) -> None:
    """Whoever took over has begun anew, and counts; what the late one says is no contradiction."""
    attempts = folded([start(1)], [start(2), generated(term=1)])
    assert [attempt.unjudged for attempt in attempts.of(CELL)] == [False, False]
    late = end(1, term=1, score=0.0)
    for ends in ([end(begun_in=1), late], [late, end(begun_in=1)]):
        (attempt,) = folded([start(), generated()], ends).of(CELL)
        assert (attempt.score, attempt.late_end and attempt.late_end.score) == (1.0, 0.0)


def test_a_late_end_is_evidence_and_is_billed(folded: Folded) -> None:
    """A writer that was thought dead may still finish; its work is paid and never counted."""
    late = end(1, term=1, score=1.0, spent=Amount(dollars=0.25))
    attempts = folded([start(1)], [start(2), late, end(2, score=0.0)])
    first, second = attempts.of(CELL)
    assert (first.valid, second.valid) == (False, True)
    assert first.late_end is not None
    assert first.cause is Cause.INTERRUPTED
    assert selected(attempts.of(CELL)) is second
    assert len(attempts.late) == 1
    assert attempts.charged.dollars == 0.25 + 1.0


def test_a_late_start_takes_no_number(folded: Folded) -> None:
    """Two writers may both begin the second attempt; the newer one's is the second."""
    attempts = folded([start(1)], [start(2), start(2, term=1), end(2, term=1), end(2)])
    assert [(a.start.attempt, a.start.term) for a in attempts.of(CELL)] == [(1, 1), (2, 2)]
    assert [a.late for a in attempts] == [False, False, True]
    assert attempts.charged.dollars == 3.0


def test_a_late_judgement_changes_nothing(folded: Folded) -> None:
    """A score must not depend on who happens to be slower."""
    late = Judged(cell=CELL, attempt=1, score=1.0, term=1)
    attempts = folded([start(), end(score=0.0)], [late])
    assert attempts.of(CELL)[0].score == 0.0


def test_judging_again_replaces_the_score_of_every_attempt_alike(folded: Folded) -> None:
    """A mended verifier judges stored projects again, for better or worse."""
    judged = Judged(cell=CELL, attempt=1, score=0.5, verifier="runner 2")
    attempts = folded([start(), end(score=1.0, verifier="runner 1")], [judged])
    attempt = attempts.of(CELL)[0]
    assert (attempt.score, attempt.verifier, attempt.status) == (0.5, "runner 2", "completed")


def test_judging_gives_a_score_to_what_had_none(folded: Folded) -> None:
    """The verifier failed, not the subject: its project is judged without asking it again."""
    void = end(status=Status.VOID, cause=Cause.INFRASTRUCTURE, score=UNSET)
    judged = Judged(cell=CELL, attempt=1, score=0.0, status=Status.COMPLETED)
    attempts = folded([start(), void], [judged])
    assert attempts.of(CELL)[0].valid


def test_judging_never_takes_the_place_of_a_selected_attempt(folded: Folded) -> None:
    """Otherwise a second look at old voids could pick the better of two samples."""
    void = end(status=Status.VOID, cause=Cause.INFRASTRUCTURE, score=UNSET)
    judged = Judged(cell=CELL, attempt=1, score=1.0, status=Status.COMPLETED)
    attempts = folded([start(), void], [start(2), end(2, score=0.0)], [judged])
    chosen = selected(attempts.of(CELL))
    assert chosen is not None
    assert (chosen.start.attempt, chosen.score) == (2, 0.0)


def test_requests_that_were_never_settled_are_known_by_number(folded: Folded) -> None:
    """What the provider may have counted and nobody heard of is a list, not a guess."""
    requests = [Request(cell=CELL, attempt=1, number=n, clock_s=n) for n in (1, 2, 3)]
    settled = Request(cell=CELL, attempt=1, number=2, spent=Amount(tokens=5), clock_s=9)
    moved = Moved(cell=CELL, attempt=1, phase=Phase.GENERATING)
    attempt = folded([start(), moved, *requests, settled]).of(CELL)[0]
    assert (attempt.requests, attempt.unsettled) == (3, {1, 3})
    assert (attempt.phase, attempt.clock_s) == (Phase.GENERATING, 9)
    assert attempt.charged == RESERVED


@pytest.mark.parametrize(
    ("records", "says"),
    [
        ([end()], "has no start in term 1"),
        ([start(2)], "starts after attempt 0"),
        ([start(), start()], "starts twice"),
        ([start(), end(), end()], "ends twice"),
        ([generated()], "has no start in term 1"),
        ([start(), generated(), generated()], "generated twice"),
        ([start(), end(), generated()], "generated twice"),
        ([start(), end(begun_in=1)], "was not generated"),
        ([start(), generated(), end(begun_in=2)], "has no start in term 2"),
        ([start(), generated(), end(), end(begun_in=1)], "ends twice"),
        ([start(), Judged(cell=CELL, attempt=1, score=1.0)], "judged before its end"),
        ([start(), Judged(cell=CELL, attempt=2, score=1.0)], "judged before its end"),
        ([start(), Request(cell=CELL, attempt=1, number=2)], "does not follow"),
        ([start(), Request(cell=CELL, attempt=1, number=1, spent=Amount())], "settled unmade"),
    ],
)
def test_what_contradicts_is_refused(folded: Folded, records: list[object], says: str) -> None:
    """A log that says two things says nothing."""
    with pytest.raises(DataError, match=says):
        folded(records)


@pytest.mark.parametrize(
    "fields",
    [
        {"status": Status.VOID, "score": UNSET},
        {"status": Status.COMPLETED, "cause": Cause.UNKNOWN},
        {"status": Status.BUDGET_EXHAUSTED, "score": 1.0},
        {"status": Status.VOID, "cause": Cause.UNKNOWN, "score": 0.0},
        {"score": 1.5},
        {"score": float("nan")},
    ],
)
def test_statuses_and_scores_that_do_not_go_together_cannot_be_made(
    fields: dict[str, object],
) -> None:
    """A void must never become a zero, not even by a slip in the code that writes it."""
    with pytest.raises(ValueError, match="field"):
        end(**fields)  # type: ignore[arg-type]
