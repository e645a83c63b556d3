"""Means of tasks that come in families, which rise and fall together.

Two tasks of one family say less than two of different ones. The variance of a mean is therefore
taken over families: Miller (2024), "Adding Error Bars to Evals: A Statistical Approach to Language
Model Evaluations", section 2.2, after Liang and Zeger (1986). Around a variance so found, a normal
interval misses too often where a rate is near 0 or 1; a score interval with the number of
independent tasks that would have this variance does not: Korn and Graubard (1998), "Confidence
intervals for proportions with small expected number of positive counts estimated from survey
data", with Wilson's interval in place of the exact one.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from kcb_core.score import Interval

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Clustered:
    """A mean over tasks, and how far it would vary from one set of families to another."""

    mean: float
    mean_square: float
    n: int
    """Tasks."""
    clusters: int
    variance: float
    """Of the mean, over families; with the factor G/(G-1) for their number G."""

    @property
    def standard_error(self) -> float:
        """The clustered standard error of the mean."""
        return float(np.sqrt(self.variance))

    @property
    def effective_n(self) -> float:
        """Independent tasks that would have this variance.

        At most n times the mean size of a family, which keeps families that are all alike by
        chance from passing for certainty. Where all tasks are alike nothing is known of how
        families differ, and each counts as one task.
        """
        independent = self.mean_square - self.mean**2
        if independent <= 0:
            return float(self.clusters)
        ceiling = self.n**2 / self.clusters
        if self.variance <= independent / ceiling:
            return ceiling
        return independent / self.variance


def clustered_mean(values: ArrayLike, clusters: Sequence[Hashable]) -> Clustered | None:
    """The mean of some tasks, with its variance over families.

    Args:
        values: one number a task, shape (n,).
        clusters: the family of each task, n of them.

    Returns:
        The mean; nothing if there are fewer than two families, since one does not tell how
        families differ.

    Raises:
        ValueError: there are not as many families named as tasks.
    """
    numbers: Floats = np.asarray(values, dtype=np.float64)
    place: dict[Hashable, int] = {}
    index = np.array([place.setdefault(one, len(place)) for one in clusters], dtype=np.intp)
    if numbers.shape != index.shape:
        raise ValueError("each task needs one number and one family")
    groups, n = len(place), numbers.size
    if groups < 2:
        return None
    mean = float(numbers.mean())
    residuals = np.bincount(index, weights=numbers - mean, minlength=groups)
    variance = float(np.sum(residuals**2)) * groups / (groups - 1) / n**2
    return Clustered(
        mean=mean,
        mean_square=float(np.mean(numbers**2)),
        n=n,
        clusters=groups,
        variance=variance,
    )


def clustered_rate(
    values: ArrayLike, clusters: Sequence[Hashable], level: float = 0.95
) -> Interval | None:
    """The interval of a rate over tasks of several families: Wilson's, with effective n.

    The quantile is that of t with as many degrees of freedom as families, less one.

    Args:
        values: one number between 0 and 1 a task, shape (n,): 1 for resolved, or a chance.
        clusters: the family of each task, n of them.
        level: share of studies whose interval is to hold the true rate.

    Returns:
        The interval; nothing if there are fewer than two families.
    """
    found = clustered_mean(values, clusters)
    if found is None:
        return None
    rate = found.mean
    # A chance varies less than a coin of the same rate, so n is measured by the coin's variance.
    coin = Clustered(
        mean=rate,
        mean_square=rate,
        n=found.n,
        clusters=found.clusters,
        variance=found.variance,
    )
    low, high = _score_bounds(rate, coin.effective_n, t_quantile(level, found.clusters))
    # The true rate is between 0 and 1, which only rounding can leave.
    return Interval(
        low=max(0.0, low), high=min(1.0, high), level=level, method="wilson, effective n"
    )


def shrunk_square(found: Clustered) -> float:
    """The mean square of differences with half a task more in each cell of the paired table.

    Agresti and Min (2005), "Simple improved confidence intervals for comparing matched
    proportions". Without it, two subjects that agreed on every task would be equal for sure.
    """
    n = found.effective_n
    return (found.mean_square * n + 1) / (n + 2)


def clustered_difference(
    differences: ArrayLike, clusters: Sequence[Hashable], level: float = 0.95
) -> Interval | None:
    """The interval of the mean of paired differences over tasks of several families.

    A score interval: it holds each difference that the one found does not contradict, given how
    often the two disagree at all (:func:`shrunk_square`), with effective n. It never leaves
    -1 to 1, and is the mirror image if the two change places.

    Args:
        differences: one number between -1 and 1 a task, shape (n,).
        clusters: the family of each task, n of them.
        level: share of studies whose interval is to hold the true difference.

    Returns:
        The interval; nothing if there are fewer than two families.
    """
    found = clustered_mean(differences, clusters)
    if found is None:
        return None
    n, quantile = found.effective_n, t_quantile(level, found.clusters)
    factor = quantile**2 / n
    square = shrunk_square(found)
    # The roots of (mean - x)**2 = factor * (square - x**2).
    middle = found.mean / (1 + factor)
    half = float(np.sqrt(max(0.0, middle**2 - (found.mean**2 - factor * square) / (1 + factor))))
    return Interval(
        low=max(-1.0, middle - half),
        high=min(1.0, middle + half),
        level=level,
        method="paired score, effective n",
    )


@lru_cache
def t_quantile(level: float, clusters: int) -> float:
    """The two-sided quantile of t for a number of families."""
    return float(scipy.stats.t.ppf((1 + level) / 2, clusters - 1))


def _score_bounds(rate: float, n: float, quantile: float) -> tuple[float, float]:
    """Wilson's interval for any number of tasks, whole or not; scipy takes whole ones only."""
    factor = quantile**2 / n
    middle = (rate + factor / 2) / (1 + factor)
    half = float(np.sqrt(max(0.0, middle**2 - rate**2 / (1 + factor))))
    return middle - half, middle + half
