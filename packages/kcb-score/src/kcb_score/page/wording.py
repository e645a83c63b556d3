"""How subjects, shares and times are written on a page."""

from __future__ import annotations

from kcb_core.page import Table
from kcb_core.score import Interval, RepetitionScore, Score, SubjectScore, Tally
from kcb_score.grids import Grid
from kcb_score.page.visible import shown
from kcb_score.resolve import ResolveAtOne

ALL_TIERS = "all tiers"

NOT_KNOWN = "–"


def subject_name(subject: str) -> str:
    """A subject as it is called on the page."""
    return shown(subject, 60) if subject else "no subject named"


def run_name(subject: SubjectScore, run: RepetitionScore) -> str:
    """A subject, and which of its repetitions if it has several."""
    name = subject_name(subject.subject)
    return name if len(subject.repetitions) == 1 else f"{name} · {run.repetition}"


def runs(score: Score) -> list[tuple[str, int, RepetitionScore]]:
    """Every repetition of every subject: how it is called, the subject's place, and itself."""
    return [
        (run_name(subject, run), place, run)
        for place, subject in enumerate(score.subjects)
        for run in subject.repetitions
    ]


def tier_name(tally: Tally) -> str:
    """A tier, or all of them."""
    return tally.tier or ALL_TIERS


def percent(share: float, digits: int = 1) -> str:
    """A share for people; it never looks like all or nothing unless it is."""
    text = f"{100 * share:.{digits}f}"
    if share < 1 and float(text) >= 100:
        return "> 99.9 %"
    if share > 0 and float(text) <= 0:
        return "< 0.1 %"
    return f"{text} %"


def resolved_share(tally: Tally) -> str:
    """resolve@1, or the pair between which void tasks leave it."""
    if not tally.submitted or not tally.total:
        return NOT_KNOWN
    low = percent(tally.resolved / tally.total)
    if not tally.void:
        return low
    return f"{low.removesuffix(' %')} – {percent((tally.resolved + tally.void) / tally.total)}"


def interval(bounds: Interval | None) -> str:
    """An interval of shares in per cent."""
    return f"{100 * bounds.low:.1f} – {100 * bounds.high:.1f}" if bounds else NOT_KNOWN


def seconds(value: float) -> str:
    """A time with three figures, in minutes and hours where that reads better."""
    if value < 120:
        return f"{value:.3g} s"
    return f"{value / 60:.3g} min" if value < 7200 else f"{value / 3600:.3g} h"


def table_of(grid: Grid, *, of: str = "") -> Table:
    """A table of the score as a block of a page.

    Args:
        of: whose it is, where its title does not say so: no two captions of a page are the same.
    """
    return Table(
        caption=shown(f"{of}: {grid.title}" if of else grid.title, 200),
        columns=grid.columns,
        rows=tuple(tuple(shown(cell, 400) for cell in row.cells) for row in grid.rows),
        numeric=frozenset(grid.columns) - grid.words,
    )


def interval_of(tally: Tally) -> Interval | None:
    """The interval of resolve@1, as the score holds it."""
    measure = tally.measures.get(ResolveAtOne.name)
    return measure.interval if measure else None
