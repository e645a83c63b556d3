"""From a collection and a denominator to the score: slices it, and asks every scorer of each slice.

What a number is, only the scorer knows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from kcb_core.errors import DuplicateNameError, MachineError
from kcb_core.ids import TaskId
from kcb_core.report import TaskReport
from kcb_core.roles import Scorer
from kcb_core.score import (
    SCORE_FORMAT,
    SCORE_KIND,
    Exclusion,
    Measure,
    RepetitionScore,
    Samples,
    Score,
    SelectionStamp,
    SubjectScore,
    Tally,
)
from kcb_core.selection import Selection
from kcb_score.agreement import common_evaluator, conditions, python_of
from kcb_score.collect import Collection
from kcb_score.denominator import Denominator
from kcb_score.resolve import tally


def summarise(collection: Collection, denominator: Denominator, scorers: Sequence[Scorer]) -> Score:
    """What the reports of a collection come to, each subject, repetition and tier apart.

    The score is the same for every order of the reports. Without a report there is no subject and
    so no number, and the score says why.

    Args:
        collection: the reports.
        denominator: what they are measured by, settled for this collection.
        scorers: who is asked for numbers.

    Raises:
        DuplicateNameError: two scorers give numbers of one name.
        MachineError: a scorer failed.
    """
    inside = tuple(r for r in collection.reports if denominator.holds(r.task_id))
    outside = {r.task_id for r in collection.reports if not denominator.holds(r.task_id)}
    subjects = _subjects(inside, denominator, scorers)
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
        superseded=tuple(s for s in collection.superseded if denominator.holds(s.task_id)),
        subjects=subjects,
    )
    return _with_provenance(score, inside) if inside else score


def _stamp(selection: Selection | None) -> SelectionStamp | None:
    if selection is None:
        return None
    return SelectionStamp(sha256=selection.sha256, tasks=len(selection.tasks))


def _incomplete(subjects: Iterable[SubjectScore]) -> bool:
    return any(run.overall.incomplete for one in subjects for run in one.repetitions)


def _with_provenance(score: Score, reports: Sequence[TaskReport]) -> Score:
    """The score with what all its reports agree in, and where they are of several kinds."""
    first = reports[0]
    counts = conditions(reports)
    return msgspec.structs.replace(
        score,
        dataset=first.dataset,
        protocol_version=first.protocol_version,
        evaluator=common_evaluator(reports),
        python=python_of(first),
        conditions=counts,
        mixed=tuple(name for name, values in counts.items() if len(values) > 1),
    )


def _subjects(
    reports: Iterable[TaskReport], denominator: Denominator, scorers: Sequence[Scorer]
) -> tuple[SubjectScore, ...]:
    by_subject: dict[str, list[TaskReport]] = defaultdict(list)
    for report in reports:
        by_subject[report.subject].append(report)
    return tuple(
        _subject(name, by_subject[name], denominator, scorers) for name in sorted(by_subject)
    )


def _subject(
    name: str, reports: Sequence[TaskReport], denominator: Denominator, scorers: Sequence[Scorer]
) -> SubjectScore:
    by_repetition: dict[int, list[TaskReport]] = defaultdict(list)
    for report in reports:
        by_repetition[report.repetition].append(report)
    return SubjectScore(
        subject=name,
        reports=len(reports),
        tasks=len({report.task_id for report in reports}),
        repetitions=tuple(
            _repetition(number, by_repetition[number], denominator, scorers)
            for number in sorted(by_repetition)
        ),
    )


def _repetition(
    number: int, reports: Sequence[TaskReport], denominator: Denominator, scorers: Sequence[Scorer]
) -> RepetitionScore:
    tiers = []
    for tier in denominator.totals:
        samples = _slice(tier, reports, denominator)
        tasks = denominator.tasks[tier] if denominator.tasks is not None else None
        tiers.append(_measured(tally(samples, tasks), samples, scorers))
    everything = Samples(
        total=sum(denominator.totals.values()),
        reports=tuple(reports),
        excluded=frozenset(denominator.excluded),
    )
    overall = _measured(tally(everything), everything, scorers)
    return RepetitionScore(repetition=number, tiers=tuple(tiers), overall=overall)


def _slice(tier: str, reports: Sequence[TaskReport], denominator: Denominator) -> Samples:
    return Samples(
        tier=tier,
        total=denominator.totals[tier],
        reports=tuple(report for report in reports if report.subset == tier),
        excluded=frozenset(t for t in denominator.excluded if TaskId.parse(t).tier == tier),
    )


def _measured(counts: Tally, samples: Samples, scorers: Sequence[Scorer]) -> Tally:
    measures: dict[str, Measure] = {}
    owners: dict[str, str] = {}
    for scorer in scorers:
        for name, measure in _ask(scorer, samples).items():
            if name in owners:
                raise DuplicateNameError("measure", name, (owners[name], scorer.name))
            owners[name], measures[name] = scorer.name, measure
    return msgspec.structs.replace(counts, measures=measures)


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
