"""``klein-bench prepare``: a workspace for whoever writes the program."""

from __future__ import annotations

from pathlib import Path

import click

from kcb_core import console
from kcb_core.catalog import Catalog
from kcb_core.commands.options import FILE, dataset_option, find_task
from kcb_core.workspace import PROJECT_NAME, PROMPT_NAME, lay_out


@click.command()
@click.argument("task_id")
@click.option("-o", "--output", type=FILE, required=True, help="A new or an empty folder.")
@dataset_option
@click.pass_obj
def prepare(catalog: Catalog, task_id: str, output: Path, dataset_path: Path | None) -> None:
    """Make a workspace for TASK_ID: exactly PROMPT.md and an empty project folder."""
    task, _ = find_task(catalog, task_id, dataset_path)
    lay_out(task, output)
    console.say(f"{output / PROMPT_NAME}\n{output / PROJECT_NAME}")
