"""What several projects of one task say: pass@k and pass^k."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import comb, fsum

AtK = Callable[[int, int, int], float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """A mean over tasks, or why there is none."""

    value: float | None = None
    reason: str = ""


def pass_at_k(n: int, c: int, k: int) -> float | None:
    """The chance that at least one of k projects of a task resolves it, without bias.

    Chen et al. (2021), "Evaluating Large Language Models Trained on Code", equation 1, as a
    fraction of whole numbers, so that no rounding enters before the last step.

    Args:
        n: projects that were judged.
        c: those of them that resolved.
        k: projects that one would make.

    Returns:
        The chance; nothing if n is smaller than k, since then no estimate is without bias.
    """
    _check(n, c, k)
    if n < k:
        return None
    return (comb(n, k) - comb(n - c, k)) / comb(n, k)


def pass_hat_k(n: int, c: int, k: int) -> float | None:
    """The chance that all of k projects of a task resolve it, without bias; as for pass@k.

    Yao et al. (2024), "tau-bench: A Benchmark for Tool-Agent-User Interaction in Real-World
    Domains", section 5: pass^k.
    """
    _check(n, c, k)
    if n < k:
        return None
    return comb(c, k) / comb(n, k)


def mean_at_k(measure: AtK, counts: Iterable[tuple[int, int]], k: int) -> Mean:
    """The mean over tasks of pass@k or pass^k.

    It is not defined as soon as one task has fewer than k projects: to leave that task out would
    measure by other tasks.

    Args:
        measure: :func:`pass_at_k` or :func:`pass_hat_k`.
        counts: projects judged and projects resolved, for each task.
        k: as there.
    """
    values = [measure(n, c, k) for n, c in counts]
    known = [value for value in values if value is not None]
    if not values:
        return Mean(reason="no task")
    if len(known) < len(values):
        short = len(values) - len(known)
        verb = "has" if short == 1 else "have"
        return Mean(reason=f"{short} of {len(values)} tasks {verb} n<{k}")
    return Mean(value=fsum(known) / len(known))


def _check(n: int, c: int, k: int) -> None:
    if not 0 <= c <= n:
        raise ValueError(f"{c} of {n} projects cannot have resolved")
    if k < 1:
        raise ValueError(f"k is {k}, and must be at least 1")
