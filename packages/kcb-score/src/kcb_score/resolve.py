"""resolve@1: the share of tasks whose one project passed every test.

Pure functions over reports. Right responses of a project that did not resolve add nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from kcb_core.report import Outcome, TaskReport
from kcb_core.score import Diagnosis, Measure, Samples, Tally, VoidTask

SHARE = "share"


class ResolveAtOne:
    """resolve@1 over all tasks, and over those with a project.

    A task without a project counts as not resolved, so leaving some out never raises the first
    number; the second, over the submitted projects alone, is only shown beside it. While tasks are
    void, both are a pair of bounds and not one number.

    Several projects of one task have no resolve@1: each repetition is scored by itself.
    """

    name = "resolve@1"

    def score(self, samples: Samples) -> Mapping[str, Measure]:
        """Both rates, as shares between 0 and 1."""
        return {
            "resolve@1": _rate(samples, samples.total, "task"),
            "resolve@1 of submitted": _rate(samples, len(samples.reports), "report"),
        }


def tally(samples: Samples, tasks: Sequence[str] | None = None) -> Tally:
    """How the tasks of a tier, or of all, came out; each counts in exactly one way.

    Args:
        samples: the reports of one repetition.
        tasks: ids of all the tasks that count, if they are known and the missing ones shall be
            listed; all reported tasks are among them.

    Raises:
        ValueError: two reports are of one task, or there are more than the denominator holds.
    """
    reported = {report.task_id: report for report in samples.reports}
    if len(reported) < len(samples.reports):
        raise ValueError("two reports of one task; tally each repetition by itself")
    counted = [report for report in samples.reports if report.task_id not in samples.excluded]
    outcomes = Counter(report.outcome for report in counted)
    missing = samples.total - len(reported) - len(samples.excluded - reported.keys())
    void = tuple(sorted(_void_tasks(counted), key=lambda one: one.task_id))
    return Tally(
        tier=samples.tier,
        total=samples.total,
        submitted=len(reported),
        resolved=outcomes[Outcome.RESOLVED],
        failed=outcomes[Outcome.FAILED],
        void=len(void),
        missing=missing,
        excluded=len(samples.excluded),
        incomplete=bool(void or missing or samples.excluded),
        diagnosis=diagnose(samples.reports),
        missing_tasks=tuple(
            task
            for task in tasks or ()
            if task not in reported and task not in samples.excluded
        ),
        void_tasks=void if samples.tier else (),
    )  # fmt: skip


def diagnose(reports: Sequence[TaskReport]) -> Diagnosis:
    """What helps to find faults: right responses, and the kinds of failure by their number.

    Void reports are left out, since what was not judged is not wrong.
    """
    judged = [report for report in reports if report.outcome is not Outcome.VOID]
    kinds = Counter(str(report.failure.kind) for report in judged if report.failure)
    return Diagnosis(
        assertions_passed=sum(report.passed for report in judged),
        assertions=sum(report.total for report in judged),
        failures=dict(sorted(kinds.items(), key=lambda kind: (-kind[1], kind[0]))),
    )


def _rate(samples: Samples, denominator: int, noun: str) -> Measure:
    if not samples.reports:
        return _undefined("no report")
    if not denominator:
        return _undefined(f"no {noun}")
    if len({report.task_id for report in samples.reports}) < len(samples.reports):
        return _undefined("several projects of one task, and resolve@1 takes one")
    outcomes = Counter(
        report.outcome for report in samples.reports if report.task_id not in samples.excluded
    )
    resolved, void = outcomes[Outcome.RESOLVED], outcomes[Outcome.VOID]
    if void:
        return Measure(
            at_least=resolved / denominator,
            at_most=(resolved + void) / denominator,
            unit=SHARE,
            reason=f"{void} void",
        )
    return Measure(value=resolved / denominator, unit=SHARE)


def _undefined(reason: str) -> Measure:
    return Measure(unit=SHARE, reason=reason)


def _void_tasks(reports: Sequence[TaskReport]) -> list[VoidTask]:
    return [
        VoidTask(task_id=report.task_id, cause=report.void.cause, reason=report.void.reason)
        for report in reports
        if report.void
    ]
