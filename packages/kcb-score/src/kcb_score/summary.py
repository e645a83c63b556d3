"""From a collection and a denominator to the score: slices it, and asks every scorer of each slice.

What a number is, only the scorer knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import msgspec

from kcb_core.errors import DuplicateNameError, MachineError
from kcb_core.ids import TaskId
from kcb_core.roles import Scorer
from kcb_core.score import (
    SCORE_FORMAT,
    SCORE_KIND,
    Exclusion,
    Measure,
    RepeatedScore,
    RepetitionScore,
    Sample,
    Samples,
    Score,
    SelectionStamp,
    SubjectScore,
)
from kcb_core.selection import Selection
from kcb_score.agreement import common_evaluator, conditions
from kcb_score.attempts import attempts
from kcb_score.collect import Collection
from kcb_score.denominator import Denominator
from kcb_score.resolve import tally
from kcb_score.shelf import Filed, SamplesOf
from kcb_score.text import tierless

NOTES = (
    "A difference between two subjects may come from familiarity with Python, tool quality, "
    "quantization or generation budget as well as from the number of parameters.",
    "Tiers share their families, so results of two tiers are correlated.",
)
"""What no number says, to be shown beside each; the last one only where there are tiers."""


def notes_of(tiers: Iterable[str]) -> tuple[str, ...]:
    """What no number says, of a set of tasks with these tiers."""
    return NOTES[:-1] if tierless(tiers) else NOTES


def summarise(
    collection: Collection,
    denominator: Denominator,
    scorers: Sequence[Scorer],
    *,
    together: bool = False,
) -> Score:
    """What the reports of a collection come to, each subject, repetition and tier apart.

    The score is the same for every order of the reports. Without a report there is no subject and
    so no number, and the score says why.

    Args:
        collection: the reports.
        denominator: what they are measured by, settled for this collection.
        scorers: who is asked for numbers.
        together: whether scorers are asked for numbers of all repetitions together also where
            there is one only.

    Raises:
        DuplicateNameError: two scorers give numbers of one name.
        MachineError: a scorer failed.
    """
    ask = _Asker(denominator=denominator, scorers=scorers, together=together)
    inside = denominator.inside(collection.filed)
    kept = {one.kind.task_id for one in inside}
    outside = {one.kind.task_id for one in collection.filed} - kept
    subjects = _subjects(inside, ask)
    score = Score(
        kind=SCORE_KIND,
        format=SCORE_FORMAT,
        reports=len(inside),
        reason="" if inside else "no report",
        incomplete=not inside or _incomplete(subjects),
        selection=_stamp(denominator.selection),
        outside=tuple(sorted(outside)),
        excluded=tuple(
            Exclusion(task_id=task, reason=reason)
            for task, reason in sorted(denominator.excluded.items())
        ),
        superseded=tuple(s for s in collection.superseded if s.task_id not in outside),
        subjects=subjects,
        notes=notes_of(denominator.totals) if inside else (),
    )
    return _with_provenance(score, inside) if inside else score


def _stamp(selection: Selection | None) -> SelectionStamp | None:
    if selection is None:
        return None
    return SelectionStamp(sha256=selection.sha256, tasks=len(selection.tasks))


def _incomplete(subjects: Iterable[SubjectScore]) -> bool:
    return any(run.overall.incomplete for one in subjects for run in one.repetitions)


def _with_provenance(score: Score, filed: Sequence[Filed]) -> Score:
    """The score with what all its reports agree in, and where they are of several kinds."""
    first = filed[0].circumstances
    counts = conditions(filed)
    return msgspec.structs.replace(
        score,
        dataset=first.dataset,
        protocol_version=first.protocol_version,
        evaluator=common_evaluator(filed),
        python=first.python,
        conditions=counts,
        mixed=tuple(name for name, values in counts.items() if len(values) > 1),
    )


def _subjects(filed: Iterable[Filed], ask: _Asker) -> tuple[SubjectScore, ...]:
    """Each subject apart; the reports come by subject, repetition and task."""
    return tuple(
        _subject(name, tuple(several), ask)
        for name, several in groupby(filed, key=lambda one: one.kind.subject)
    )


def _subject(name: str, filed: tuple[Filed, ...], ask: _Asker) -> SubjectScore:
    runs = groupby(filed, key=lambda one: one.project[1])
    repetitions = tuple(_repetition(number, tuple(run), ask) for number, run in runs)
    several = len(repetitions)
    return SubjectScore(
        subject=name,
        reports=len(filed),
        tasks=len({one.kind.task_id for one in filed}),
        repetitions=repetitions,
        together=_together(filed, several, ask) if ask.together or several > 1 else (),
    )


def _repetition(number: int, filed: tuple[Filed, ...], ask: _Asker) -> RepetitionScore:
    *tiers, overall = (
        msgspec.structs.replace(tally(part), measures=ask.measures(part))
        for part in ask.slices(filed, number)
    )
    return RepetitionScore(repetition=number, tiers=tuple(tiers), overall=overall)


def _together(filed: tuple[Filed, ...], number: int, ask: _Asker) -> tuple[RepeatedScore, ...]:
    """What all repetitions say, tier by tier, and all tiers last."""
    return tuple(
        RepeatedScore(
            tier=part.tier,
            total=part.total,
            measures=ask.measures(part),
            tasks=attempts(part) if part.tier else (),
        )
        for part in ask.slices(filed, None, number)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asker:
    """Cuts samples into slices by tier, and asks every scorer of a slice."""

    denominator: Denominator
    scorers: Sequence[Scorer]
    together: bool

    def slices(
        self, filed: tuple[Filed, ...], repetition: int | None, repetitions: int = 1
    ) -> Iterator[Samples]:
        """Each tier, the lowest first, then all tiers together."""
        settled = self.denominator
        every = _samples(filed, repetition)
        for tier, total in settled.totals.items():
            yield Samples(
                tier=tier,
                total=total,
                repetition=repetition,
                repetitions=repetitions,
                tasks=settled.tasks[tier] if settled.tasks is not None else None,
                samples=_of_tier(tier, filed, every),
                excluded=frozenset(t for t in settled.excluded if TaskId.read(t).tier == tier),
            )
        tasks = settled.tasks
        yield Samples(
            total=sum(settled.totals.values()),
            repetition=repetition,
            repetitions=repetitions,
            tasks=None if tasks is None else tuple(t for ids in tasks.values() for t in ids),
            samples=every,
            excluded=frozenset(settled.excluded),
        )

    def measures(self, samples: Samples) -> dict[str, Measure]:
        """What all scorers give, by name."""
        measures: dict[str, Measure] = {}
        owners: dict[str, str] = {}
        for scorer in self.scorers:
            for name, measure in _ask(scorer, samples).items():
                if name in owners:
                    raise DuplicateNameError("measure", name, (owners[name], scorer.name))
                owners[name], measures[name] = scorer.name, measure
        return measures


def _samples(filed: Sequence[Filed], repetition: int | None) -> Sequence[Sample]:
    """Those of one repetition are few and looked at often; those of all together are many."""
    return SamplesOf(filed) if repetition is None else tuple(one.sample for one in filed)


def _of_tier(tier: str, filed: Sequence[Filed], every: Sequence[Sample]) -> Sequence[Sample]:
    """Those of one tier, without making again what is made already."""
    if isinstance(every, SamplesOf):
        return SamplesOf([one for one in filed if one.kind.tier == tier])
    return tuple(sample for sample in every if sample.tier == tier)


def _ask(scorer: Scorer, samples: Samples) -> Mapping[str, Measure]:
    try:
        given = dict(scorer.score(samples))
    except Exception as error:
        raise MachineError(
            f"scorer {scorer.name!r} failed: {type(error).__name__}: {error}"
        ) from error
    for name, measure in given.items():
        if not isinstance(measure, Measure):
            raise MachineError(f"scorer {scorer.name!r} gave {measure!r} as {name!r}: no Measure")
    return given
