"""pass@k and pass^k: what several projects of one subject for the same task say together.

n of a task is the number of its projects that were judged. A void report lowers it, and a number
with n < k is left out: to take the tasks that have enough projects would measure by other tasks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from kcb_core.report import Outcome
from kcb_core.score import Measure, Samples, TaskAttempts
from kcb_score.resolve import SHARE, counts_as_resolved
from kcb_score.statistics.repeated import mean_at_k, pass_at_k, pass_hat_k

USUAL = (1, 2, 3, 5, 10, 20, 50, 100)
"""Values of k that are shown if nobody asks for others, as far as there are repetitions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassAtK:
    """pass@k and pass^k over all repetitions of a subject.

    pass@k is the unbiased estimate of the chance that at least one of k projects resolves a task
    (Chen et al., 2021), pass^k that all k do (Yao et al., 2024). Both are means over all tasks.
    """

    ks: tuple[int, ...] = ()
    """Values of k; by default the usual ones up to the number of repetitions."""
    name: str = "pass@k"

    def score(self, samples: Samples) -> Mapping[str, Measure]:
        """Both numbers for every k; nothing of one repetition by itself."""
        if samples.repetition is not None:
            return {}
        found = attempts(samples)
        absent = max(0, samples.total - len(found))
        counts = [(one.n, one.resolved) for one in found] + [(0, 0)] * absent
        note = _note(found)
        measures = {}
        for sign, function in (("@", pass_at_k), ("^", pass_hat_k)):
            for k in self.ks or [k for k in USUAL if k <= samples.repetitions]:
                mean = mean_at_k(function, counts, k)
                measures[f"pass{sign}{k}"] = Measure(
                    value=mean.value, unit=SHARE, reason=mean.reason, note=note
                )
        return measures


def attempts(samples: Samples) -> tuple[TaskAttempts, ...]:
    """What the projects for each task with a report came to, by task id."""
    void: Counter[str] = Counter()
    judged: Counter[str] = Counter()
    resolved: Counter[str] = Counter()
    for one in samples.samples:
        count = void if one.outcome is Outcome.VOID else judged
        count[one.task_id] += 1
        if counts_as_resolved(one, samples):
            resolved[one.task_id] += 1
    return tuple(
        TaskAttempts(task_id=task, n=judged[task], resolved=resolved[task], void=void[task])
        for task in sorted(judged | void)
    )


def _note(found: tuple[TaskAttempts, ...]) -> str:
    """What makes n uneven, if anything does."""
    numbers = sorted({one.n for one in found})
    void = sum(one.void for one in found)
    said = [f"n is {numbers[0]} to {numbers[-1]}"] if len(numbers) > 1 else []
    if void:
        said.append(f"n is lowered by {void} void report{'' if void == 1 else 's'}")
    return ", ".join(said)
