"""``klein-bench experiment regrade``: judge stored projects again, without their subjects."""

from __future__ import annotations

from pathlib import Path

import click

from kcb_core import console
from kcb_core.catalog import Catalog
from kcb_core.commands.options import FILE, dataset_option
from kcb_core.errors import ExitStatus
from kcb_experiments.engine.opening import open_workshop
from kcb_experiments.engine.regrading import Regrading, projects_of
from kcb_experiments.frozen import read_experiment
from kcb_experiments.task_sets import frozen_task_set


@click.command()
@click.argument("folder", type=FILE, metavar="DIR")
@click.option("--cell", "cells", multiple=True, metavar="ID", help="Only these cells.")
@dataset_option
@click.pass_obj
def regrade(
    catalog: Catalog, folder: Path, cells: tuple[str, ...], dataset_path: Path | None
) -> int:
    """Judge the projects of an experiment again; no model is asked.

    The newest verdict of an attempt counts, and the older report is kept. A void attempt whose
    subject had come to its end gets the verdict that it lacked.

    Exit status 0 if every project has a new verdict, 3 if one has none, 130 if it was interrupted.
    """
    experiment = read_experiment(folder)
    tasks = frozen_task_set(catalog, experiment.dataset, dataset_path)
    with open_workshop(catalog, experiment, folder, tasks=tasks, tell=console.note) as shop:
        chosen = projects_of(experiment, shop.log.attempts, cells)
        for line in shop.verifier.preflight() if chosen else ():
            console.warn(line)
        done = Regrading(shop).judge_all(chosen)
        interrupted = shop.stopped()
    console.say(f"{done.judged} of {len(chosen)} projects judged again, {done.changed} otherwise")
    if interrupted:
        return ExitStatus.INTERRUPTED
    return ExitStatus.DONE if done.judged == len(chosen) else ExitStatus.MACHINERY
