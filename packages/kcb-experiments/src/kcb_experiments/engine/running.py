"""Runs what is missing of an experiment, and says what came of it."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kcb_core import console
from kcb_core.catalog import Catalog
from kcb_core.errors import DeclarationError, ExitStatus
from kcb_core.tasksets import TaskSet
from kcb_experiments.attempts import Attempts
from kcb_experiments.cells import Cell, Group
from kcb_experiments.engine.opening import open_workshop, raising_on_signals
from kcb_experiments.engine.parts import found_parts
from kcb_experiments.engine.preflight import preflight
from kcb_experiments.engine.schedule import Schedule
from kcb_experiments.engine.workshop import Workshop
from kcb_experiments.frozen import Experiment
from kcb_experiments.plan import refuse_without_room
from kcb_experiments.records import AttemptEnd, Status
from kcb_experiments.selection import SCORED, CellState, Retry, refuse_replacement, state_of, to_run
from kcb_experiments.wording import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which cells a caller wants beside those that are missing."""

    cell: str | None = None
    """Only this one, as a replacement of a void attempt."""
    retry: Collection[Retry] = ()


@dataclass(slots=True)
class Outcome:
    """What came of a run."""

    cells: int
    """Cells of the experiment."""
    scored: int = 0
    """Those with a valid attempt."""
    ran: int = 0
    """Attempts that this run has ended."""
    interrupted: bool = False
    left: dict[CellState, int] = field(default_factory=dict)
    """Cells without a valid attempt, by state."""

    @property
    def exit_status(self) -> ExitStatus:
        """The exit status of the command."""
        if self.interrupted:
            return ExitStatus.INTERRUPTED
        return ExitStatus.DONE if self.scored == self.cells else ExitStatus.MACHINERY


def run_experiment(
    catalog: Catalog, experiment: Experiment, folder: Path, tasks: TaskSet, wanted: Wanted
) -> Outcome:
    """Run the cells of an experiment that have no valid attempt and are to have another.

    Args:
        catalog: brings executor, verifier and agents.
        experiment: what is run.
        folder: where it is kept; it is made if need be.
        tasks: the set that its tasks are of.
        wanted: which cells.

    Raises:
        DeclarationError: another experiment is kept there, something is missing, or a cell may not
            have another attempt.
        DataError: the log is damaged.
        MachineError: this machine failed.
    """
    refuse_without_room(experiment)
    found_parts(catalog, experiment, tasks).check()
    folder.mkdir(parents=True, exist_ok=True)
    with open_workshop(catalog, experiment, folder, tasks=tasks, tell=console.note) as shop:
        outcome = _run_in(shop, wanted)
        return _counted(outcome, experiment, shop.log.attempts)


def _run_in(shop: Workshop, wanted: Wanted) -> Outcome:
    experiment, attempts = shop.experiment, shop.log.attempts
    cells = list(experiment.cells())
    chosen = _chosen(cells, attempts, wanted)
    outcome = Outcome(cells=len(cells))
    if not chosen:
        return outcome
    ids = tuple(dict.fromkeys(cell.task_id for cell in chosen))
    with raising_on_signals():
        warnings = preflight(experiment, shop.folder, shop.tasks, ids, shop.executor, shop.verifier)
    for line in warnings:
        console.warn(line)
    with console.progress() as bar:
        shown = bar.add_task("running", total=len(chosen), detail="")

        def ended(cell: Cell, end: AttemptEnd) -> None:
            outcome.ran += 1
            console.note(f"{cell.id}: {_headline(end)}")
            bar.update(shown, advance=1)

        reasons = {cell: _why(attempts, cell, wanted) for cell in chosen}
        schedule = Schedule(workshop=shop, ended=ended, why=lambda cell: reasons[cell])
        schedule.run(_grouped(experiment, chosen))
    outcome.interrupted = shop.stopped()
    return outcome


def _chosen(cells: list[Cell], attempts: Attempts, wanted: Wanted) -> list[Cell]:
    if wanted.cell is None:
        return to_run(cells, attempts, retry=wanted.retry)
    if wanted.retry:
        raise DeclarationError("--cell and --retry do not go together")
    cell = Cell.parse(wanted.cell)
    refuse_replacement(cell, cells, attempts)
    return [cell]


def _why(attempts: Attempts, cell: Cell, wanted: Wanted) -> str:
    before = attempts.of(cell.id)
    if not before:
        return ""
    if wanted.cell:
        return "--cell"
    state = state_of(before)
    return "interrupted" if state is CellState.INTERRUPTED else f"--retry {state}"


def _grouped(experiment: Experiment, chosen: Sequence[Cell]) -> list[Group]:
    """The chosen cells in their groups, in the order of the experiment."""
    wanted = set(chosen)
    kept = (tuple(c for c in group.cells if c in wanted) for group in experiment.task_groups())
    return [Group(cells) for cells in kept if cells]


def _headline(end: AttemptEnd) -> str:
    score = f", score {end.score:g}" if isinstance(end.score, float) else ""
    cause = f" ({end.cause})" if end.status is Status.VOID else ""
    why = f": {end.reason}" if end.reason else ""
    return f"{end.status}{cause}{score}{why}"


def _counted(outcome: Outcome, experiment: Experiment, attempts: Attempts) -> Outcome:
    for cell in experiment.cells():
        state = state_of(attempts.of(cell.id))
        if state in SCORED:
            outcome.scored += 1
        else:
            outcome.left[state] = outcome.left.get(state, 0) + 1
    return outcome


def say_outcome(
    outcome: Outcome,
    emphasis: Callable[[str], None] = console.say,
    *,
    retry_void: str = f"--retry {Retry.VOID}",
) -> None:
    """Say in a few lines how far an experiment has come, and how to go on.

    Args:
        outcome: what came of the run.
        emphasis: says the first of the lines.
        retry_void: the option of the command that was typed by which void cells are tried again.
    """
    emphasis(f"{outcome.scored} of {outcome.cells} cells have a valid attempt")
    remedies = {
        CellState.VOID: f"; try again with {retry_void}",
        CellState.BUDGET_EXHAUSTED: "; the budget has no room for more",
    }
    for state, number in outcome.left.items():
        verb = "is" if number == 1 else "are"
        console.note(f"{counted(number, 'cell')} {verb} {state}{remedies.get(state, '')}")
    if outcome.interrupted:
        console.fail("interrupted")
    if outcome.left.get(CellState.PENDING) or outcome.left.get(CellState.INTERRUPTED):
        console.note(f"to go on: {shlex.join(['klein-bench', *sys.argv[1:]])}")
