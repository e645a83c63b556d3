"""Options and arguments that several commands share, and how they find a task."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import click

from kcb_core.catalog import Catalog, open_source
from kcb_core.dataset import Dataset, open_dataset
from kcb_core.errors import UnknownNameError
from kcb_core.ids import TaskId
from kcb_core.task import Task

F = TypeVar("F", bound=Callable[..., Any])

FILE = click.Path(path_type=Path)


def dataset_option(command: F) -> F:
    """``--dataset PATH``: a dataset that no installed distribution holds."""
    return click.option(
        "--dataset",
        "dataset_path",
        type=FILE,
        metavar="PATH",
        help="A dataset: its folder, its manifest.json or one of its files. "
        "Default: the installed datasets.",
    )(command)


def json_option(command: F) -> F:
    """``--json``: the same result for programs."""
    return click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")(
        command
    )


def datasets(catalog: Catalog, path: Path | None) -> Iterator[Dataset]:
    """The dataset at a path, or every installed one if there is none."""
    if path is not None:
        yield open_dataset(path)
        return
    for source in catalog.dataset_sources():
        yield open_dataset(source.folder)


def find_task(catalog: Catalog, task_id: str, path: Path | None) -> tuple[Task, Dataset]:
    """The task of this name, and the dataset that holds it.

    Raises:
        DeclarationError: the name is no task id, or nothing holds it.
    """
    parsed = TaskId.parse(task_id)
    if path is not None:
        dataset = open_dataset(path)
    else:
        dataset = open_dataset(open_source(catalog, parsed.dataset).folder)
    if dataset.manifest.dataset != parsed.dataset:
        raise UnknownNameError("task", task_id, dataset.task_ids)
    return dataset.task(task_id), dataset
