"""A share of independent tasks, and tables of paired ones."""

from __future__ import annotations

import scipy

from kcb_core.score import Interval


def wilson(successes: int, n: int, level: float = 0.95) -> Interval:
    """The score interval of a share of independent tasks.

    Wilson (1927), "Probable inference, the law of succession, and statistical inference", by
    ``scipy.stats.binomtest``. It never leaves 0 to 1, and says something for none and for all.

    Raises:
        ValueError: there are no tasks, or fewer tasks than successes.
    """
    found = scipy.stats.binomtest(successes, n).proportion_ci(level, method="wilson")
    return Interval(low=float(found.low), high=float(found.high), level=level, method="wilson")


def mcnemar(only_first: int, only_second: int) -> float:
    """The exact two-sided p-value of two subjects' results on the same tasks.

    McNemar (1947), "Note on the sampling error of the difference between correlated proportions
    or percentages", in its exact form: were both equally good, each discordant task would be a
    fair coin, by ``scipy.stats.binomtest``.

    Args:
        only_first: tasks that the first subject alone resolved.
        only_second: tasks that the second subject alone resolved.
    """
    discordant = only_first + only_second
    if not discordant:
        return 1.0
    return float(scipy.stats.binomtest(only_first, discordant, 0.5).pvalue)
