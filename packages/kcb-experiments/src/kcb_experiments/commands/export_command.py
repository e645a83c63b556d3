"""``klein-bench experiment export``: tasks in the format of another framework."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from kcb_core import console
from kcb_core.catalog import Catalog, open_source
from kcb_core.commands.options import FILE, dataset_option
from kcb_core.dataset import Dataset, open_dataset
from kcb_core.errors import DeclarationError
from kcb_core.folder import fill, require_new
from kcb_core.ids import SHIPPED_DATASET, TaskId
from kcb_core.selection import read_selection
from kcb_core.task import Task
from kcb_experiments.frozen import named_tasks
from kcb_experiments.harbor.solution import solution_of
from kcb_experiments.harbor.task_folder import Kit, task_files
from kcb_experiments.harbor.wheels import read_wheels
from kcb_experiments.spec import Benchmark
from kcb_experiments.task_sets import DatasetTasks


def harbor(
    dataset: Dataset, *, wheels: Path, image: str, solutions: Path | None
) -> Callable[[Task], dict[str, bytes]]:
    """What gives the files of each task, as Harbor reads them.

    Raises:
        DeclarationError: the wheels are not enough.
        DataError: one is none.
    """
    kit = Kit(manifest=dataset.manifest, wheels=read_wheels(wheels), image=image)
    return lambda task: task_files(
        task, kit, solution_of(task.task_id, solutions) if solutions else None
    )


LAYOUTS = {"harbor": harbor}
"""What ``--format`` may name."""


@click.command()
@click.argument("tasks", nargs=-1, metavar="[TASK]...")
@click.option("--subset", default="", metavar="NAME",
              help="All tasks of this tier, named set, or frozen selection, instead.")  # fmt: skip
@click.option("--format", "layout", type=click.Choice(list(LAYOUTS)), default="harbor",
              show_default=True, help="harbor: what the framework of that name runs.")  # fmt: skip
@click.option("-o", "--output", type=FILE, required=True, help="A new or an empty folder.")
@click.option("--wheels", type=FILE, required=True, metavar="DIR",
              help="Wheels of kcb-core, kcb-runner and all they need.")  # fmt: skip
@click.option("--image", default="", metavar="NAME",
              help="An image with Python 3.11 or newer to work and judge in. "
              "Default: one is built for each task.")  # fmt: skip
@click.option("--solutions", type=FILE, metavar="DIR",
              help="Projects that resolve the tasks, each named by its task id.")  # fmt: skip
@dataset_option
@click.pass_obj
def export(
    catalog: Catalog,
    tasks: tuple[str, ...],
    subset: str,
    layout: str,
    output: Path,
    wheels: Path,
    image: str,
    solutions: Path | None,
    dataset_path: Path | None,
) -> None:
    """Export tasks of a dataset for another framework, each as a folder named by its id.

    They hold the acceptance tests, so the folder must lie where no model can read it.
    """
    require_new(output)
    dataset, chosen = _chosen(catalog, tasks, subset, dataset_path)
    files_of = LAYOUTS[layout](dataset, wheels=wheels, image=image, solutions=solutions)
    for task_id in chosen:
        fill(output / task_id, files_of(dataset.task(task_id)))
        console.say(str(output / task_id))


def _chosen(
    catalog: Catalog, tasks: tuple[str, ...], subset: str, path: Path | None
) -> tuple[Dataset, tuple[str, ...]]:
    """The tasks that were named, and the dataset that holds them."""
    if bool(tasks) == bool(subset):
        raise DeclarationError("name tasks, or a tier with --subset, and not both")
    if tasks:
        name = TaskId.parse(tasks[0]).dataset
        benchmark = Benchmark(dataset=name, tasks=tuple(dict.fromkeys(tasks)))
    elif Path(subset).is_file():
        benchmark = Benchmark(dataset=read_selection(Path(subset)).dataset, selection=subset)
    else:
        benchmark = Benchmark(dataset=SHIPPED_DATASET, subset=subset)
    dataset = open_dataset(path or open_source(catalog, benchmark.dataset).folder)
    return dataset, named_tasks(benchmark, DatasetTasks(dataset), Path())
