"""``klein-bench experiment run``: run what is missing of an experiment."""

from __future__ import annotations

from pathlib import Path

import click

from kcb_core import console
from kcb_core.catalog import Catalog
from kcb_core.commands.options import FILE, dataset_option, json_option
from kcb_experiments.engine.running import Wanted, run_experiment, say_outcome
from kcb_experiments.frozen import freeze
from kcb_experiments.progress import read_results
from kcb_experiments.selection import Retry
from kcb_experiments.spec import enforcing, read_spec
from kcb_experiments.task_sets import frozen_task_set


@click.command()
@click.argument("path", type=FILE, metavar="SPEC")
@click.option("-o", "--out", "folder", type=FILE, required=True, metavar="DIR",
              help="The folder of the experiment; the same one goes on with it.")  # fmt: skip
@click.option("--cell", metavar="ID", help="Only this cell, whose attempt was void: it gets "
              "another one.")  # fmt: skip
@click.option("--retry", "retry", multiple=True, type=click.Choice([*map(str, Retry)]),
              help="Try void cells again, or those that the budget had no room for.")  # fmt: skip
@dataset_option
@json_option
@click.pass_obj
def run(
    catalog: Catalog,
    path: Path,
    folder: Path,
    cell: str | None,
    retry: tuple[str, ...],
    dataset_path: Path | None,
    as_json: bool,
) -> int:
    """Run the cells of a spec, or go on with those that are missing.

    Cells without an attempt are run, and those whose last attempt was interrupted or cancelled. A
    cell with a valid attempt is never run again. Ctrl-C ends it in order: nothing new begins, what
    runs is cancelled, and the same command goes on.

    Exit status 0 if every cell has a valid attempt, whatever its score; 2 for a wrong invocation or
    something that is missing, which starts nothing; 3 if cells are void or the budget was used up;
    130 if it was interrupted.
    """
    spec = read_spec(path, enforcing=enforcing(catalog.executors()))
    experiment = freeze(spec, catalog, beside=path.parent, dataset_path=dataset_path)
    tasks = frozen_task_set(catalog, experiment.dataset, dataset_path)
    wanted = Wanted(cell=cell, retry=tuple(map(Retry, retry)))
    outcome = run_experiment(catalog, experiment, folder, tasks, wanted)
    if as_json:
        console.emit_json(read_results(folder)[1])
        say_outcome(outcome, console.note)
    else:
        say_outcome(outcome)
    return outcome.exit_status
