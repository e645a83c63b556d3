"""Two arms on what both finished: the only comparison that this package offers.

Each cell is selected by itself, so an arm loses cells that the other keeps. Pairs are made anew by
task and repetition, and what has no partner is discarded and counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import field

from kcb_core.errors import DataError
from kcb_core.ids import TaskId
from kcb_core.report import DatasetStamp, Document
from kcb_core.score import Interval, Measure
from kcb_experiments.cells import Cell
from kcb_experiments.records import Load
from kcb_experiments.results import LOSS, ArmResult, Results
from kcb_experiments.selection import SCORED
from kcb_experiments.wording import counted, listed

PAIRING_KIND = "experiment-pairing"
PAIRING_FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One arm that is to be paired."""

    subject: str
    dataset: DatasetStamp
    results: Results


class SideResult(Document, frozen=True, kw_only=True):
    """One arm's part of a pairing."""

    subject: str
    experiment_sha256: str
    cells: int
    unmatched: int
    """Cells with a score whose partner has none; discarded."""
    unfinished: dict[str, int] = field(default_factory=dict)
    """Number of its cells that have no score yet, by state, such as ``pending`` or ``void``."""
    mean: float | None = None
    """Mean score over the pairs."""
    only: int | None = None
    """Pairs in which this arm alone has a full score; given if all scores are 0 or 1."""
    loads: tuple[Load, ...] = ()


class Pairing(Document, frozen=True, kw_only=True):
    """Two arms on what both finished."""

    kind: str
    """Always ``experiment-pairing``."""
    format: int
    first: SideResult
    second: SideResult
    pairs: int
    tasks: int
    """Tasks that the pairs are of."""
    difference: Measure
    """Mean of second less first over the pairs, families as clusters."""
    p_value: float | None = None
    """McNemar's exact test; given for one repetition of scores that are 0 or 1."""
    smallest_visible: float | None = None
    """The smallest difference that so many pairs find in four of five studies."""
    notes: tuple[str, ...] = ()


def pair(first: Side, second: Side) -> Pairing:
    """Pair two arms by task and repetition.

    Raises:
        DataError: they are of different datasets.
    """
    if first.dataset.identity != second.dataset.identity:
        raise DataError(
            f"{first.subject!r} and {second.subject!r} were run on different datasets: "
            f"{first.dataset.manifest_sha256[:12]} and {second.dataset.manifest_sha256[:12]}"
        )
    left, right = _scores(first), _scores(second)
    both = [place for place in left if place in right]
    pairs = [(left[place], right[place]) for place in both]
    families = [TaskId.read(task_id).slug for task_id, _ in both]
    binary = all(score in (0.0, 1.0) for two in pairs for score in two)
    only = (_only(pairs, 0), _only(pairs, 1)) if binary and pairs else (None, None)
    repeated = len({task_id for task_id, _ in both}) < len(both)
    differences = [b - a for a, b in pairs]
    return Pairing(
        kind=PAIRING_KIND,
        format=PAIRING_FORMAT,
        first=_side(first, left, [a for a, _ in pairs], only[0]),
        second=_side(second, right, [b for _, b in pairs], only[1]),
        pairs=len(pairs),
        tasks=len({task_id for task_id, _ in both}),
        difference=_difference(differences, families),
        p_value=_p_value(only) if not repeated else None,
        smallest_visible=_visible(differences, families),
        notes=_notes(first, second, lost=len(left) + len(right) - 2 * len(both)),
    )


def _scores(side: Side) -> dict[tuple[str, int], float]:
    found = {}
    for row in side.results.cells:
        cell = Cell.parse(row.cell)
        if cell.subject == side.subject and row.score is not None:
            found[cell.task_id, cell.repetition] = row.score
    return found


def _only(pairs: Sequence[tuple[float, float]], which: int) -> int:
    return sum(two[which] > two[1 - which] for two in pairs)


def _side(
    side: Side, scores: dict[tuple[str, int], float], paired: Sequence[float], only: int | None
) -> SideResult:
    arm = _arm(side)
    return SideResult(
        subject=side.subject,
        experiment_sha256=side.results.experiment_sha256,
        cells=arm.cells,
        unmatched=len(scores) - len(paired),
        unfinished=_unfinished(arm),
        mean=sum(paired) / len(paired) if paired else None,
        only=only,
        loads=tuple(occasion.load for occasion in side.results.occasions),
    )


def _arm(side: Side) -> ArmResult:
    return next(arm for arm in side.results.arms if arm.subject == side.subject)


def _unfinished(arm: ArmResult) -> dict[str, int]:
    return {state: number for state, number in arm.states.items() if state not in SCORED}


def _difference(differences: Sequence[float], families: Sequence[str]) -> Measure:
    from kcb_score.statistics.clustered import clustered_difference  # noqa: PLC0415

    if not differences:
        return Measure(unit="share", reason="no task was finished by both")
    interval: Interval | None = clustered_difference(differences, families)
    return Measure(
        value=sum(differences) / len(differences),
        unit="share",
        interval=interval,
        note="" if interval else "no interval: the pairs are of a single family",
    )


def _p_value(only: tuple[int | None, int | None]) -> float | None:
    from kcb_score.statistics.proportions import mcnemar  # noqa: PLC0415

    return None if only[0] is None or only[1] is None else mcnemar(only[0], only[1])


def _visible(differences: Sequence[float], families: Sequence[str]) -> float | None:
    from kcb_score.statistics.power import smallest_difference  # noqa: PLC0415

    return smallest_difference(differences, families) if differences else None


def _notes(first: Side, second: Side, *, lost: int) -> tuple[str, ...]:
    notes = [line for line in map(_lacking, (first, second)) if line]
    if lost:
        notes.append(f"{LOSS} What has no partner is left out here.")
    if _loads(first) != _loads(second):
        notes.append(
            "The arms were run on separate occasions, under different loads: their times cannot be "
            "compared, and timeouts may differ for that reason alone."
        )
    if set(first.results.verifiers) != set(second.results.verifiers):
        notes.append("The arms were judged by different verifiers; judge both again with one.")
    return tuple(notes)


def _lacking(side: Side) -> str:
    """What of an arm the pairs are not of; empty if all of it has a score."""
    arm = _arm(side)
    unfinished = _unfinished(arm)
    if not unfinished:
        return ""
    cells = f"{sum(unfinished.values())} of {counted(arm.cells, 'cell')}"
    return (
        f"{arm.subject}: {cells} without a score ({listed(unfinished)}); only what both arms have "
        "finished is compared, and 'klein-bench experiment run' goes on with the rest"
    )


def _loads(side: Side) -> set[Load]:
    return {occasion.load for occasion in side.results.occasions}
