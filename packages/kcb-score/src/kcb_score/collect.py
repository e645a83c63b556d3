"""From reports to one collection: all comparable, no two of the same project.

Nothing is counted here. Whatever gets a score went through :func:`collect`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from kcb_core.errors import DeclarationError
from kcb_core.report import Outcome
from kcb_core.score import Sample, SupersededVoid
from kcb_score.agreement import require_agreement
from kcb_score.shelf import Filed, SamplesOf


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """Reports that may be scored together. Build one with :func:`collect`."""

    filed: tuple[Filed, ...] = ()
    """By subject, repetition and task; never two of the same."""
    superseded: tuple[SupersededVoid, ...] = ()
    """Projects of which void reports were not counted, since another report stands for them."""

    @property
    def samples(self) -> Sequence[Sample]:
        """What the reports come to, in the same order."""
        return SamplesOf(self.filed)


def collect(filed: Iterable[Filed]) -> Collection:
    """Reports as one collection, in whatever order they come.

    A void report says nothing of a project, so any other report of the same project stands for it,
    and one void report for several. Two reports that do say something are refused: to choose
    between them would be best-of-n under the name of resolve@1.

    Raises:
        DataError: two reports are not comparable.
        DeclarationError: two reports are of the same project.
    """
    given = sorted(filed, key=attrgetter("source"))
    require_agreement(given)
    given.sort(key=attrgetter("project"))  # and of one project still by source
    chosen: list[Filed] = []
    superseded: list[SupersededVoid] = []
    for _, several in groupby(given, key=attrgetter("project")):
        group = list(several)
        chosen.append(_the_one(group))
        if len(group) > 1:
            superseded.append(_superseded(chosen[-1].sample, len(group) - 1))
    return Collection(filed=tuple(chosen), superseded=tuple(superseded))


def _the_one(group: list[Filed]) -> Filed:
    """The report that counts among all of one project; the list is sorted by source."""
    if len(group) == 1:
        return group[0]
    telling = [one for one in group if one.kind.outcome is not Outcome.VOID]
    if len(telling) > 1:
        first, second = telling[:2]
        subject, repetition, task = first.project
        who = f"subject {subject!r}" if subject else "no subject"
        raise DeclarationError(
            f"{first.source} and {second.source} both report {task}, {who}, "
            f"repetition {repetition}; to choose one would be best-of-n: keep one project "
            "a task, or evaluate further ones with --repetition"
        )
    return (telling or group)[0]


def _superseded(sample: Sample, voids: int) -> SupersededVoid:
    return SupersededVoid(
        task_id=sample.task_id,
        subject=sample.subject,
        repetition=sample.repetition,
        voids=voids,
        outcome=sample.outcome,
    )
