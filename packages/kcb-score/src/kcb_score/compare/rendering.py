"""Prints a comparison: for people at a terminal, or as Markdown for a pull request."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from kcb_core import console
from kcb_score.compare.comparison import Comparison, Pair
from kcb_score.compare.sheets import (
    arms_sheet,
    discordant_sheet,
    gate_line,
    pair_sheet,
    provenance,
    sheets,
    verdict,
    warnings,
)
from kcb_score.grids import Grid
from kcb_score.renderers import csv_tables, latex_tables
from kcb_score.summary import notes_of
from kcb_score.text import one_line

_SPECIAL = re.compile(r"[\\`*\[\]<>#!|~$@&]|(?<![0-9A-Za-z])_|_(?![0-9A-Za-z])")
"""Characters that mean something in Markdown, or in the HTML in it, where they stand."""

_NOBODY = "&#8203;"
"""An empty space that keeps a name behind an at sign from being told."""


def show(comparison: Comparison) -> None:
    """Print where it comes from, each table, and what it says in a sentence."""
    for line in provenance(comparison):
        console.say(one_line(line))
    for sheet in sheets(comparison):
        console.say("")
        _show_sheet(sheet)
    console.say("")
    for pair in comparison.pairs:
        console.say(one_line(verdict(pair)))
    if comparison.gate:
        console.say(one_line(gate_line(comparison.gate)))
    for note in notes_of(comparison.dataset.totals):
        console.say(note)


def markdown(comparison: Comparison) -> str:
    """All of it as Markdown, the lists of tasks folded away."""
    return "\n".join(_markdown(comparison)) + "\n"


def comma_separated(comparison: Comparison) -> str:
    """The tables as CSV, one below the other."""
    return csv_tables(sheets(comparison))


def latex(comparison: Comparison) -> str:
    """The tables for a paper; where they come from and what they say as comments."""
    notes = notes_of(comparison.dataset.totals)
    said = (*map(verdict, comparison.pairs), *warnings(comparison), *notes)
    return latex_tables(sheets(comparison), before=provenance(comparison), after=said)


RENDERERS: dict[str, Callable[[Comparison], str]] = {
    "markdown": markdown,
    "csv": comma_separated,
    "latex": latex,
}
"""By the name that ``--format`` gives them."""


def _show_sheet(sheet: Grid) -> None:
    console.say(one_line(sheet.title))
    right = ",".join(name for name in sheet.columns if name not in sheet.words)
    rows = [[one_line(cell) for cell in row.cells] for row in sheet.rows]
    console.table([one_line(name) for name in sheet.columns], rows, right=right)


def _markdown(comparison: Comparison) -> Iterator[str]:
    if comparison.gate:
        yield f"### {_escaped(gate_line(comparison.gate))}"
        yield ""
    for pair in comparison.pairs:
        yield from _pair(pair, comparison)
    yield from _table(arms_sheet(comparison))
    notes = notes_of(comparison.dataset.totals)
    for line in (*warnings(comparison), *notes, *provenance(comparison)):
        yield f"- {_escaped(line)}"


def _pair(pair: Pair, comparison: Comparison) -> Iterator[str]:
    yield f"{_escaped(verdict(pair))}."
    yield ""
    yield from _table(pair_sheet(pair, comparison.marks, level=comparison.level))
    if pair.discordant:
        sheet = discordant_sheet(pair, comparison.marks)
        yield f"<details><summary>{_escaped(sheet.title)}</summary>"
        yield ""
        yield from _table(sheet, titled=False)
        yield "</details>"
        yield ""


def _table(sheet: Grid, *, titled: bool = True) -> Iterator[str]:
    if titled:
        yield f"**{_escaped(sheet.title)}**"
        yield ""
    yield _row(sheet.columns)
    yield _row(["---" if name in sheet.words else "---:" for name in sheet.columns], escape=False)
    for row in sheet.rows:
        yield _row(row.cells)
    yield ""


def _row(cells: tuple[str, ...] | list[str], *, escape: bool = True) -> str:
    return f"| {' | '.join(_escaped(cell) if escape else cell for cell in cells)} |"


def _escaped(text: str) -> str:
    """Text that Markdown and HTML show as it is, on one line; nobody is mentioned by it."""
    return _SPECIAL.sub(_entity, console.plain(one_line(text)))


def _entity(match: re.Match[str]) -> str:
    return f"&#{ord(match[0])};{_NOBODY if match[0] == '@' else ''}"
