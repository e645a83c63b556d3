"""The study of how often intervals hold the truth, in small; ``nox -s intervals`` has it whole."""

from statistics import fmean

import numpy as np
import pytest

from kcb_core.score import Interval
from kcb_score.statistics import coverage
from kcb_score.statistics.drawn_runs import Booleans, beta, logit_normal
from kcb_score.statistics.proportions import wilson


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    """Of few runs each, so only the mean over all family effects is held against 95 %."""
    rows = list(coverage.uneven_rows(np.random.default_rng(7), 60))
    rows += coverage.paired_rows(np.random.default_rng(7), 25)
    found = {row.interval for row in rows}
    assert len(found) == 6
    for name in sorted(found):
        shares = [row.share for row in rows if row.interval == name]
        low, high = (0.0, 0.07) if "test" in name else (0.92, 0.98)
        assert low <= fmean(shares) <= high, name


def test_wilson_is_exact_at_every_rate() -> None:
    """Nothing is drawn here: the sums over all outcomes of one tier stay between 93 and 97 %."""
    worst, best = coverage.exact_rows()
    assert 0.93 <= worst.share < 0.95 < best.share <= 0.97
    assert worst.kept
    assert best.kept


@pytest.mark.parametrize("correlation", [0.0, 0.3])
def test_drawn_families_are_as_alike_as_was_asked(correlation: float) -> None:
    """Mean and correlation of what is drawn, so that the study studies what it says."""
    drawn = beta(0.2, correlation)(np.random.default_rng(1), 2000, 2)
    assert drawn.mean() == pytest.approx(0.2, abs=0.005)
    pairs = np.corrcoef(drawn[:, :, 0].ravel(), drawn[:, :, 1].ravel())
    assert pairs[0, 1] == pytest.approx(correlation, abs=0.02)


def test_logit_families_have_the_rate_that_was_asked() -> None:
    """The mean of chances is not the chance of the mean."""
    drawn = logit_normal([0.1, 0.9], 3.0)(np.random.default_rng(1), 2000, 2)
    assert drawn.mean(axis=(0, 1)).tolist() == pytest.approx([0.1, 0.9], abs=0.005)


def test_an_interval_that_forgets_families_is_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The check bites: Wilson over all tasks, as if they were independent, ends with status 1."""

    def careless(outcomes: Booleans) -> Interval:
        return wilson(int(outcomes.sum()), outcomes.size)

    monkeypatch.setattr(coverage, "across", careless)
    monkeypatch.setattr(coverage, "RATES", (0.5,))
    monkeypatch.setattr(coverage, "PAIRS", ())
    assert coverage.main(["--runs", "100"]) == 1
    out = capsys.readouterr().out
    assert "Wilson with effective n, four tiers, logit, 3, rate 0.5: " in out
    assert "| Wilson, one tier | 0.5 | 6 |" in out
