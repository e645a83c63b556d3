"""Prints a score for people: drawn on a terminal, plain text with tabs elsewhere."""

from __future__ import annotations

from itertools import zip_longest

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from kcb_core import console
from kcb_core.score import Measure, Score, Tally
from kcb_score.grids import Grid, grids
from kcb_score.text import one_line, provenance_lines

_BAR_CELLS = 20
_ROOMY = 110
"""Columns of a terminal from which on tables have frames, bars and every column."""

_ROOMY_ONLY = "submitted"
"""Left out where there is little room, since it follows from the missing ones."""


def show(score: Score) -> None:
    """Print where a score comes from, its tables, and what its numbers do not say."""
    for line in provenance_lines(score):
        console.say(one_line(line))
    for grid in grids(score):
        console.say("")
        _print(grid, bars=any(row.headline for row in grid.rows))
    console.say("")
    for note in score.notes:
        console.say(note)


def bar(measure: Measure, cells: int = _BAR_CELLS) -> str:
    """A share as a bar: full cells for what is sure, shaded ones for what void tasks leave open."""
    if measure.value is not None:
        low = high = measure.value
    else:
        low, high = measure.at_least or 0.0, measure.at_most or 0.0
    sure = int(low * cells)
    possible = int(high * cells)
    return "█" * sure + "▒" * (possible - sure) + "·" * (cells - possible)


def _print(grid: Grid, *, bars: bool) -> None:
    if not console.out().is_terminal:
        console.say(one_line(grid.title))
        console.table(grid.columns, [row.cells for row in grid.rows])
        return
    console.out().print(_drawn(grid, bars=bars and console.out().width >= _ROOMY))


def _drawn(grid: Grid, *, bars: bool) -> Table:
    table = Table(title=_text(grid.title), title_justify="left")
    if not bars:
        table.box, table.padding = SIMPLE_HEAD, 0
        table.pad_edge = table.show_edge = False
    shown = [i for i, name in enumerate(grid.columns) if bars or name != _ROOMY_ONLY]
    for index in shown:
        column = grid.columns[index]
        table.add_column(
            column,
            justify="left" if column in grid.words else "right",
            min_width=max(len(row.cells[index]) for row in grid.rows),
        )
    if bars:
        table.add_column("")
    for row, after in zip_longest(grid.rows, grid.rows[1:]):
        table.add_row(
            *(_text(row.cells[index]) for index in shown),
            *([_bar_of(row.headline)] if bars and row.headline else []),
            style="bold" if row.overall else "",
            end_section=after is not None and after.overall and not row.overall,
        )
    return table


def _text(text: str) -> Text:
    return Text(console.plain(one_line(text)))


def _bar_of(tally: Tally) -> Text:
    first = next(iter(tally.measures.values()), Measure(reason="no scorer"))
    return Text(bar(first), style="yellow" if tally.incomplete else "green")
