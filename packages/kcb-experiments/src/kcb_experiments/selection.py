"""Which attempt of a cell counts, and which cells are to be run: rules over the log, and no clock.

The earliest valid attempt counts, never the best.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum

from kcb_core.errors import DeclarationError
from kcb_experiments.attempts import Attempt, Attempts
from kcb_experiments.cells import Cell
from kcb_experiments.records import Cause, Status


class CellState(StrEnum):
    """Where a cell stands; each stands in exactly one place."""

    PENDING = "pending"
    """It has no attempt."""
    RUNNING = "running"
    INTERRUPTED = "interrupted"
    """Its last attempt was cut off by the death of the harness, or cancelled: ``run`` goes on."""
    COMPLETED = "completed"
    """It has a valid attempt, whose subject says that it is done."""
    SUBJECT_FAILED = "subject_failed"
    """It has a valid attempt, whose subject failed."""
    VOID = "void"
    """Nothing is known, and only ``--retry void`` or ``--cell`` tries again."""
    BUDGET_EXHAUSTED = "budget_exhausted"


class Retry(StrEnum):
    """What is tried again only if somebody says so."""

    VOID = "void"
    BUDGET = "budget"
    """Cells for which the budget had no room."""


SCORED = (CellState.COMPLETED, CellState.SUBJECT_FAILED)
"""Where the cells stand that have a valid attempt."""

_GOES_ON = (CellState.PENDING, CellState.INTERRUPTED)
_ON_REQUEST = {Retry.VOID: CellState.VOID, Retry.BUDGET: CellState.BUDGET_EXHAUSTED}
_CUT_OFF = (Cause.INTERRUPTED, Cause.CANCELLED)


def selected(attempts: Sequence[Attempt]) -> Attempt | None:
    """The attempt of a cell that counts: the earliest valid one."""
    return next((attempt for attempt in attempts if attempt.valid), None)


def is_running(attempt: Attempt, live_term: int) -> bool:
    """Whether an attempt is under way: it has no end, and the writer that began it is alive.

    Args:
        attempt: any one, a late one too.
        live_term: the term whose writer is alive; 0 if none is.
    """
    return attempt.end is None and not attempt.late and attempt.start.term == live_term


def state_of(attempts: Sequence[Attempt], *, live_term: int = 0) -> CellState:
    """Where a cell with these attempts stands.

    Args:
        attempts: those that count, the earliest first.
        live_term: the term whose writer is alive; an attempt without an end runs only there.
    """
    if not attempts:
        return CellState.PENDING
    valid = selected(attempts)
    if valid is not None:
        return CellState(valid.status.value)
    last = attempts[-1]
    if last.end is None:
        return CellState.RUNNING if is_running(last, live_term) else CellState.INTERRUPTED
    if last.status is Status.BUDGET_EXHAUSTED:
        return CellState.BUDGET_EXHAUSTED
    return CellState.INTERRUPTED if last.cause in _CUT_OFF else CellState.VOID


def to_run(
    cells: Iterable[Cell], attempts: Attempts, *, retry: Collection[Retry] = ()
) -> list[Cell]:
    """The cells that are to be run, in order.

    Those without an attempt, and those whose last attempt was interrupted or cancelled; of the
    others only what is asked for. No cell with a valid attempt is among them.
    """
    states = {*_GOES_ON, *(_ON_REQUEST[one] for one in retry)}
    return [cell for cell in cells if state_of(attempts.of(cell.id)) in states]


def refuse_replacement(cell: Cell, cells: Collection[Cell], attempts: Attempts) -> None:
    """Make sure that one cell may have another attempt because somebody names it.

    Raises:
        DeclarationError: there is no such cell, it has a valid attempt, or it has none that failed
            on infrastructure or is indeterminate.
    """
    if cell not in cells:
        raise DeclarationError(f"{cell.id} is no cell of this experiment")
    state = state_of(attempts.of(cell.id))
    if state in SCORED:
        raise DeclarationError(
            f"{cell.id} has a valid attempt ({state}), which counts for ever; a new sample is a "
            "repetition of a new experiment"
        )
    if state is not CellState.VOID:
        raise DeclarationError(f"{cell.id} is {state}: 'klein-bench experiment run' goes on there")
