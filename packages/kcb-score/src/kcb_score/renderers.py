"""The same tables as Markdown, CSV and LaTeX. Names in reports are anybody's text: each renderer
makes it harmless in its own language, and all of them keep it on one line.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable

from kcb_core.console import plain
from kcb_core.score import Score
from kcb_score.grids import Grid, grids
from kcb_score.text import one_line, provenance_lines

_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>()#!|~&$@])")
_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    '"': r"\textquotedbl{}",
    "–": "--",
}
_FORMULA = ("=", "+", "-", "@")
"""First characters by which a spreadsheet takes a cell for a formula."""

_SIGNED = re.compile(r"[+-][0-9]+(?:\.[0-9]+)?")
"""A number with its sign, which is no formula."""


def markdown(score: Score) -> str:
    """Tables with pipes, as GitHub and most others draw them."""
    lines = [f"- {_in_markdown(line)}" for line in provenance_lines(score)]
    for grid in grids(score):
        marks = ["---" if column in grid.words else "---:" for column in grid.columns]
        lines += ["", f"**{_in_markdown(grid.title)}**", ""]
        lines += [_piped(map(_in_markdown, grid.columns)), _piped(marks)]
        lines += [_piped(map(_in_markdown, row.cells)) for row in grid.rows]
    lines += ["", *(_in_markdown(note) for note in score.notes)]
    return "\n".join(lines) + "\n"


def comma_separated(score: Score) -> str:
    """The tables of a score as CSV."""
    return csv_tables(grids(score))


def csv_tables(tables: Iterable[Grid]) -> str:
    """Tables one below the other: a line with the title, the headings, rows, an empty line.

    Text that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for index, grid in enumerate(tables):
        if index:
            out.write("\n")
        writer.writerow([_in_csv(grid.title)])
        writer.writerow(map(_in_csv, grid.columns))
        writer.writerows([map(_in_csv, row.cells) for row in grid.rows])
    return out.getvalue()


def latex(score: Score) -> str:
    """The tables of a score as LaTeX."""
    return latex_tables(grids(score), before=provenance_lines(score), after=score.notes)


def latex_tables(tables: Iterable[Grid], *, before: Iterable[str], after: Iterable[str]) -> str:
    """A ``tabular`` with the rules of ``booktabs`` for each table; where it comes from as comments.

    For pdfLaTeX with T1 fonts, or any newer engine.
    """
    lines = [f"% {_harmless(line)}" for line in before]
    for grid in tables:
        lines += ["", *_tabular(grid)]
    lines += ["", *(f"% {_harmless(line)}" for line in after)]
    return "\n".join(lines) + "\n"


def _tabular(grid: Grid) -> list[str]:
    marks = "".join("l" if column in grid.words else "r" for column in grid.columns)
    lines = [f"% {_harmless(grid.title)}", rf"\begin{{tabular}}{{{marks}}}", r"\toprule"]
    lines += [_ampersands(grid.columns), r"\midrule"]
    for row in grid.rows:
        if row.overall and lines[-1] != r"\midrule":
            lines.append(r"\midrule")
        lines.append(_ampersands(row.cells))
    return [*lines, r"\bottomrule", r"\end{tabular}"]


def _harmless(text: str) -> str:
    return plain(one_line(text))


def _in_markdown(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", _harmless(text))


def _in_csv(text: str) -> str:
    text = _harmless(text)
    formula = text.startswith(_FORMULA) and not _SIGNED.fullmatch(text)
    return f"'{text}" if formula else text


def _in_latex(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in _harmless(text))


def _piped(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _ampersands(cells: Iterable[str]) -> str:
    return " & ".join(map(_in_latex, cells)) + r" \\"


RENDERERS: dict[str, Callable[[Score], str]] = {
    "markdown": markdown,
    "csv": comma_separated,
    "latex": latex,
}
"""By the name that ``--format`` gives them."""
