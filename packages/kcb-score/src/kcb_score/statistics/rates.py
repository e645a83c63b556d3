"""The interval beside a rate: the same for the same results, wherever they are shown."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from kcb_core.score import Interval
from kcb_score.statistics.clustered import clustered_rate
from kcb_score.statistics.proportions import wilson


def rate_interval(
    values: Sequence[float], clusters: Sequence[Hashable], level: float = 0.95
) -> Interval | None:
    """The interval of a rate: Wilson's of independent tasks, with effective n of tasks in families.

    Tasks are independent if no two are of one family, as within one tier. A value between 0 and 1,
    such as the mean of repetitions, is no success of a task, so that it takes the latter, too.

    Args:
        values: one number between 0 and 1 a task, shape (n,): 1 for resolved.
        clusters: the family of each task, n of them.
        level: share of studies whose interval is to hold the true rate.

    Returns:
        The interval; nothing if several tasks are of one family, since it does not tell how
        families differ, or if there are none.

    Raises:
        ValueError: there are not as many families named as tasks.
    """
    if len(values) != len(clusters):
        raise ValueError("each task needs one number and one family")
    independent = len(set(clusters)) == len(clusters)
    if values and independent and all(value in (0, 1) for value in values):
        return wilson(round(sum(values)), len(values), level)
    return clustered_rate(values, clusters, level)
