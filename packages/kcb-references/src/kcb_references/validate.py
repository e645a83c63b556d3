"""Validates the benchmark itself: every reference must resolve, every empty project must fail."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kcb_core.catalog import Catalog
from kcb_core.report import Outcome
from kcb_core.submission import Submission
from kcb_core.task import Task
from kcb_core.validation import TierValidation
from kcb_references.catalogue import solution
from kcb_runner.evaluate import Bench, Judgement, judge

EMPTY = Submission(files=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What was found of one task."""

    task_id: str
    subset: str
    scenarios: int
    assertions: int
    resolved: bool
    """Whether the reference resolved it."""
    refused: bool
    """Whether the empty project failed it."""
    problems: tuple[str, ...]
    """One line for each thing that is wrong."""


def examine(task: Task, catalog: Catalog, bench: Bench) -> Finding:
    """Judge the reference of a task, and an empty project.

    Raises:
        DeclarationError: there is no reference.
        Cancelled: the run was stopped.
    """
    reference = judge(task, solution(catalog, task), bench)
    empty = judge(task, EMPTY, bench)
    resolved = reference.outcome is Outcome.RESOLVED
    refused = empty.outcome is Outcome.FAILED
    problems = []
    if not resolved:
        problems.append(f"{task.task_id}: the reference does not resolve it: {_reason(reference)}")
    if not refused:
        problems.append(f"{task.task_id}: an empty project does not fail it")
    return Finding(
        task_id=task.task_id,
        subset=task.subset,
        scenarios=len(task.acceptance_tests),
        assertions=task.assertions,
        resolved=resolved,
        refused=refused,
        problems=tuple(problems),
    )


def by_tier(findings: Iterable[Finding], tiers: Iterable[str]) -> tuple[TierValidation, ...]:
    """The findings added up, one row a tier in the order given."""
    held = list(findings)
    rows = []
    for tier in tiers:
        of_tier = [finding for finding in held if finding.subset == tier]
        rows.append(
            TierValidation(
                subset=tier,
                tasks=len(of_tier),
                scenarios=sum(finding.scenarios for finding in of_tier),
                assertions=sum(finding.assertions for finding in of_tier),
                references_resolved=sum(finding.resolved for finding in of_tier),
                empties_failed=sum(finding.refused for finding in of_tier),
            )
        )
    return tuple(rows)


def _reason(judgement: Judgement) -> str:
    problem = judgement.failure
    if problem:
        return f"{problem.kind}: {problem.reason}"
    return judgement.void.reason if judgement.void else "unknown"
