"""resolve@1: the share of tasks whose one project passed every test.

Pure functions over samples. Right responses of a project that did not resolve add nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import msgspec

from kcb_core.ids import TaskId
from kcb_core.report import Outcome
from kcb_core.score import Diagnosis, Interval, Measure, Sample, Samples, Tally, VoidTask
from kcb_score.profile import near_misses, profile
from kcb_score.statistics.proportions import wilson
from kcb_score.statistics.rates import rate_interval

SHARE = "share"

_FAMILIES_UNKNOWN = "no interval: which tasks are missing is not known without the dataset"
_ONE_FAMILY = "no interval: one family does not tell how families differ"


class ResolveAtOne:
    """resolve@1 over all tasks, and over those with a project.

    A task without a project counts as not resolved, so leaving some out never raises the first
    number; the second, over the submitted projects alone, is only shown beside it. While tasks are
    void, both are a pair of bounds and not one number.

    The interval of one tier is Wilson's, that of several tiers together is clustered by family,
    since a family has a task in each. Around a pair it reaches from the low end of the lower number
    to the high end of the upper one.

    Several projects of one task have no resolve@1: each repetition is scored by itself.
    """

    name = "resolve@1"

    def score(self, samples: Samples) -> Mapping[str, Measure]:
        """Both rates, as shares between 0 and 1; nothing of several repetitions together."""
        if samples.repetition is None:
            return {}
        resolved = {one.task_id for one in samples.samples if counts_as_resolved(one, samples)}
        void = {one.task_id for one in samples.samples if counts_as_void(one, samples)}
        whole = _rate(samples, samples.total, "task", resolved, void)
        if whole.value is not None or whole.at_least is not None:
            bounds, note = _interval(samples, resolved, void)
            note = note or ("the interval covers both ends" if void else "")
            whole = msgspec.structs.replace(whole, interval=bounds, note=note)
        return {
            "resolve@1": whole,
            "resolve@1 of submitted": _rate(
                samples, len(samples.samples), "report", resolved, void
            ),
        }


def counts_as_resolved(sample: Sample, samples: Samples) -> bool:
    """Whether a project adds to a score: not of an excluded task, and not corrected by hand."""
    return sample.resolved and sample.task_id not in samples.excluded


def counts_as_void(sample: Sample, samples: Samples) -> bool:
    """Whether a task might still turn out to be resolved."""
    open_ = sample.outcome is Outcome.VOID and not sample.hand_corrected
    return open_ and sample.task_id not in samples.excluded


def tally(samples: Samples) -> Tally:
    """How the tasks of a tier, or of all, came out; each counts in exactly one way.

    Args:
        samples: of one repetition. Where their tasks are known, the missing ones are listed.

    Raises:
        ValueError: two reports are of one task, or there are more than the denominator holds.
    """
    reported = {one.task_id for one in samples.samples}
    if len(reported) < len(samples.samples):
        raise ValueError("two reports of one task; tally each repetition by itself")
    counted = [one for one in samples.samples if one.task_id not in samples.excluded]
    corrected = sorted(one.task_id for one in counted if one.hand_corrected)
    outcomes = Counter(one.outcome for one in counted if not one.hand_corrected)
    missing = samples.total - len(reported) - len(samples.excluded - reported)
    void = _void_tasks(one for one in counted if not one.hand_corrected)
    return Tally(
        tier=samples.tier,
        total=samples.total,
        submitted=len(reported),
        resolved=outcomes[Outcome.RESOLVED],
        failed=outcomes[Outcome.FAILED],
        corrected=len(corrected),
        void=len(void),
        missing=missing,
        excluded=len(samples.excluded),
        incomplete=bool(void or missing or samples.excluded),
        diagnosis=diagnose(samples.samples),
        missing_tasks=tuple(
            task
            for task in (samples.tasks or () if samples.tier else ())
            if task not in reported and task not in samples.excluded
        ),
        void_tasks=void if samples.tier else (),
        corrected_tasks=tuple(corrected) if samples.tier else (),
    )  # fmt: skip


def diagnose(samples: Sequence[Sample]) -> Diagnosis:
    """What helps to find faults: right responses, kinds of failure, topics, near misses.

    Void reports are left out, since what was not judged is not wrong.
    """
    judged = [one for one in samples if one.outcome is not Outcome.VOID]
    kinds = Counter(one.failure for one in judged if one.failure)
    return Diagnosis(
        assertions_passed=sum(one.passed for one in judged),
        assertions=sum(one.total for one in judged),
        failures=dict(sorted(kinds.items(), key=lambda kind: (-kind[1], kind[0]))),
        topics=profile(judged),
        near_misses=near_misses(judged),
    )


def _rate(
    samples: Samples, denominator: int, noun: str, resolved: set[str], void: set[str]
) -> Measure:
    if not samples.samples:
        return _undefined("no report")
    if not denominator:
        return _undefined(f"no {noun}")
    if len({one.task_id for one in samples.samples}) < len(samples.samples):
        return _undefined("several projects of one task, and resolve@1 takes one")
    low, high = len(resolved) / denominator, (len(resolved) + len(void)) / denominator
    if void:
        return Measure(at_least=low, at_most=high, unit=SHARE, reason=f"{len(void)} void")
    return Measure(value=low, unit=SHARE)


def _interval(samples: Samples, resolved: set[str], void: set[str]) -> tuple[Interval | None, str]:
    """The interval of a rate over all tasks, or why there is none."""
    either = resolved | void
    if samples.tier:  # a family has one task in it, whichever are missing
        return _covering(*(_wilson(len(those), samples.total) for those in (resolved, either))), ""
    tasks = _every_task(samples)
    if tasks is None:
        return None, _FAMILIES_UNKNOWN
    first, second = _over(tasks, resolved), _over(tasks, either)
    if first is None or second is None:
        return None, _ONE_FAMILY
    return _covering(first, second), ""


def _covering(lower: Interval, upper: Interval) -> Interval:
    return Interval(low=lower.low, high=upper.high, level=lower.level, method=lower.method)


def _every_task(samples: Samples) -> list[str] | None:
    """Ids of all tasks by which the subject is measured, if they are known."""
    if samples.tasks is not None:
        return list(samples.tasks)
    known = {one.task_id for one in samples.samples} | samples.excluded
    return sorted(known) if len(known) == samples.total else None


@lru_cache(maxsize=4096)
def _wilson(successes: int, n: int) -> Interval:
    return wilson(successes, n)


def _over(tasks: Sequence[str], resolved: set[str]) -> Interval | None:
    return rate_interval([task in resolved for task in tasks], [_family(task) for task in tasks])


@lru_cache(maxsize=4096)
def _family(task: str) -> str:
    return TaskId.read(task).slug


def _undefined(reason: str) -> Measure:
    return Measure(unit=SHARE, reason=reason)


def _void_tasks(samples: Iterable[Sample]) -> tuple[VoidTask, ...]:
    return tuple(
        VoidTask(task_id=one.task_id, cause=one.void.cause, reason=one.void.reason)
        for one in sorted(samples, key=lambda one: one.task_id)
        if one.void
    )
