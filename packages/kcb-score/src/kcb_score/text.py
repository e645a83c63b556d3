"""A score as text: cells, lines and warnings. Nothing is printed here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kcb_core.score import Measure, RepetitionScore, Score, SubjectScore, Tally
from kcb_score.resolve import SHARE

OVERALL = "all"
"""How the row of all tiers together is called."""

NOT_DEFINED = "–"

_SHOWN_CONDITIONS = ("launcher", "confinement")

_NAMED_AT_MOST = 10
"""Ids that are listed before the rest is a number; the JSON output has all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One tally as a line of a table."""

    tally: Tally
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """One table: headings, and a row for each tier and repetition."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


def score_grid(subject: SubjectScore) -> Grid:
    """The table of one subject: counts and measures of each tier, then of all together."""
    first = subject.repetitions[0].overall
    names = tuple(first.measures)
    counts = ("submitted", "void", "missing", *(("excluded",) if first.excluded else ()))
    return Grid(
        title=_name(subject.subject),
        columns=("tier", *_repetition_column(subject), "resolved", *names, *counts, "run"),
        rows=tuple(
            Row(
                tally=one,
                cells=(
                    *_row_head(subject, run, one),
                    resolved_text(one),
                    *(measure_text(one.measures[name]) for name in names),
                    *(str(getattr(one, name)) for name in counts),
                    "incomplete" if one.incomplete else "complete",
                ),
            )
            for run, one in _tallies(subject)
        ),
    )


def diagnosis_grid(subject: SubjectScore) -> Grid:
    """The table of what helps to find faults and is no part of a score."""
    columns = ("assertions passed", "assertions", "kinds of failure")
    return Grid(
        title="diagnosis, no part of the score",
        columns=("tier", *_repetition_column(subject), *columns),
        rows=tuple(
            Row(
                tally=one,
                cells=(
                    *_row_head(subject, run, one),
                    str(one.diagnosis.assertions_passed),
                    str(one.diagnosis.assertions),
                    ", ".join(f"{k} {n}" for k, n in one.diagnosis.failures.items()),
                ),
            )
            for run, one in _tallies(subject)
            if one.submitted
        ),
    )


def resolved_text(tally: Tally) -> str:
    """Resolved tasks of all; a pair while void tasks leave it open: ``32/65``, ``31–33/65``."""
    possible = f"–{tally.resolved + tally.void}" if tally.void else ""
    return f"{tally.resolved}{possible}/{tally.total}"


def measure_text(measure: Measure) -> str:
    """One number, the pair of its bounds, or a dash."""
    unit = "%" if measure.unit == SHARE else measure.unit
    if measure.value is not None:
        return f"{_number(measure.value, measure.unit)} {unit}".rstrip()
    if measure.at_least is not None and measure.at_most is not None:
        low, high = (_number(n, measure.unit) for n in (measure.at_least, measure.at_most))
        return f"{low}–{high} {unit}".rstrip()
    return NOT_DEFINED


def one_line(text: str) -> str:
    """Text on one line, so that a name or reason in a report cannot pass for a line of ours."""
    return text.replace("\n", "\\n").replace("\t", "\\t")


def provenance_lines(score: Score) -> Iterator[str]:
    """By what the reports were judged, and what was left out of account."""
    if score.dataset is None or score.evaluator is None:
        yield score.reason
        return
    totals = ", ".join(f"{tier} {number}" for tier, number in score.dataset.totals.items())
    yield f"dataset {score.dataset.name} {score.dataset.version}: {totals} tasks"
    commit = f", commit {score.dataset.commit}" if score.dataset.commit else ""
    yield f"manifest {score.dataset.manifest_sha256}{commit}, protocol {score.protocol_version}"
    revision = score.evaluator.commit or score.evaluator.record_sha256
    named = f"evaluator {score.evaluator.distribution} {score.evaluator.version}"
    yield f"{named}, revision {revision}" if revision else named
    shown = [f"{name} {_counts(score.conditions[name])}" for name in _SHOWN_CONDITIONS]
    number = f"{score.reports} report{'' if score.reports == 1 else 's'}"
    yield "; ".join([number, score.python, *shown])
    if score.selection:
        yield f"selection of {score.selection.tasks} tasks, sha256 {score.selection.sha256}"
    for excluded in score.excluded:
        yield f"excluded {excluded.task_id}, which counts as not resolved: {excluded.reason}"


def warnings(score: Score) -> Iterator[str]:
    """What a reader must know before quoting a number."""
    for name in score.mixed:
        yield f"the reports mix several of {name}: {_counts(score.conditions[name])}"
    for one in score.superseded:
        yield (
            f"{one.task_id}, {_name(one.subject)}, repetition {one.repetition}: {one.voids} void "
            f"and one {one.outcome} report count as one, the {one.outcome} one"
        )
    if score.outside:
        yield f"not selected and so not counted: {_ids(score.outside)}"
    runs = [(subject, run) for subject in score.subjects for run in subject.repetitions]
    for subject, run in runs:
        if run.overall.incomplete:
            who = f"{_name(subject.subject)}, repetition {run.repetition}: "
            yield from _incomplete(run, who if len(runs) > 1 else "")


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


def _repetition_column(subject: SubjectScore) -> tuple[str, ...]:
    """The heading that a table has only if there are several repetitions."""
    return ("repetition",) if len(subject.repetitions) > 1 else ()


def _row_head(subject: SubjectScore, run: RepetitionScore, tally: Tally) -> tuple[str, ...]:
    repetition = (str(run.repetition),) if _repetition_column(subject) else ()
    return (tally.tier or OVERALL, *repetition)


def _tallies(subject: SubjectScore) -> list[tuple[RepetitionScore, Tally]]:
    """The tallies of a subject: tier by tier, in each tier by repetition, and all tiers last."""
    runs = subject.repetitions
    tiers = [(run, run.tiers[i]) for i in range(len(runs[0].tiers)) for run in runs]
    return tiers + [(run, run.overall) for run in runs]


def _name(subject: str) -> str:
    return f"subject {subject}" if subject else "no subject named"


def _number(number: float, unit: str) -> str:
    """A number for people; a share never looks like all or nothing unless it is."""
    if unit != SHARE:
        return f"{number:.6g}"
    text = f"{100 * number:.1f}"
    if number < 1 and text == "100.0":
        return "> 99.9"
    if number > 0 and text == "0.0":
        return "< 0.1"
    return text


def _counts(counts: dict[str, int]) -> str:
    """The values of a condition, with their numbers if there are several."""
    if len(counts) == 1:
        return next(iter(counts))
    return ", ".join(f"{value} ({number})" for value, number in counts.items())


def _ids(ids: Sequence[str]) -> str:
    named = ", ".join(ids[:_NAMED_AT_MOST])
    rest = len(ids) - _NAMED_AT_MOST
    return f"{named} and {rest} more (--json names all)" if rest > 0 else named
