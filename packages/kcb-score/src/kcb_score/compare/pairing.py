"""Pairs of results of two arms on the same tasks, and what they say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from kcb_core.ids import TaskId
from kcb_score.compare.arm import Arm
from kcb_score.compare.comparison import Contrast, Discordant, Pair
from kcb_score.compare.measured import Measured
from kcb_score.statistics.clustered import clustered_difference
from kcb_score.statistics.power import smallest_difference
from kcb_score.statistics.proportions import mcnemar
from kcb_score.statistics.swapping import swap_test

_FEW = "fewer than two families, and one does not tell how families differ"
_NONE = "no task that both finished"
_NOBODY = "neither has a project"
_REPEATED = "several repetitions, and McNemar's test takes one project a task"


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """One task that two arms finished, with the share of repetitions that resolved it."""

    task_id: str
    family: str
    first: Fraction
    second: Fraction
    tried: bool = True
    """Whether either has a report of it."""

    @property
    def difference(self) -> Fraction:
        """Second less first."""
        return self.second - self.first


def pair_up(first: Arm, second: Arm, scope: Measured, *, level: float = 0.95) -> Pair:
    """What two arms' results say of each other, tier by tier and together.

    A missing project is a failure. A task of which all results of one arm are void is not paired.
    Where neither arm has a project, in a tier or at all, two noughts are no finding: every number
    but the counts is left out.
    """
    single = len(first.runs) == len(second.runs) == 1
    by_tier = {
        tier: _duels(first, second, tasks, scope.unnamed.get(tier, 0))
        for tier, tasks in scope.tasks.items()
    }
    sizes = {tier: len(ids) + scope.unnamed.get(tier, 0) for tier, ids in scope.tasks.items()}
    everything = [duel for duels in by_tier.values() for duel in duels]
    return Pair(
        first=first.name,
        second=second.name,
        tiers=tuple(
            contrast(duels, tier=tier, tasks=sizes[tier], single=single, level=level)
            for tier, duels in by_tier.items()
        ),
        overall=contrast(everything, tasks=sum(sizes.values()), single=single, level=level),
        discordant=_discordant(first, second, everything),
    )


def contrast(
    duels: Sequence[Duel], *, tasks: int, single: bool, level: float, tier: str = ""
) -> Contrast:
    """The numbers of one tier, or of all.

    Args:
        duels: the tasks that both finished.
        tasks: by which both are measured, paired or not.
        single: whether both have one repetition.
        level: of the interval.
        tier: name of the tier; empty for all together.
    """
    differences = [duel.difference for duel in duels]
    families = [duel.family for duel in duels]
    values = [float(one) for one in differences]
    lost, won = sum(one < 0 for one in differences), sum(one > 0 for one in differences)
    interval = clustered_difference(values, families, level)
    reasons = _reasons(duels, known=interval is not None, single=single)

    def unless(name: str, value: float | None) -> float | None:
        return None if name in reasons else value

    return Contrast(
        tier=tier,
        tasks=tasks,
        pairs=len(duels),
        unpaired=tasks - len(duels),
        families=len(set(families)),
        first=unless("first", _mean([duel.first for duel in duels])),
        second=unless("second", _mean([duel.second for duel in duels])),
        difference=unless("difference", _mean(differences)),
        interval=None if "interval" in reasons else interval,
        first_better=lost,
        second_better=won,
        alike=len(duels) - lost - won,
        mcnemar=None if "mcnemar" in reasons else mcnemar(lost, won),
        p_value=None if "p_value" in reasons else swap_test(differences, families),
        smallest_difference=unless(
            "smallest_difference", smallest_difference(values, families, level=level)
        ),
        reasons=reasons,
    )


def _reasons(duels: Sequence[Duel], *, known: bool, single: bool) -> dict[str, str]:
    """Why a number is left out, by its name."""
    if not any(duel.tried for duel in duels):
        rates = ("first", "second", "difference", "interval", "mcnemar", "p_value")
        return dict.fromkeys((*rates, "smallest_difference"), _NOBODY if duels else _NONE)
    reasons = {} if known else dict.fromkeys(("interval", "smallest_difference"), _FEW)
    return reasons if single else reasons | {"mcnemar": _REPEATED}


def _duels(first: Arm, second: Arm, tasks: Sequence[str], unnamed: int) -> list[Duel]:
    duels = []
    for task in tasks:
        one, two = first.share(task), second.share(task)
        if one is not None and two is not None:
            tried = first.tried(task) or second.tried(task)
            family = TaskId.read(task).slug
            duels.append(Duel(task_id=task, family=family, first=one, second=two, tried=tried))
    # Which families these are of is not known; the same number in each tier is taken as one.
    duels += [
        Duel(task_id="", family=f"?{number}", first=Fraction(0), second=Fraction(0), tried=False)
        for number in range(unnamed)
    ]
    return duels


def _discordant(first: Arm, second: Arm, duels: Sequence[Duel]) -> tuple[Discordant, ...]:
    """The tasks on which they differ; the losses of the second first."""
    return tuple(
        Discordant(
            task_id=duel.task_id,
            first=float(duel.first),
            second=float(duel.second),
            first_failure=first.failure(duel.task_id),
            second_failure=second.failure(duel.task_id),
        )
        for duel in sorted(duels, key=lambda duel: duel.difference > 0)
        if duel.difference
    )


def _mean(values: Sequence[Fraction]) -> float | None:
    return float(sum(values, Fraction(0)) / len(values)) if values else None
