"""The values that scorers deal in."""

from typing import Any

import pytest

from kcb_core.codec import decode, encode
from kcb_core.score import (
    SCORE_FORMAT,
    SCORE_KIND,
    Diagnosis,
    Measure,
    RepetitionScore,
    Score,
    SubjectScore,
    Tally,
)

TALLY: dict[str, Any] = {
    "tier": "easy",
    "total": 6,
    "submitted": 4,
    "resolved": 2,
    "failed": 1,
    "void": 1,
    "missing": 1,
    "excluded": 1,
    "incomplete": True,
    "diagnosis": Diagnosis(assertions_passed=3, assertions=9),
}


def tally(**changes: Any) -> Tally:
    """A tally of six tasks."""
    return Tally(**(TALLY | changes))


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({}, "a number that is left out needs a reason"),
        ({"value": float("nan")}, "a number must be finite"),
        ({"value": float("inf")}, "a number must be finite"),
        ({"at_least": 0.5}, "at_least and at_most go together"),
        ({"at_most": 0.5}, "at_least and at_most go together"),
        ({"value": 0.5, "at_least": 0.1, "at_most": 0.9}, "a value or bounds, not both"),
        ({"at_least": 0.9, "at_most": 0.1, "reason": "void"}, "must not be greater"),
        ({"at_least": 0.1, "at_most": float("nan"), "reason": "void"}, "must be finite"),
        ({"at_least": 0.1, "at_most": 0.9}, "needs a reason"),
    ],
)
def test_number_is_one_number_or_bounds_or_a_reason(parts: dict[str, Any], message: str) -> None:
    """A NaN, a zero or a null in its place has shifted published scores elsewhere."""
    with pytest.raises(ValueError, match=message):
        Measure(**parts)


@pytest.mark.parametrize(
    "parts",
    [
        {"value": 0.0},
        {"value": 0.5, "unit": "share"},
        {"reason": "no report"},
        {"at_least": 0.1, "at_most": 0.9, "reason": "one task is void"},
    ],
)
def test_numbers_round_trip(parts: dict[str, Any]) -> None:
    """What is not defined is left out, with the reason beside it."""
    measure = Measure(**parts)
    assert decode(encode(measure), Measure, source="m") == measure
    assert b"null" not in encode(measure)


@pytest.mark.parametrize(
    "changes", [{"resolved": 3}, {"total": 7}, {"missing": 2}, {"resolved": 4, "failed": -1}]
)
def test_each_task_counts_in_exactly_one_way(changes: dict[str, int]) -> None:
    """A task that counts twice, or not at all, changes the denominator."""
    assert tally().total == 6
    with pytest.raises(ValueError, match="each task must count in exactly one way"):
        tally(**changes)


def test_scores_round_trip() -> None:
    """Pages and comparisons are made of stored scores."""
    repetition = RepetitionScore(repetition=0, tiers=(tally(),), overall=tally())
    subject = SubjectScore(subject="model-4b", reports=4, tasks=4, repetitions=(repetition,))
    score = Score(
        kind=SCORE_KIND, format=SCORE_FORMAT, reports=4, incomplete=True, subjects=(subject,)
    )
    assert decode(encode(score), Score, source="s") == score
