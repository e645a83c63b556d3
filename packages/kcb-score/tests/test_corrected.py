"""Projects that somebody corrected by hand."""

from typing import Any

import pytest

from kcb_score import text

EASY = tuple(f"kcb-easy-{n:03d}-family-{n}" for n in (1, 2, 3))
BY_HAND = {"hand_corrected": True}


@pytest.mark.parametrize("outcome", ["resolved", "failed", "void"])
def test_a_corrected_project_never_counts_as_resolved(bench: Any, outcome: str) -> None:
    """It stays in the denominator, named, whatever its report says."""
    score = bench.score(
        bench.report(EASY[0], outcome, of=bench.small, run_record=BY_HAND),
        bench.report(EASY[1], of=bench.small),
    )
    easy = score.subjects[0].repetitions[0].tiers[0]
    assert (easy.resolved, easy.corrected, easy.void, easy.failed, easy.missing) == (1, 1, 0, 0, 1)
    assert easy.total == 3
    assert easy.measures["resolve@1"].value == pytest.approx(1 / 3)
    assert easy.measures["resolve@1 of submitted"].value == 0.5
    assert easy.corrected_tasks == (EASY[0],)
    lines = list(text.warnings(score))
    assert f"easy: corrected by hand, which counts as not resolved: {EASY[0]}" in lines


def test_what_an_agent_had_seen_is_told(bench: Any) -> None:
    """Other tasks seen, memory and workspace reset; unknown is said, never guessed."""
    told = {"seen_tasks": ["easy"], "memory_reset": False, "budget": "40k tokens"}
    score = bench.score(
        bench.report(EASY[0], of=bench.small, run_record=told),
        bench.report(EASY[1], of=bench.small, run_record={"seen_tasks": []}),
        bench.report(EASY[2], of=bench.small),
    )
    assert score.conditions["other tasks seen"] == {"no": 1, "unknown": 1, "yes": 1}
    assert score.conditions["memory reset"] == {"no": 1, "unknown": 2}
    assert score.conditions["budget"] == {"40k tokens": 1, "unknown": 2}
    assert "budget" in score.mixed
    assert any(
        "other tasks seen no (1), unknown (1)" in one for one in text.provenance_lines(score)
    )


def test_what_no_number_says_is_said(bench: Any) -> None:
    """A difference may come from more than the number of parameters."""
    (note, _) = bench.score(bench.report(EASY[0], of=bench.small)).notes
    for cause in ("Python", "tool quality", "quantization", "generation budget", "parameters"):
        assert cause in note
