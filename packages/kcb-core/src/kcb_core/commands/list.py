"""``klein-bench list``: the tasks of a dataset, and a selection of them frozen to a file."""

from __future__ import annotations

from pathlib import Path

import click

from kcb_core import console
from kcb_core.catalog import Catalog
from kcb_core.commands.options import FILE, dataset_option, datasets, json_option
from kcb_core.dataset import Dataset
from kcb_core.errors import DeclarationError, UnknownNameError
from kcb_core.selection import freeze_selection, write_selection
from kcb_core.task import Task


@click.command("list")
@click.option(
    "--subset",
    "subsets",
    multiple=True,
    metavar="NAME",
    help="Only this tier, or this named set, such as easy@20; can be given several times.",
)
@click.option("--long", is_flag=True, help="With category, title and number of assertions.")
@click.option(
    "--freeze",
    type=FILE,
    metavar="FILE",
    help="Store the tasks as a selection, for 'score --selection', before projects are made.",
)
@dataset_option
@json_option
@click.pass_obj
def list_tasks(
    catalog: Catalog,
    subsets: tuple[str, ...],
    long: bool,
    freeze: Path | None,
    dataset_path: Path | None,
    as_json: bool,
) -> None:
    """List task ids, one a line."""
    held = list(datasets(catalog, dataset_path))
    known = dict.fromkeys(n for d in held for n in (*d.manifest.totals, *d.manifest.sets))
    for name in subsets:
        if name not in known:
            raise UnknownNameError("subset", name, known)
    inside = [d for d in held if not subsets or _own(d, subsets)]
    if freeze:
        _freeze(inside, subsets, freeze)
    if as_json:
        console.emit_json([_facts(task) for d in inside for task in _tasks(d, subsets)])
    elif long:
        _show_table([task for d in inside for task in _tasks(d, subsets)])
    else:
        for dataset in inside:
            console.say("\n".join(_members(dataset, subsets)))


def _own(dataset: Dataset, subsets: tuple[str, ...]) -> list[str]:
    """Those of the subsets that a dataset has."""
    return [
        one for one in subsets if one in dataset.manifest.totals or one in dataset.manifest.sets
    ]


def _members(dataset: Dataset, subsets: tuple[str, ...]) -> tuple[str, ...]:
    """Ids of the tasks of all subsets together, each once, in the order of the dataset."""
    every = dataset.manifest.members()
    if not subsets:
        return every
    chosen = {t for name in _own(dataset, subsets) for t in dataset.manifest.members(name)}
    return tuple(task for task in every if task in chosen)


def _tasks(dataset: Dataset, subsets: tuple[str, ...]) -> list[Task]:
    """The same tasks themselves."""
    names: list[str | None] = [*_own(dataset, subsets)] or [None]
    found = {task.task_id: task for name in names for task in dataset.tasks(name)}
    return [found[task_id] for task_id in _members(dataset, subsets)]


def _freeze(inside: list[Dataset], subsets: tuple[str, ...], path: Path) -> None:
    """Store a selection; one that is there already stays, since projects may hang on it."""
    if path.exists():
        raise DeclarationError(f"{path}: exists; a frozen selection is never changed")
    if len(inside) != 1:
        names = ", ".join(d.manifest.dataset for d in inside) or "none"
        raise DeclarationError(f"--freeze needs one dataset, here are {names}; add --dataset PATH")
    selection = freeze_selection(inside[0].manifest, _members(inside[0], subsets))
    write_selection(selection, path)
    console.note(f"frozen: {path}")


def _facts(task: Task) -> dict[str, str | int]:
    return {
        "task_id": task.task_id,
        "subset": task.subset,
        "family": task.family,
        "category": task.category,
        "title": task.title,
        "scenarios": task.scenarios,
        "assertions": task.assertions,
    }


def _show_table(tasks: list[Task]) -> None:
    console.table(
        ("task", "category", "title", "scenarios", "assertions"),
        [
            (t.task_id, t.category, t.title, str(len(t.acceptance_tests)), str(t.assertions))
            for t in tasks
        ],
        right="scenarios,assertions",
    )
