"""What a study could have seen at all."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
import scipy
from numpy.typing import ArrayLike

from kcb_score.statistics.clustered import clustered_mean, shrunk_square, t_quantile


def smallest_difference(
    differences: ArrayLike, clusters: Sequence[Hashable], *, level: float = 0.95, power: float = 0.8
) -> float | None:
    """The smallest true difference that a study of this size finds with the given chance.

    Miller (2024), "Adding Error Bars to Evals", section 5: the quantile of the test plus that of
    the power, times the standard error. The error is that of no difference, given how often the
    two subjects disagree; it says nothing of the difference that was found.

    Args:
        differences: one number between -1 and 1 a task, shape (n,).
        clusters: the family of each task, n of them.
        level: of the interval that has to exclude zero.
        power: the chance with which it does.

    Returns:
        The difference, at most 1; nothing if there are fewer than two families.
    """
    found = clustered_mean(differences, clusters)
    if found is None:
        return None
    quantile = t_quantile(level, found.clusters)
    quantile += float(scipy.stats.t.ppf(power, found.clusters - 1))
    error = float(np.sqrt(shrunk_square(found) / found.effective_n))
    return min(1.0, quantile * error)
