"""Validates the benchmark itself: every reference must resolve, every empty project must fail."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice

from kcb_core.catalog import Catalog
from kcb_core.family import Family
from kcb_core.report import Outcome
from kcb_core.task import Task
from kcb_core.validation import TierValidation
from kcb_core.vocabulary import SHIPPED, Vocabulary
from kcb_references.agreement import disagreements
from kcb_references.catalogue import solution
from kcb_references.cheats import CHEATS, cheats_for
from kcb_runner.judging import Bench, Judgement, judge

SHOWN_DISAGREEMENTS = 3
"""Disagreements of one family that are shown; one is enough to fail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What was found of one task."""

    task_id: str
    subset: str
    scenarios: int
    assertions: int
    resolved: bool
    """Whether the reference resolved it."""
    failed: dict[str, bool] = field(default_factory=dict)
    """Whether each cheat failed it, the empty project among them."""
    problems: tuple[str, ...]
    """One line for each thing that is wrong."""


def examine(
    task: Task,
    catalog: Catalog,
    bench: Bench,
    *,
    cheats: bool = False,
    vocabulary: Vocabulary = SHIPPED,
) -> Finding:
    """Judge the reference of a task, and what must fail it.

    Args:
        task: the task.
        catalog: where references are found.
        bench: where they are played.
        cheats: whether every cheat is tried, and not only the empty project.
        vocabulary: what the names on the wire are called in the task's dataset.

    Raises:
        DeclarationError: there is no reference.
        Cancelled: the run was stopped.
    """
    reference = judge(task, solution(catalog, task, vocabulary), bench)
    resolved = reference.outcome is Outcome.RESOLVED
    problems = []
    if not resolved:
        problems.append(f"{task.task_id}: the reference does not resolve it: {_reason(reference)}")
    failed = {}
    for name in cheats_for(task) if cheats else ("empty",):
        cheat = CHEATS[name](task, catalog, vocabulary)
        tried = judge(task, cheat, bench, until_failure=True)
        failed[name] = tried.outcome is Outcome.FAILED
        if not failed[name]:
            problems.append(f"{task.task_id}: the cheat {name!r} does not fail it")
    return Finding(
        task_id=task.task_id,
        subset=task.subset,
        scenarios=task.scenarios,
        assertions=task.assertions,
        resolved=resolved,
        failed=failed,
        problems=tuple(problems),
    )


def compare(family: Family, catalog: Catalog, count: int) -> list[str]:
    """Lines that say where a family and its reference disagree; see :mod:`~.agreement`.

    Raises:
        DeclarationError: there is no reference.
    """
    known = catalog.references()
    reference = catalog.find("reference", family.name, known, lambda r: r.family)
    found = islice(disagreements(family, reference, count), SHOWN_DISAGREEMENTS)
    return [f"{family.name}: family and reference disagree: {one}" for one in found]


def by_tier(findings: Iterable[Finding], tiers: Iterable[str]) -> tuple[TierValidation, ...]:
    """The findings added up, one row a tier in the order given."""
    held = list(findings)
    rows = []
    for tier in tiers:
        of_tier = [finding for finding in held if finding.subset == tier]
        names = dict.fromkeys(name for finding in of_tier for name in finding.failed)
        rows.append(
            TierValidation(
                subset=tier,
                tasks=len(of_tier),
                scenarios=sum(finding.scenarios for finding in of_tier),
                assertions=sum(finding.assertions for finding in of_tier),
                references_resolved=sum(finding.resolved for finding in of_tier),
                empties_failed=sum(finding.failed["empty"] for finding in of_tier),
                cheats_failed={
                    name: sum(finding.failed.get(name, False) for finding in of_tier)
                    for name in names
                    if name != "empty"
                },
            )
        )
    return tuple(rows)


def _reason(judgement: Judgement) -> str:
    problem = judgement.failure
    if problem:
        return f"{problem.kind}: {problem.reason}"
    return judgement.void.reason if judgement.void else "unknown"
