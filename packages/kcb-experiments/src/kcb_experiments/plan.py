"""What an experiment will be, before anything is paid: cells, upper bounds, what it can see."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import msgspec

from kcb_core.errors import DeclarationError
from kcb_core.ids import TaskId
from kcb_experiments.amount import Amount
from kcb_experiments.frozen import Experiment
from kcb_experiments.records import Load
from kcb_experiments.spec import Subject
from kcb_experiments.wording import of_name

PLAN_KIND = "experiment-plan"
PLAN_FORMAT = 1

DISAGREEMENTS = (0.1, 0.2, 0.4)
"""Shares of tasks on which two arms may disagree: from two alike to two unlike."""


class ArmPlan(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One arm's part."""

    subject: str
    cells: int
    worst: Amount
    """The most that one attempt may cost."""
    worst_of_all: Amount
    """The most that one attempt of each of its cells may cost together."""
    unbounded: tuple[str, ...] = ()
    """What has no bound or price, and counts as nothing in these amounts."""


class Sight(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The smallest difference between two arms that the design finds in four of five studies."""

    disagreement: float
    """Share of tasks on which the arms are taken to disagree."""
    difference: float | None = None
    """At most as large as the disagreement."""
    reason: str = ""
    """Why there is none."""


class Plan(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an experiment will be."""

    kind: str
    """Always ``experiment-plan``."""
    format: int
    name: str
    experiment_sha256: str
    tasks: int
    families: int
    repetitions: int
    cells: int
    groups: int
    """Task groups in all."""
    load: Load
    arms: tuple[ArmPlan, ...]
    at_most: Amount
    """The most that one attempt of every cell may cost, or less if the budget ends before."""
    unbounded: tuple[str, ...] = ()
    """What some arm has no bound or price for, so that it may cost any amount."""
    elapsed_s: float
    """The longest that it may take, without waiting for endpoints and without judging."""
    sees: tuple[Sight, ...] = ()
    """What two arms may differ by and still look alike, at one repetition; none for one arm."""


def make_plan(experiment: Experiment) -> Plan:
    """The plan of an experiment: upper bounds with one attempt a cell."""
    arms = tuple(_arm(subject, experiment) for subject in experiment.subjects)
    families = [TaskId.read(task).slug for task in experiment.tasks]
    total = len(experiment.tasks) * experiment.repetitions
    return Plan(
        kind=PLAN_KIND,
        format=PLAN_FORMAT,
        name=experiment.name,
        experiment_sha256=experiment.sha256,
        tasks=len(experiment.tasks),
        families=len(set(families)),
        repetitions=experiment.repetitions,
        cells=total * len(arms),
        groups=total,
        load=experiment.load,
        arms=arms,
        at_most=_capped(sum((arm.worst_of_all for arm in arms), Amount()), experiment),
        unbounded=tuple(sorted({name for arm in arms for name in arm.unbounded})),
        elapsed_s=_elapsed(experiment, total),
        sees=_sights(families) if len(arms) > 1 else (),
    )


def refuse_without_room(experiment: Experiment) -> None:
    """Make sure that every cell can have an attempt, which reserves the most that it may cost.

    Raises:
        DeclarationError: a cap is below that; the subject, both amounts and the fix are named.
    """
    for name, cap in experiment.budget.capped.items():
        for subject in experiment.subjects:
            each = [subject.at(experiment.budgets.get(task)).worst for task in experiment.tasks]
            most = max(getattr(worst, name) for worst in each)
            if most > cap:
                raise DeclarationError(
                    f"field 'budget.{name}': {of_name(name, cap)} leave no room for one attempt of "
                    f"subject {subject.name!r}, which may take {of_name(name, most)}; raise it, or "
                    f"lower the subject's 'bounds.{name}'"
                )


def _arm(subject: Subject, experiment: Experiment) -> ArmPlan:
    each = [subject.at(experiment.budgets.get(task)) for task in experiment.tasks]
    return ArmPlan(
        subject=subject.name,
        cells=len(each) * experiment.repetitions,
        worst=_dearest([one.worst for one in each]),
        worst_of_all=_times(sum((one.worst for one in each), Amount()), experiment.repetitions),
        unbounded=tuple(dict.fromkeys(name for one in each for name in one.unbounded)),
    )


def _dearest(amounts: Sequence[Amount]) -> Amount:
    """The most of each part that any of these amounts has."""
    names = Amount.__struct_fields__
    return Amount(**{name: max(getattr(one, name) for one in amounts) for name in names})


def _times(amount: Amount, times: int) -> Amount:
    return Amount(**{name: times * getattr(amount, name) for name in amount.__struct_fields__})


def _capped(total: Amount, experiment: Experiment) -> Amount:
    caps = experiment.budget.capped
    values = {name: getattr(total, name) for name in total.__struct_fields__}
    return Amount(**{name: min(value, caps.get(name, value)) for name, value in values.items()})


def _elapsed(experiment: Experiment, total: int) -> float:
    """The longest that all groups may take, when as many run at once as may.

    At every moment some slot is in use, or only cells run that need none.
    """
    rounds = ceil(total / experiment.groups)
    slots = free = 0.0
    for subject in experiment.subjects:
        each = [subject.at(experiment.budgets.get(task)).worst.seconds for task in experiment.tasks]
        if subject.slot:
            slots += sum(each) * experiment.repetitions
        else:
            free = max(free, *each)
    return slots + rounds * free


def _sights(families: Sequence[str]) -> tuple[Sight, ...]:
    # scipy is slow to import, and a plan is the only thing here that needs it.
    from kcb_score.statistics.power import smallest_difference  # noqa: PLC0415

    found = []
    for share in DISAGREEMENTS:
        differences = _disagreeing(len(families), share)
        difference, reason = smallest_difference(differences, families), ""
        if difference is None:
            reason = "the tasks are of a single family"
        elif difference > share:
            # Arms that are alike on all other tasks cannot be further apart than they disagree.
            difference, reason = None, "there are too few tasks to find any"
        found.append(Sight(disagreement=share, difference=difference, reason=reason))
    return tuple(found)


def _disagreeing(count: int, share: float) -> list[float]:
    """Differences of two arms that are equal, and disagree on this share of tasks."""
    discordant = max(1, round(share * count))
    signs = [1.0 if index % 2 else -1.0 for index in range(discordant)]
    return signs + [0.0] * (count - discordant)
