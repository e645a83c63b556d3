"""An exact test of two subjects whose tasks come in families."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from fractions import Fraction
from math import lcm

import numpy as np
import scipy


def swap_test(differences: Sequence[Fraction | int], clusters: Sequence[Hashable]) -> float:
    """The exact two-sided p-value of paired differences of which families move together.

    Were both subjects equally good, their results in any family could as well have changed places.
    The value is the share of all such changes that leave the subjects at least as far apart.
    Pitman (1937), "Significance tests which may be applied to samples from any populations", with
    families as units. If each task is its own family and each difference -1, 0 or 1, it is the
    exact test of McNemar.

    Args:
        differences: of one task each, as fractions, so that equal sums are equal.
        clusters: the family of each task, as many.

    Raises:
        ValueError: there are not as many families named as tasks.
    """
    sums: dict[Hashable, Fraction] = defaultdict(Fraction)
    for difference, cluster in zip(differences, clusters, strict=True):
        sums[cluster] += difference
    unit = lcm(*(one.denominator for one in sums.values()))
    steps = Counter(abs(int(one * unit)) for one in sums.values() if one)
    chances = np.ones(1)  # of each total that is possible, from the lowest to the highest
    for step, times in steps.items():
        coins = np.zeros(2 * step * times + 1)
        coins[:: 2 * step] = scipy.stats.binom.pmf(np.arange(times + 1), times, 0.5)
        chances = np.convolve(chances, coins)
    found, highest = abs(int(sum(sums.values()) * unit)), chances.size // 2
    totals = np.abs(np.arange(-highest, highest + 1))
    return min(1.0, float(chances[totals >= found].sum()))
