"""The same subjects week after week: how they change, beyond what the machinery does.

One arm is the control: a subject that is held fixed, so that whatever moves it, a new judge or a
slower machine, moves all. What an arm gains beyond the control's gain is its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from kcb_core.errors import DeclarationError, UnknownNameError
from kcb_core.ids import TaskId
from kcb_core.report import Document
from kcb_core.score import Interval
from kcb_score.compare.arm import Arm
from kcb_score.statistics.clustered import clustered_difference
from kcb_score.statistics.rates import rate_interval

HISTORY_KIND = "history"
HISTORY_FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Week:
    """The runs of one date."""

    label: str
    """What it is called, such as ``2026-W12``; labels are in their order."""
    arms: Mapping[str, Arm]
    """By the name that stays the same from week to week; not every arm need be in every week."""


class Change(Document, frozen=True, kw_only=True):
    """A paired difference over the tasks of which all results are known."""

    tasks: int
    difference: float
    interval: Interval | None = None
    """With families as clusters; left out if there are fewer than two."""


class HistoryEntry(Document, frozen=True, kw_only=True):
    """One arm in one week."""

    week: str
    arm: str
    tasks: int
    """Tasks with a known result; a missing project is one, a void report is none."""
    rate: float | None = None
    """Share of them that resolved; left out if there is none."""
    interval: Interval | None = None
    against_control: Change | None = None
    """This arm less the control arm, in this week."""
    since: str = ""
    """The last week before with this arm, which the following compare with."""
    change: Change | None = None
    """This arm now less this arm then."""
    beyond_drift: Change | None = None
    """That change less the control's change; what is left is the arm's own."""
    gained: tuple[str, ...] = ()
    """Tasks that it resolves more often than then."""
    lost: tuple[str, ...] = ()
    """Tasks that it resolves less often than then."""


class History(Document, frozen=True, kw_only=True):
    """Several arms over several weeks."""

    kind: str
    """Always ``history``."""
    format: int
    control: str
    tasks: int
    """Tasks by which every week is measured."""
    weeks: tuple[str, ...]
    arms: tuple[str, ...]
    """The control first, the others by name."""
    entries: tuple[HistoryEntry, ...]
    """By week, and in it by arm."""


Shares = Mapping[str, Fraction]
"""Share of resolved results by task, for the tasks with a known one."""


def history(
    weeks: Sequence[Week], *, control: str, tasks: Sequence[str], level: float = 0.95
) -> History:
    """What several arms came to, week by week, and how they moved beside the control arm.

    Args:
        weeks: in the order of time.
        control: name of the arm that is held fixed.
        tasks: ids by which every week is measured; a missing project is a failure.
        level: of the intervals.

    Raises:
        DeclarationError: two weeks have one label.
        UnknownNameError: no week has the control arm.
    """
    labels = tuple(week.label for week in weeks)
    if len(set(labels)) < len(labels):
        raise DeclarationError("two weeks of a history have the same label")
    names = {name for week in weeks for name in week.arms}
    if control not in names:
        raise UnknownNameError("arm", control, sorted(names))
    arms = (control, *sorted(names - {control}))
    held = [{name: _shares(arm, tasks) for name, arm in week.arms.items()} for week in weeks]
    return History(
        kind=HISTORY_KIND,
        format=HISTORY_FORMAT,
        control=control,
        tasks=len(tasks),
        weeks=labels,
        arms=arms,
        entries=tuple(
            _entry(labels, held, number, arm, control=control, level=level)
            for number in range(len(weeks))
            for arm in arms
            if arm in held[number]
        ),
    )


def _entry(
    labels: Sequence[str],
    held: Sequence[Mapping[str, Shares]],
    number: int,
    arm: str,
    *,
    control: str,
    level: float,
) -> HistoryEntry:
    now, fixed = held[number][arm], held[number].get(control)
    earlier = next((week for week in range(number - 1, -1, -1) if arm in held[week]), None)
    then = held[earlier][arm] if earlier is not None else {}
    fixed_then = held[earlier].get(control) if earlier is not None else None
    common = [task for task in now if task in then]
    own = arm != control
    return HistoryEntry(
        week=labels[number],
        arm=arm,
        tasks=len(now),
        rate=float(sum(now.values(), Fraction(0)) / len(now)) if now else None,
        interval=rate_interval([float(one) for one in now.values()], _families(now), level),
        against_control=_change([(now, 1), (fixed, -1)], level) if own and fixed else None,
        since=labels[earlier] if earlier is not None else "",
        change=_change([(now, 1), (then, -1)], level) if then else None,
        beyond_drift=_change([(now, 1), (then, -1), (fixed, -1), (fixed_then, 1)], level)
        if own and then and fixed and fixed_then
        else None,
        gained=tuple(task for task in common if now[task] > then[task]),
        lost=tuple(task for task in common if now[task] < then[task]),
    )


def _shares(arm: Arm, tasks: Sequence[str]) -> Shares:
    found = {task: arm.share(task) for task in tasks}
    return {task: share for task, share in found.items() if share is not None}


def _change(parts: Sequence[tuple[Shares | None, int]], level: float) -> Change | None:
    """The mean of a signed sum of shares over the tasks that are known in each of them."""
    known = [(shares, sign) for shares, sign in parts if shares is not None]
    tasks = [task for task in known[0][0] if all(task in shares for shares, _ in known)]
    if not tasks:
        return None
    sums = [sum(sign * shares[task] for shares, sign in known) for task in tasks]
    reach = len(known) // 2  # each sum lies between minus and plus this
    interval = clustered_difference([float(one) / reach for one in sums], _families(tasks), level)
    return Change(
        tasks=len(tasks),
        difference=float(sum(sums, Fraction(0)) / len(sums)),
        interval=None if interval is None else _stretched(interval, reach),
    )


def _stretched(interval: Interval, times: int) -> Interval:
    return Interval(
        low=times * interval.low,
        high=times * interval.high,
        level=interval.level,
        method=interval.method,
    )


def _families(tasks: Sequence[str] | Shares) -> list[str]:
    return [TaskId.read(task).slug for task in tasks]
