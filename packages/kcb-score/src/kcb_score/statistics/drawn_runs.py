"""Runs of subjects, drawn from known rates and family effects, to try intervals on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
import scipy
from numpy.typing import NDArray

FAMILIES = 65

Booleans = NDArray[np.bool_]
Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int, int], Booleans]
"""Outcomes of a number of runs with a number of tiers, shape (runs, FAMILIES, tiers)."""


def beta(rate: float, correlation: float) -> Draw:
    """Families of which each has a chance of its own, drawn from a beta distribution.

    Args:
        rate: the mean chance.
        correlation: of two tasks of one family, between 0 and 1.
    """

    def draw(chance: np.random.Generator, runs: int, tiers: int) -> Booleans:
        size = (runs, FAMILIES, 1)
        weight = (1 - correlation) / correlation if correlation else 0.0
        chances = np.full(size, rate)
        if weight:
            chances = chance.beta(rate * weight, (1 - rate) * weight, size)
        return outcomes(chance, chances, tiers)

    return draw


def logit_normal(rates: Sequence[float], spread: float) -> Draw:
    """Families that are easier or harder than others, on the scale of log odds.

    Args:
        rates: the rate of each tier, or one for all.
        spread: standard deviation of the families' log odds.
    """
    centres = np.array([centre(rate, spread) for rate in rates])

    def draw(chance: np.random.Generator, runs: int, tiers: int) -> Booleans:
        family = spread * chance.standard_normal((runs, FAMILIES, 1))
        chances = scipy.special.expit(centres + family)
        return outcomes(chance, chances, tiers)

    return draw


def outcomes(chance: np.random.Generator, chances: Floats, tiers: int) -> Booleans:
    """Draw a number of tiers from chances of shape (runs, FAMILIES, 1 or tiers)."""
    drawn: Booleans = chance.random((*chances.shape[:2], tiers)) < chances
    return drawn


@lru_cache
def centre(rate: float, spread: float) -> float:
    """The mean log odds at which families of this spread have this rate."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(101)

    def excess(mean: float) -> float:
        chances = scipy.special.expit(mean + spread * nodes)
        return float(np.average(chances, weights=weights)) - rate

    return float(scipy.optimize.brentq(excess, -60, 60))


def pair(
    chance: np.random.Generator,
    runs: int,
    tiers: int,
    rates: tuple[float, float],
    shared: float,
    own: float,
) -> tuple[Booleans, Booleans]:
    """Outcomes of two subjects; families differ for both alike, and for each by itself."""
    families = shared * chance.standard_normal((runs, FAMILIES, 1))
    drawn = []
    for rate in rates:
        spread = float(np.hypot(shared, own))
        taste = own * chance.standard_normal((runs, FAMILIES, 1))
        chances = scipy.special.expit(centre(rate, spread) + families + taste)
        drawn.append(outcomes(chance, chances, tiers))
    return drawn[0], drawn[1]
