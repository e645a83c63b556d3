"""What stands around the tables of a score: where it comes from, and warnings.

Nothing is printed here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from kcb_core.ids import WHOLE
from kcb_core.report import DatasetStamp
from kcb_core.score import RepetitionScore, Score, SubjectScore

_SHOWN_CONDITIONS = ("launcher", "confinement")
_TOLD_CONDITIONS = ("budget", "other tasks seen", "memory reset", "workspace reset")

_NAMED_AT_MOST = 10
"""Ids that are listed before the rest is a number; the JSON output has all of them."""


def one_line(text: str) -> str:
    """Text on one line, so that a name or reason in a report cannot pass for a line of ours."""
    return text.replace("\n", "\\n").replace("\t", "\\t")


def provenance_lines(score: Score) -> Iterator[str]:
    """By what the reports were judged, and what was left out of account."""
    if score.dataset is None or score.evaluator is None:
        yield score.reason
        return
    yield f"{which_set(score.dataset)}: {totals_text(score.dataset)}"
    commit = f", commit {score.dataset.commit}" if score.dataset.commit else ""
    yield f"manifest {score.dataset.manifest_sha256}{commit}, protocol {score.protocol_version}"
    revision = score.evaluator.commit or score.evaluator.record_sha256
    named = f"evaluator {score.evaluator.distribution} {score.evaluator.version}"
    yield f"{named}, revision {revision}" if revision else named
    shown = [f"{name} {_counts(score.conditions[name])}" for name in _SHOWN_CONDITIONS]
    number = f"{score.reports} report{'' if score.reports == 1 else 's'}"
    yield "; ".join([number, score.python, *shown])
    told = [f"{name} {_counts(score.conditions[name])}" for name in _TOLD_CONDITIONS]
    yield f"as the run records say: {'; '.join(told)}"
    if score.selection:
        yield f"selection of {score.selection.tasks} tasks, sha256 {score.selection.sha256}"
    for excluded in score.excluded:
        yield f"excluded {excluded.task_id}, which counts as not resolved: {excluded.reason}"


def which_set(stamp: DatasetStamp) -> str:
    """Which set of tasks; of a suite with its kind, since what is live never passes for more."""
    if not stamp.kind:
        return f"dataset {stamp.name} {stamp.version}"
    return f"suite {stamp.name}, of kind {stamp.kind}"


def totals_text(stamp: DatasetStamp) -> str:
    """Number of tasks by tier, or of all where there are no tiers."""
    if tierless(stamp.totals):
        number = stamp.totals[WHOLE]
        return f"{number} task{'' if number == 1 else 's'}"
    return ", ".join(f"{tier} {number}" for tier, number in stamp.totals.items()) + " tasks"


def tierless(tiers: Iterable[str]) -> bool:
    """Whether these are the tiers of a set that has none: a suite."""
    return list(tiers) == [WHOLE]


def warnings(score: Score) -> Iterator[str]:
    """What a reader must know before quoting a number."""
    if score.installed_manifest_sha256:
        yield other_dataset(score)
    for name in score.mixed:
        yield f"the reports mix several of {name}: {_counts(score.conditions[name])}"
    for one in score.superseded:
        yield (
            f"{one.task_id}, {name_of(one.subject)}, repetition {one.repetition}: {one.voids} void "
            f"and one {one.outcome} report count as one, the {one.outcome} one"
        )
    if score.outside:
        yield f"not selected and so not counted: {_ids(score.outside)}"
    runs = [(subject, run) for subject in score.subjects for run in subject.repetitions]
    for subject, run in runs:
        who = f"{name_of(subject.subject)}, repetition {run.repetition}: "
        yield from _warnings_of(run, who if len(runs) > 1 else "")
    for subject in score.subjects:
        yield from _undefined(subject)


def other_dataset(score: Score) -> str:
    """That the reports are of another dataset than the installed one of its name."""
    theirs = score.dataset.manifest_sha256 if score.dataset else ""
    return (
        f"the reports are of a dataset with manifest {theirs[:12]}, and the installed one has "
        f"{score.installed_manifest_sha256[:12]}: its tasks may differ; --dataset PATH says where "
        "theirs is"
    )


def _warnings_of(run: RepetitionScore, who: str) -> Iterator[str]:
    for tier in run.tiers:
        if tier.corrected:
            yield (
                f"{who}{tier.tier}: corrected by hand, which counts as not resolved: "
                f"{_ids(tier.corrected_tasks)}"
            )
    if run.overall.incomplete:
        yield from _incomplete(run, who)


def _undefined(subject: SubjectScore) -> Iterator[str]:
    """Why numbers of all repetitions together are left out, or are of uneven n."""
    for one in subject.together:
        for name, measure in one.measures.items():
            said = "; ".join(text for text in (measure.reason, measure.note) if text)
            if said:
                yield f"{name_of(subject.subject)}: {one.tier or 'all tiers'}: {name}: {said}"


def _incomplete(run: RepetitionScore, who: str) -> Iterator[str]:
    whole = run.overall
    yield (
        f"{who}incomplete: of {whole.total} tasks {whole.missing} are missing, {whole.void} void "
        f"and {whole.excluded} excluded"
    )
    for tier in run.tiers:
        if tier.missing == tier.total:
            yield f"{who}{tier.tier}: all {tier.total} missing"
        elif tier.missing:
            ids = _ids(tier.missing_tasks) if tier.missing_tasks else str(tier.missing)
            yield f"{who}{tier.tier}: missing: {ids}"
        for void in tier.void_tasks:
            yield f"{who}{tier.tier}: void: {void.task_id} ({void.cause}: {void.reason})"
        if tier.void:
            high = tier.resolved + tier.void
            yield (
                f"{who}{tier.tier}: the result is the pair {tier.resolved}/{tier.total} and "
                f"{high}/{tier.total}, until the void tasks are evaluated again"
            )


def name_of(subject: str) -> str:
    """How a subject is called in a line."""
    return f"subject {subject}" if subject else "no subject named"


def _counts(counts: dict[str, int]) -> str:
    """The values of a condition, with their numbers if there are several."""
    if len(counts) == 1:
        return next(iter(counts))
    return ", ".join(f"{value} ({number})" for value, number in counts.items())


def _ids(ids: Sequence[str]) -> str:
    named = ", ".join(ids[:_NAMED_AT_MOST])
    rest = len(ids) - _NAMED_AT_MOST
    return f"{named} and {rest} more (--json names all)" if rest > 0 else named
