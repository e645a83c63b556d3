"""Tables as Markdown, for pages that are generated from data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence


def table(columns: Sequence[str], rows: Iterable[Iterable[str]], *, numeric: int = 0) -> str:
    """A Markdown table, without its last line end.

    Args:
        columns: headings.
        rows: the cells of each row; a bar in one is escaped.
        numeric: how many of the last columns hold numbers, which stand to the right.
    """
    rule = ["---"] * (len(columns) - numeric) + ["---:"] * numeric
    return "\n".join(_lines((columns, rule, *rows)))


def _lines(rows: Iterable[Iterable[str]]) -> Iterator[str]:
    for row in rows:
        cells = (cell.replace("|", "\\|") for cell in row)
        yield f"| {' | '.join(cells)} |"
