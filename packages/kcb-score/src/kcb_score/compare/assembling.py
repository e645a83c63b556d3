"""From arms to a comparison: what they are measured by, every pair, and what needs leave."""

from __future__ import annotations

from collections.abc import Collection as AnyOf
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import msgspec

from kcb_core.dataset import Manifest
from kcb_core.errors import DeclarationError
from kcb_core.score import SelectionStamp
from kcb_core.selection import Selection
from kcb_score.compare.arm import Arm
from kcb_score.compare.baseline import (
    BASELINE_FORMAT,
    BASELINE_KIND,
    Baseline,
    freeze_run,
)
from kcb_score.compare.comparison import (
    COMPARISON_FORMAT,
    COMPARISON_KIND,
    ArmSummary,
    Comparison,
    Contrast,
    Mark,
    Pair,
)
from kcb_score.compare.gate import decide
from kcb_score.compare.loading import Loaded
from kcb_score.compare.measured import Measured, measured
from kcb_score.compare.pairing import pair_up
from kcb_score.denominator import settle
from kcb_score.statistics.multiplicity import holm

LEVEL = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """By what arms are compared, and what is let pass."""

    manifest: Manifest | None = None
    """Of the dataset that the reports name, if it is at hand."""
    selection: Selection | None = None
    """The tasks that count, if not all of them do."""
    allowed: frozenset[Mark] = frozenset()
    margin: float | None = None
    """The loss that a gate does not accept; without it there is no gate."""


def compared(
    loaded: Loaded, terms: Terms, baseline: Baseline | None = None, *, source: str = ""
) -> Comparison:
    """What the arms say of each other; a baseline comes first.

    Args:
        source: file of the baseline, for an error to name.

    Raises:
        DataError: reports, baseline, manifest and selection contradict each other.
        DeclarationError: there are not enough arms, or too many for a gate, or something makes
            them unequal that was not allowed.
    """
    arms, judged = loaded.arms, loaded.judged
    if baseline:
        baseline.judged.require_same(judged, source=source)
        arms = (baseline.arm(_free_name(baseline.subject, arms)), *arms)
    if len(arms) < 2:
        raise DeclarationError(
            f"only {arms[0].name!r} is here; name a folder for each subject, or a --baseline"
        )
    if terms.margin is not None and len(arms) > 2:
        raise DeclarationError(
            f"--gate takes two subjects, here are {len(arms)}; choose with --subject"
        )
    denominator = settle(loaded.collection, manifest=terms.manifest, selection=terms.selection)
    scope = measured(denominator, arms)
    found = summaries(arms, scope)
    noticed = marks(found, terms.allowed)
    contrasts = pairs(arms, scope, LEVEL)
    tasks = set(scope.ids)
    return Comparison(
        kind=COMPARISON_KIND,
        format=COMPARISON_FORMAT,
        dataset=judged.dataset,
        protocol_version=judged.protocol_version,
        evaluator=judged.evaluator,
        python=judged.python,
        selection=_stamp(terms.selection),
        outside=sum(task not in tasks for arm in arms for run in arm.runs for task in run),
        level=LEVEL,
        mixed=judged.mixed(baseline.conditions if baseline else {}),
        marks=noticed,
        arms=found,
        pairs=contrasts,
        gate=decide(contrasts[0].overall, terms.margin) if terms.margin is not None else None,
    )


def frozen(loaded: Loaded) -> Baseline:
    """The one arm that is there, as a baseline.

    Raises:
        DeclarationError: there are several.
    """
    if len(loaded.arms) != 1:
        names = ", ".join(repr(arm.name) for arm in loaded.arms)
        raise DeclarationError(f"a baseline is of one subject, here are {names}; use --subject")
    (arm,), judged = loaded.arms, loaded.judged
    return Baseline(
        kind=BASELINE_KIND,
        format=BASELINE_FORMAT,
        subject=arm.subject,
        dataset=judged.dataset,
        protocol_version=judged.protocol_version,
        evaluator=judged.evaluator,
        python=judged.python,
        conditions={name: dict(values) for name, values in judged.conditions.items()},
        budgets=arm.budgets,
        runs=tuple(freeze_run(run) for run in arm.runs),
    )


def summaries(arms: Sequence[Arm], scope: Measured) -> tuple[ArmSummary, ...]:
    """What was lost of each arm."""
    return tuple(arm.summary(scope.ids, scope.further) for arm in arms)


def marks(found: Sequence[ArmSummary], allowed: AnyOf[Mark]) -> tuple[Mark, ...]:
    """What makes the arms unequal, if each of it was allowed.

    Raises:
        DeclarationError: one was not; the message says which arm, and what to do.
    """
    partial = next((one for one in found if one.missing), None)
    budgets = {budget for one in found for budget in one.budgets}
    if partial and Mark.PARTIAL not in allowed:
        are = "is" if partial.missing == 1 else "are"
        raise DeclarationError(
            f"{partial.name}: {partial.missing} of {partial.expected} projects {are} missing; name "
            "the tasks that were meant with --selection, or let them count as not resolved with "
            "--allow partial"
        )
    if len(budgets) > 1 and Mark.BUDGET not in allowed:
        named = ", ".join(repr(one) if one else "none recorded" for one in sorted(budgets))
        raise DeclarationError(
            f"the projects were made with differing budgets: {named}; compare equal ones, or "
            "these all the same with --allow budget"
        )
    present = {Mark.PARTIAL: partial is not None, Mark.BUDGET: len(budgets) > 1}
    return tuple(mark for mark, there in present.items() if there)


def pairs(arms: Sequence[Arm], scope: Measured, level: float) -> tuple[Pair, ...]:
    """Each arm with each later one; with more than two arms, p-values are adjusted after Holm."""
    found = [pair_up(one, two, scope, level=level) for one, two in combinations(arms, 2)]
    if len(found) < 2:
        return tuple(found)
    overall = _adjusted([pair.overall for pair in found])
    tiers = [_adjusted(row) for row in zip(*(pair.tiers for pair in found), strict=True)]
    return tuple(
        msgspec.structs.replace(
            pair, overall=overall[index], tiers=tuple(row[index] for row in tiers)
        )
        for index, pair in enumerate(found)
    )


def _adjusted(row: Sequence[Contrast]) -> list[Contrast]:
    """The same tier of every pair, with its p-values adjusted for their number."""
    known = [index for index, one in enumerate(row) if one.p_value is not None]
    values = holm([one.p_value for one in row if one.p_value is not None]).tolist()
    adjusted = dict(zip(known, values, strict=True))
    return [
        msgspec.structs.replace(one, p_adjusted=adjusted.get(index))
        for index, one in enumerate(row)
    ]


def _free_name(subject: str, arms: Sequence[Arm]) -> str:
    """What a baseline is called among some arms."""
    taken = {arm.name for arm in arms}
    return subject if subject and subject not in taken else f"{subject} (baseline)".strip()


def _stamp(selection: Selection | None) -> SelectionStamp | None:
    if selection is None:
        return None
    return SelectionStamp(sha256=selection.sha256, tasks=len(selection.tasks))
