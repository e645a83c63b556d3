"""The table of tasks as the template lays it out: columns, cells, and what they sort by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kcb_score.page.task_rows import Cell, State, TaskRow
from kcb_score.page.visible import shown
from kcb_score.page.wording import NOT_KNOWN
from kcb_score.text import tierless

_RANK = {state: place for place, state in enumerate(reversed(State))}


@dataclass(frozen=True, slots=True)
class Column:
    """One heading."""

    name: str
    numeric: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """One cell behind the task's name."""

    text: str
    sort: float | None = None
    """By what it sorts, where that is not its text."""
    state: str = ""
    """Class of the mark before it, if it has one."""
    numeric: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownRow:
    """One task."""

    task_id: str
    family: str
    tier: str
    category: str
    states: str
    cells: tuple[Shown, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOfTasks:
    """The table, and what its filters offer."""

    subjects: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: tuple[ShownRow, ...]
    tiers: tuple[str, ...]
    categories: tuple[str, ...]
    states: tuple[str, ...]


def table_of_tasks(rows: Sequence[TaskRow], subjects: Sequence[str]) -> TableOfTasks:
    """One subject gets all columns; several stand side by side in one column each."""
    alone = len(subjects) == 1
    ranks = {tier: place for place, tier in enumerate(dict.fromkeys(row.tier for row in rows))}
    told = _ALONE if alone else tuple(Column(name) for name in subjects)
    tiers = () if tierless(ranks) else tuple(ranks)
    return TableOfTasks(
        subjects=tuple(subjects),
        columns=(Column("Task"), *((Column("Tier"),) if tiers else ()), Column("Category"), *told),
        rows=tuple(_row(row, ranks[row.tier] if tiers else None, alone) for row in rows),
        tiers=tiers,
        categories=tuple(sorted({row.category for row in rows if row.category})),
        states=tuple(
            state for state in State if any(c.state is state for row in rows for c in row.cells)
        ),
    )


_ALONE = (
    Column("Outcome"),
    Column("First topic"),
    Column("Assertions", numeric=True),
    Column("Seconds", numeric=True),
)


def _row(row: TaskRow, rank: int | None, alone: bool) -> ShownRow:
    """One row; the tier has a rank only where there are tiers."""
    tier = () if rank is None else (Shown(row.tier, sort=rank),)
    head = (*tier, Shown(shown(row.category, 40)))
    cells = _alone(row.cells[0]) if alone else tuple(_beside(cell) for cell in row.cells)
    return ShownRow(
        task_id=row.task_id,
        family=row.family,
        tier=row.tier,
        category=row.category,
        states=",".join(cell.state for cell in row.cells),
        cells=(*head, *cells),
    )


def _alone(cell: Cell) -> tuple[Shown, ...]:
    judged = any(sourced.report.total for sourced in cell.reports)
    right = sum(sourced.report.passed for sourced in cell.reports)
    total = sum(sourced.report.total for sourced in cell.reports)
    return (
        _outcome(cell, cell.why),
        Shown(shown(cell.topic, 60)),
        Shown(f"{right:,} / {total:,}" if judged else NOT_KNOWN, cell.share, numeric=True),
        Shown(f"{cell.wall_s:.2f}" if cell.reports else NOT_KNOWN, cell.wall_s, numeric=True),
    )


def _beside(cell: Cell) -> Shown:
    judged = cell.state in (State.FAILED, State.NEAR)
    return _outcome(cell, f"{cell.why}, {100 * cell.share:.0f} % right" if judged else cell.why)


def _outcome(cell: Cell, why: str) -> Shown:
    sort = _RANK[cell.state] + cell.share / 2
    text = f"{cell.state}: {why}" if why and cell.state is not State.RESOLVED else str(cell.state)
    return Shown(text, round(sort, 4), state=cell.state.split()[0])
