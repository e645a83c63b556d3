"""The tables of a score: what every renderer draws, as text in cells. Nothing is printed here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kcb_core.score import Diagnosis, Interval, Measure, RepetitionScore, Score, SubjectScore, Tally
from kcb_score.resolve import SHARE
from kcb_score.text import name_of, tierless

OVERALL = "all"
"""How the row of all tiers together is called."""

NOT_DEFINED = "–"

INTERVAL = "95 % interval"
"""Heading of the column beside a number that has one."""

TEXT_COLUMNS = frozenset({"tier", "run", "kinds of failure", "topic", "tag"})
"""Columns that hold words; all others hold numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of a table."""

    cells: tuple[str, ...]
    overall: bool = False
    """Whether it sums up the rows above it."""
    headline: Tally | None = None
    """The tally whose first measure may be drawn as a bar beside it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """One table: a title, headings, and rows of as many cells."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    words: frozenset[str] = TEXT_COLUMNS
    """Columns that hold words; all others hold numbers."""


def grids(score: Score) -> Iterator[Grid]:
    """The tables of a score: of each subject its score, pass@k, diagnosis and profile."""
    for subject in score.subjects:
        yield score_grid(subject)
        if subject.together:
            yield together_grid(subject)
        yield diagnosis_grid(subject)
        yield from (grid for grid in (profile_grid(subject),) if grid.rows)


def score_grid(subject: SubjectScore) -> Grid:
    """The table of one subject: counts and measures of each tier, then of all together."""
    tallies = _tallies(subject)
    first = subject.repetitions[0].overall
    names = tuple(first.measures)
    bounded = frozenset(
        name for _, one in tallies for name, measure in one.measures.items() if measure.interval
    )
    optional = tuple(n for n in ("corrected", "excluded") if any(getattr(t, n) for _, t in tallies))
    counts = ("submitted", "void", "missing", *optional)
    headings = [h for n in names for h in ((n, INTERVAL) if n in bounded else (n,))]
    return Grid(
        title=name_of(subject.subject),
        columns=("tier", *_repetition_column(subject), "resolved", *headings, *counts, "run"),
        rows=tuple(
            Row(
                overall=not one.tier,
                headline=one,
                cells=(
                    *_row_head(subject, run, one),
                    resolved_text(one),
                    *_measure_cells(one, names, bounded),
                    *(str(getattr(one, name)) for name in counts),
                    "incomplete" if one.incomplete else "complete",
                ),
            )
            for run, one in tallies
        ),
    )


def together_grid(subject: SubjectScore) -> Grid:
    """The table of what all repetitions say together: pass@k and pass^k."""
    names = tuple(subject.together[-1].measures)
    shown = subject.together[:1] if _tierless(subject) else subject.together
    return Grid(
        title=f"all repetitions together, {subject.reports} reports",
        columns=("tier", *names),
        rows=tuple(
            Row(
                overall=not one.tier,
                cells=(one.tier or OVERALL, *(measure_text(one.measures[n]) for n in names)),
            )
            for one in shown
        ),
    )


def diagnosis_grid(subject: SubjectScore) -> Grid:
    """The table of what helps to find faults and is no part of a score.

    The grader of a suite's task gives one verdict, so that there only the kinds tell anything.
    """
    counts = ("assertions passed", "assertions", "share", "near misses")
    shown = () if _tierless(subject) else counts
    return Grid(
        title="diagnosis, no part of the score",
        columns=("tier", *_repetition_column(subject), *shown, "kinds of failure"),
        rows=tuple(
            Row(
                overall=not one.tier,
                cells=(
                    *_row_head(subject, run, one),
                    *(_counted(one.diagnosis) if shown else ()),
                    ", ".join(f"{k} {n}" for k, n in one.diagnosis.failures.items()),
                ),
            )
            for run, one in _tallies(subject)
            if one.submitted
        ),
    )


def _counted(found: Diagnosis) -> tuple[str, ...]:
    return (
        str(found.assertions_passed),
        str(found.assertions),
        share_text(found.assertions_passed, found.assertions),
        str(len(found.near_misses)),
    )


def profile_grid(subject: SubjectScore) -> Grid:
    """The table of topics: of how many judged tasks each was handled without a fault."""
    if _tierless(subject):
        return _tag_grid(subject)
    return Grid(
        title="profile: tasks of which every scenario of a topic passed, no part of the score",
        columns=(
            "topic",
            *_repetition_column(subject),
            "clean",
            "judged",
            "share",
            "first failing",
        ),
        rows=tuple(
            Row(
                cells=(
                    one.topic,
                    *((str(run.repetition),) if _repetition_column(subject) else ()),
                    str(one.clean),
                    str(one.judged),
                    share_text(one.clean, one.judged),
                    str(one.first_failing),
                )
            )
            for run in subject.repetitions
            for one in run.overall.diagnosis.topics
        ),
    )


def _tag_grid(subject: SubjectScore) -> Grid:
    """The table of tags, where a task has no scenarios of its own: how many tasks each resolved."""
    return Grid(
        title="resolved tasks by tag, of those that were judged",
        columns=("tag", *_repetition_column(subject), "resolved", "judged", "share"),
        rows=tuple(
            Row(
                cells=(
                    one.topic,
                    *((str(run.repetition),) if _repetition_column(subject) else ()),
                    str(one.clean),
                    str(one.judged),
                    share_text(one.clean, one.judged),
                )
            )
            for run in subject.repetitions
            for one in run.overall.diagnosis.topics
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


def interval_text(interval: Interval | None) -> str:
    """Both ends in per cent, or a dash."""
    if interval is None:
        return NOT_DEFINED
    return f"{_number(interval.low, SHARE)}–{_number(interval.high, SHARE)} %"


def share_text(part: int, whole: int) -> str:
    """A share in per cent, or a dash of nothing."""
    return f"{_number(part / whole, SHARE)} %" if whole else NOT_DEFINED


def _measure_cells(tally: Tally, names: Sequence[str], bounded: frozenset[str]) -> Iterator[str]:
    for name in names:
        yield measure_text(tally.measures[name])
        if name in bounded:
            yield interval_text(tally.measures[name].interval)


def _repetition_column(subject: SubjectScore) -> tuple[str, ...]:
    """The heading that a table has only if there are several repetitions."""
    return ("repetition",) if len(subject.repetitions) > 1 else ()


def _row_head(subject: SubjectScore, run: RepetitionScore, tally: Tally) -> tuple[str, ...]:
    repetition = (str(run.repetition),) if _repetition_column(subject) else ()
    return (tally.tier or OVERALL, *repetition)


def _tallies(subject: SubjectScore) -> list[tuple[RepetitionScore, Tally]]:
    """The tallies of a subject: tier by tier, in each tier by repetition, and all tiers last.

    A suite has no tiers, so that all of it is one tally.
    """
    runs = subject.repetitions
    tiers = [(run, run.tiers[i]) for i in range(len(runs[0].tiers)) for run in runs]
    return tiers if _tierless(subject) else tiers + [(run, run.overall) for run in runs]


def _tierless(subject: SubjectScore) -> bool:
    return tierless(tally.tier for tally in subject.repetitions[0].tiers)


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
