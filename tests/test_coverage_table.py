"""The table of how often intervals hold the truth, in the documentation, is the one of the study.

The whole study takes long, ``nox -s intervals`` has it; a small one with another seed must have the
same rows and, as far as chance allows, the same numbers.
"""

import re
from pathlib import Path

import pytest

from kcb_score.statistics.coverage import exact_rows, study, table

PAGE = Path(__file__).parent.parent / "docs" / "explanation" / "scoring.md"
RUNS = 40
FAR = 5
"""Standard deviations by which a number of the small study may lie off."""

Cells = tuple[str, ...]


def cells(line: str) -> Cells:
    """One row of a Markdown table."""
    return tuple(cell.strip() for cell in line.strip("|").split("|"))


def bounds(cell: str) -> tuple[float, float]:
    """Two shares in per cent as shares."""
    low, high = (float(number) / 100 for number in re.findall(r"\d+\.\d", cell))
    return low, high


@pytest.fixture(scope="module")
def documented() -> list[Cells]:
    """The rows of the page, its headings and rule first."""
    text = PAGE.read_text().partition("## How often the intervals hold")[2].partition("\n## ")[0]
    return [cells(line) for line in text.splitlines() if line.startswith("|")]


@pytest.fixture(scope="module")
def drawn() -> list[Cells]:
    """The rows of a small study."""
    return [cells(line) for line in table(study(RUNS, seed=7))]


def test_the_page_has_every_row_of_the_study(documented: list[Cells], drawn: list[Cells]) -> None:
    """Interval, rate, number of family effects, and what is allowed, in the same order."""

    def shape(rows: list[Cells]) -> list[Cells]:
        return [(*row[:3], row[4]) for row in rows]

    assert shape(documented) == shape(drawn)


def test_what_is_not_drawn_is_exactly_so(documented: list[Cells]) -> None:
    """Wilson's worst and best coverage of one tier is a sum, the same to the digit."""
    (row,) = [cells(line) for line in list(table(list(exact_rows())))[2:]]
    assert row in documented


def test_what_is_documented_is_what_is_drawn(documented: list[Cells], drawn: list[Cells]) -> None:
    """Every share lies where it must, and shares and widths are those of the study."""
    for told, found in zip(documented[2:], drawn[2:], strict=True):
        low, high = bounds(told[3])
        least, most = bounds(told[4])
        assert least <= low <= high <= most, told
        worst, best = bounds(found[3])
        middle = (worst + best) / 2
        spread = (max(low * (1 - low), high * (1 - high), 0.01) / RUNS) ** 0.5
        assert low - FAR * spread <= middle <= high + FAR * spread, (told, found)
        if told[5]:
            assert float(found[5]) == pytest.approx(float(told[5]), rel=0.1), (told, found)
