"""The statistics, held against published numbers, scipy, hand calculation and their own laws."""

import random
import subprocess
import sys
from fractions import Fraction
from itertools import product
from math import comb, sqrt
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from kcb_score.statistics.clustered import (
    clustered_difference,
    clustered_mean,
    clustered_rate,
)
from kcb_score.statistics.multiplicity import holm
from kcb_score.statistics.power import smallest_difference
from kcb_score.statistics.proportions import mcnemar, wilson
from kcb_score.statistics.rates import rate_interval
from kcb_score.statistics.repeated import Mean, mean_at_k, pass_at_k, pass_hat_k
from kcb_score.statistics.swapping import swap_test

Tasks = list[tuple[float, int]]

OUTCOMES = st.lists(st.tuples(st.sampled_from([0.0, 1.0]), st.integers(0, 7)), min_size=2)
DIFFERENCES = st.lists(
    st.tuples(st.sampled_from([-1.0, -0.5, 0.0, 0.5, 1.0]), st.integers(0, 7)), min_size=2
)


def columns(tasks: Tasks) -> tuple[list[float], list[int]]:
    """Values and families of drawn tasks."""
    return [value for value, _ in tasks], [family for _, family in tasks]


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        # Newcombe (1998), "Two-sided confidence intervals for the single proportion", table I.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_is_as_published(successes: int, n: int, low: float, high: float) -> None:
    """The four examples by which the method is known."""
    found = wilson(successes, n)
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)
    assert (found.level, found.method) == (0.95, "wilson")


def test_a_rate_has_one_interval_wherever_it_is_shown() -> None:
    """Independent tasks have Wilson's; families, shares of repetitions and no task have not."""
    three_of_ten = [1.0] * 3 + [0.0] * 7
    assert rate_interval(three_of_ten, range(10)) == wilson(3, 10)
    assert rate_interval([1.0], ["x"]) == wilson(1, 1)
    families = [number // 2 for number in range(10)]
    assert rate_interval(three_of_ten, families) == clustered_rate(three_of_ten, families)
    shares = [0.5, *three_of_ten[1:]]
    assert rate_interval(shares, range(10)) == clustered_rate(shares, range(10))
    assert rate_interval([1.0, 0.0], ["x", "x"]) is None
    assert rate_interval([], []) is None
    with pytest.raises(ValueError, match="one family"):
        rate_interval([1.0], [])


@pytest.mark.parametrize(
    ("measure", "n", "c", "values"),
    [
        (pass_at_k, 3, 0, (0, 0, None)),
        (pass_at_k, 5, 2, (0.4, 0.9, 1.0)),
        (pass_hat_k, 3, 3, (1.0, 1.0, None)),
        (pass_hat_k, 5, 3, (0.6, 0.1, 0.0)),
    ],
)
def test_at_k_by_hand(measure: object, n: int, c: int, values: tuple[float | None, ...]) -> None:
    """Exact values for k of 1, 3 and 5, and nothing where n is too small."""
    assert callable(measure)
    assert tuple(measure(n, c, k) for k in (1, 3, 5)) == values


def test_the_mean_at_k_is_undefined_as_soon_as_one_task_is() -> None:
    """Not 1.0, not 0.5, and not the second task alone."""
    counts = [(3, 0), (5, 2)]
    found = [mean_at_k(pass_at_k, counts, k) for k in (1, 3, 5)]
    assert found == [Mean(value=0.2), Mean(value=0.45), Mean(reason="1 of 2 tasks has n<5")]
    assert mean_at_k(pass_at_k, [(0, 0), (1, 1), (1, 0)], 2).reason == "3 of 3 tasks have n<2"
    assert mean_at_k(pass_at_k, [], 1) == Mean(reason="no task")


@given(st.integers(1, 40), st.data())
def test_at_k_follows_the_hypergeometric_distribution(n: int, data: st.DataObject) -> None:
    """pass@k is the chance of at least one, pass^k that of all, when k of n are drawn."""
    c, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    assert pass_at_k(n, c, k) == pytest.approx(stats.hypergeom.sf(0, n, c, k), abs=1e-12)
    assert pass_hat_k(n, c, k) == pytest.approx(stats.hypergeom.pmf(k, n, c, k), abs=1e-12)
    assert pass_at_k(n, c, 1) == pass_hat_k(n, c, 1) == c / n
    if k < n:
        assert pass_at_k(n, c, k) <= pass_at_k(n, c, k + 1)
        assert pass_hat_k(n, c, k) >= pass_hat_k(n, c, k + 1)


@pytest.mark.parametrize(("n", "c", "k"), [(3, 4, 1), (3, -1, 1), (3, 1, 0)])
def test_at_k_of_impossible_counts_is_refused(n: int, c: int, k: int) -> None:
    """A negative binomial coefficient would pass for a chance."""
    for measure in (pass_at_k, pass_hat_k):
        with pytest.raises(ValueError, match=r"cannot have resolved|at least 1"):
            measure(n, c, k)


def test_the_clustered_error_by_hand() -> None:
    """Three families of two: sums of residuals 1, 0 and -1 about a mean of one half."""
    found = clustered_mean([1, 1, 1, 0, 0, 0], ["a", "a", "b", "b", "c", "c"])
    assert found is not None
    assert (found.mean, found.n, found.clusters) == (0.5, 6, 3)
    assert found.standard_error == pytest.approx(sqrt((1 + 0 + 1) * 3 / 2 / 36))
    assert found.effective_n == pytest.approx(0.25 / (3 / 36))


def test_without_families_the_clustered_error_is_the_plain_one() -> None:
    """Each task its own family: the standard error of the mean, as scipy has it."""
    values = [0.0, 1.0, 1.0, 0.25, 0.5, 1.0, 0.0]
    found = clustered_mean(values, range(7))
    assert found is not None
    assert found.standard_error == pytest.approx(stats.sem(values))


def test_families_that_move_together_widen_the_interval() -> None:
    """Four tiers that always agree say as much as one: n is the number of families."""
    values = [float(family < 20) for family in range(65) for _ in range(4)]
    together = clustered_rate(values, [family for family in range(65) for _ in range(4)])
    apart = clustered_rate(values, range(260))
    one_tier = clustered_rate(values[::4], range(65))
    assert together is not None
    assert apart is not None
    assert one_tier is not None
    assert together.high - together.low > 1.9 * (apart.high - apart.low)
    assert (together.low, together.high) == pytest.approx((one_tier.low, one_tier.high))


@pytest.mark.parametrize("successes", [0, 1, 7, 33, 64, 65])
def test_a_rate_without_families_is_nearly_wilson(successes: int) -> None:
    """All that differs is t for normal, and a task less for the estimated variance."""
    found = clustered_rate([1.0] * successes + [0.0] * (65 - successes), range(65))
    plain = wilson(successes, 65)
    assert found is not None
    assert found.low == pytest.approx(plain.low, abs=0.006)
    assert found.high == pytest.approx(plain.high, abs=0.006)
    assert found.high - found.low >= plain.high - plain.low


def test_families_alike_by_chance_are_no_certainty() -> None:
    """Each family has one of two: the variance over families is nought, the interval is not."""
    families = [family for family in range(10) for _ in range(2)]
    found = clustered_rate([0.0, 1.0] * 10, families)
    assert found is not None
    assert found.low < 0.4 < 0.6 < found.high


@pytest.mark.parametrize("interval", [clustered_rate, clustered_difference, smallest_difference])
def test_one_family_tells_nothing_of_families(interval: object) -> None:
    """Undefined, and left out."""
    assert callable(interval)
    assert interval([0, 1, 1], ["a"] * 3) is None
    assert interval([], []) is None
    with pytest.raises(ValueError, match="one number and one family"):
        interval([0, 1, 1], ["a", "b"])


@given(OUTCOMES)
def test_a_rate_lies_in_its_interval_between_0_and_1(tasks: Tasks) -> None:
    """Also for none, for all, for two families and for families of unequal size."""
    values, families = columns(tasks)
    found = clustered_rate(values, families)
    assert (found is None) == (len(set(families)) < 2)
    if found is not None:
        assert 0 <= found.low <= fmean(values) + 1e-12
        assert fmean(values) - 1e-12 <= found.high <= 1
        assert found.low < found.high


@given(OUTCOMES, st.randoms(use_true_random=False))
def test_a_rate_is_symmetric(tasks: Tasks, chance: random.Random) -> None:
    """Failures are the mirror image of successes, and the order of tasks is nothing."""
    values, families = columns(tasks)
    found = clustered_rate(values, families)
    mirrored = clustered_rate([1 - value for value in values], families)
    shuffled = clustered_rate(*columns(chance.sample(tasks, len(tasks))))
    if found is None:
        assert mirrored is None
        assert shuffled is None
        return
    assert mirrored is not None
    assert shuffled is not None
    assert (mirrored.low, mirrored.high) == pytest.approx((1 - found.high, 1 - found.low))
    assert (shuffled.low, shuffled.high) == pytest.approx((found.low, found.high))


@given(DIFFERENCES)
def test_a_difference_is_the_mirror_image_if_subjects_change_places(tasks: Tasks) -> None:
    """Whoever is named first has no advantage; the ends stay within what is possible."""
    values, families = columns(tasks)
    found = clustered_difference(values, families)
    mirrored = clustered_difference([-value for value in values], families)
    if found is None:
        assert mirrored is None
        return
    assert mirrored is not None
    assert (mirrored.low, mirrored.high) == pytest.approx((-found.high, -found.low))
    assert -1 <= found.low < found.high <= 1


def test_a_difference_by_hand() -> None:
    """Of 65 tasks 20 won and none lost: n of 64, mean square of (20 / 65 * 64 + 1) / 66 = 0.3135.

    With t of 1.9977 the roots of (0.3077 - x)**2 = 0.06236 * (0.3135 - x**2) are 0.1749 and 0.4044.
    """
    found = clustered_difference([1.0] * 20 + [0.0] * 45, range(65))
    assert found is not None
    assert (round(found.low, 4), round(found.high, 4)) == (0.1749, 0.4044)


def test_a_higher_level_gives_a_wider_interval() -> None:
    """Whoever wants to be surer must say less."""
    values, families = [1.0, 0.0, 0.0, 1.0, -1.0, 1.0] * 5, list(range(15)) * 2
    widths = []
    for level in (0.8, 0.95, 0.99):
        found = clustered_difference(values, families, level)
        assert found is not None
        assert found.level == level
        widths.append(found.high - found.low)
    assert widths == sorted(set(widths))


def test_two_subjects_that_always_agree_are_not_equal_for_sure() -> None:
    """On 65 tasks without one discordant, some few per cent either way remain possible."""
    found = clustered_difference([0.0] * 65, range(65))
    assert found is not None
    assert -0.06 < found.low < -0.02
    assert found.high == -found.low


def test_mcnemar_by_hand() -> None:
    """Of eight discordant tasks one: 2 * (1 + 8) / 256; none at all tells nothing."""
    assert mcnemar(1, 7) == pytest.approx(18 / 256)
    assert mcnemar(7, 1) == mcnemar(1, 7)
    assert mcnemar(4, 4) == 1
    assert mcnemar(0, 0) == 1
    # Fagerland, Lydersen, Laake (2013), table 1: airway hyper-responsiveness, exact p of 0.070.
    assert round(mcnemar(1, 7), 3) == 0.070


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_is_the_binomial_tail(first: int, second: int) -> None:
    """Twice the smaller tail of a fair coin, never above 1."""
    n, few = first + second, min(first, second)
    tail = sum(comb(n, i) for i in range(few + 1)) / 2**n
    assert mcnemar(first, second) == pytest.approx(min(1.0, 2 * tail))


def test_holm_by_hand() -> None:
    """The example of Holm's procedure with three tests, and its order-free answer."""
    assert holm([0.01, 0.04, 0.03]).tolist() == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.6, 0.7]).tolist() == [1.0, 1.0]
    assert holm([]).tolist() == []
    with pytest.raises(ValueError, match="between 0 and 1"):
        holm([0.5, 1.5])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_lies_between_nothing_and_bonferroni(pvalues: list[float]) -> None:
    """It never calls more significant than the raw values, nor less than the crude correction."""
    raw, adjusted = np.array(pvalues), holm(pvalues)
    assert np.all(adjusted >= raw)
    assert np.all(adjusted <= np.minimum(1, raw * len(pvalues)) + 1e-15)
    order = np.argsort(raw, kind="stable")
    assert np.all(np.diff(adjusted[order]) >= 0)


def test_the_smallest_difference_is_found_with_the_power_that_is_promised() -> None:
    """Simulated: at that difference four of five studies exclude zero, at none one of twenty."""
    chance = np.random.default_rng(1729)
    families = list(range(200))
    disagree = 0.3
    promised = smallest_difference([1.0, -1.0] * 30 + [0.0] * 140, families)
    assert promised is not None
    for true, low, high in ((promised, 0.76, 0.86), (0.0, 0.03, 0.07)):
        share = [(disagree - true) / 2, 1 - disagree, (disagree + true) / 2]
        found = [
            clustered_difference(chance.choice([-1.0, 0.0, 1.0], 200, p=share), families)
            for _ in range(1000)
        ]
        assert low < fmean(one is not None and not one.low <= 0 <= one.high for one in found) < high


def test_more_tasks_see_smaller_differences() -> None:
    """Four times the tasks, about half the difference."""
    small = smallest_difference([1.0, -1.0, 0.0, 0.0] * 25, range(100))
    large = smallest_difference([1.0, -1.0, 0.0, 0.0] * 100, range(400))
    assert small is not None
    assert large is not None
    assert large == pytest.approx(small / 2, rel=0.03)


def test_the_command_line_does_not_wait_for_scipy() -> None:
    """Its statistics take half a second to import, which help and completion need not pay."""
    code = (
        "import sys, kcb_score.cli, kcb_score.statistics.clustered, kcb_score.statistics.power\n"
        "sys.exit('scipy.stats' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=60, check=False).returncode == 0


@given(st.lists(st.sampled_from([-1, 0, 1]), min_size=1, max_size=40))
def test_swapping_single_tasks_is_mcnemar(differences: list[int]) -> None:
    """The one is the other if no two tasks are of one family."""
    found = swap_test(differences, range(len(differences)))
    assert found == pytest.approx(mcnemar(differences.count(-1), differences.count(1)))


@given(
    st.lists(st.tuples(st.integers(-4, 4), st.integers(1, 3), st.integers(0, 5)), max_size=9),
)
def test_swapping_is_what_trying_every_swap_gives(tasks: list[tuple[int, int, int]]) -> None:
    """Fractions, families of several tasks, and families that cancel out."""
    differences = [Fraction(number, below) for number, below, _ in tasks]
    families = [family for _, _, family in tasks]
    sums = [
        sum(d for d, one in zip(differences, families, strict=True) if one == family)
        for family in set(families)
    ]
    totals = [abs(sum(s * sign for s, sign in zip(sums, signs, strict=True)))
              for signs in product((-1, 1), repeat=len(sums))]  # fmt: skip
    share = fmean(total >= abs(sum(sums)) for total in totals)
    assert swap_test(differences, families) == pytest.approx(share)


def test_swapping_is_less_sure_where_families_move_together() -> None:
    """Eight tasks that are all of two families are two coins, not eight."""
    assert swap_test([1] * 8, range(8)) == pytest.approx(2 / 256)
    assert swap_test([1] * 8, [0] * 4 + [1] * 4) == pytest.approx(0.5)
    with pytest.raises(ValueError, match="shorter"):
        swap_test([1, 1], [0])
