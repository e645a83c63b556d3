"""The answers of a gate."""

import pytest

from kcb_core.score import Interval
from kcb_score.compare.comparison import Answer, Contrast
from kcb_score.compare.gate import decide


def contrast(low: float, high: float) -> Contrast:
    """A comparison of which only the interval matters."""
    return Contrast(
        tasks=65,
        pairs=65,
        unpaired=0,
        families=65,
        interval=Interval(low=low, high=high),
        first_better=0,
        second_better=0,
        alike=65,
    )


@pytest.mark.parametrize(
    ("low", "high", "answer"),
    [
        (0.01, 0.10, Answer.NOT_WORSE),
        (-0.04, 0.10, Answer.NOT_WORSE),
        (-0.04, -0.01, Answer.NOT_WORSE),  # a loss for sure, and one that was declared acceptable
        (-0.05, 0.10, Answer.CANNOT_TELL),  # the margin itself is not acceptable
        (-0.20, 0.00, Answer.CANNOT_TELL),
        (-0.20, 0.20, Answer.CANNOT_TELL),
        (-0.20, -0.01, Answer.WORSE),
        (-0.20, -0.06, Answer.WORSE),
    ],
)
def test_the_interval_decides(low: float, high: float, answer: Answer) -> None:
    """Each position of the interval to minus the margin and to zero."""
    gate = decide(contrast(low, high), 0.05)
    assert (gate.answer, gate.margin) == (answer, 0.05)
    assert f"between {100 * low:+.1f} and {100 * high:+.1f} points" in gate.reason


def test_without_an_interval_it_cannot_tell() -> None:
    """One family, or nothing paired: no answer, and the reason."""
    bare = Contrast(
        tasks=1,
        pairs=1,
        unpaired=0,
        families=1,
        first_better=0,
        second_better=0,
        alike=1,
        reasons={"interval": "fewer than two families"},
    )
    gate = decide(bare, 0.05)
    assert (gate.answer, gate.reason) == (Answer.CANNOT_TELL, "fewer than two families")
