"""``klein-bench list``: the tasks of a dataset."""

from __future__ import annotations

from pathlib import Path

import click

from kcb_core import console
from kcb_core.catalog import Catalog
from kcb_core.commands.options import dataset_option, datasets, json_option
from kcb_core.errors import UnknownNameError


@click.command("list")
@click.option("--subset", metavar="TIER", help="Only the tasks of this tier.")
@click.option("--long", is_flag=True, help="With category, title and number of assertions.")
@dataset_option
@json_option
@click.pass_obj
def list_tasks(
    catalog: Catalog, subset: str | None, long: bool, dataset_path: Path | None, as_json: bool
) -> None:
    """List task ids, one a line."""
    held = list(datasets(catalog, dataset_path))
    tiers = [tier for dataset in held for tier in dataset.manifest.totals]
    if subset is not None and subset not in tiers:
        raise UnknownNameError("subset", subset, dict.fromkeys(tiers))
    inside = [d for d in held if subset in (None, *d.manifest.totals)]
    if not (long or as_json):
        for dataset in inside:
            for file in dataset.manifest.files:
                if subset in (None, file.subset):
                    console.say("\n".join(file.tasks))
        return
    tasks = [task for dataset in inside for task in dataset.tasks(subset)]
    if as_json:
        console.emit_json(
            [
                {
                    "task_id": task.task_id,
                    "subset": task.subset,
                    "family": task.family,
                    "category": task.category,
                    "title": task.title,
                    "scenarios": len(task.acceptance_tests),
                    "assertions": task.assertions,
                }
                for task in tasks
            ]
        )
        return
    console.table(
        ("task", "category", "title", "scenarios", "assertions"),
        [
            (t.task_id, t.category, t.title, str(len(t.acceptance_tests)), str(t.assertions))
            for t in tasks
        ],
        right="scenarios,assertions",
    )
