"""``klein-bench clean``: remove what evaluators that were killed have left."""

from __future__ import annotations

import click

from kcb_core import console
from kcb_core.commands.options import json_option
from kcb_core.errors import ExitStatus, MachineError
from kcb_runner.launch.abandoned import abandoned_containers
from kcb_runner.launch.leftovers import left_behind, remove_left_behind


@click.command()
@click.option("--dry-run", is_flag=True, help="Name what would be removed, and remove nothing.")
@json_option
def clean(dry_run: bool, as_json: bool) -> int:
    """Remove the folders in /dev/shm and the temporary folder that dead evaluators left, and the
    containers.

    An evaluator removes its own when it ends; one that was killed cannot. Those of evaluators that
    are alive are let be.
    """
    folders, failed = (list(left_behind()), []) if dry_run else remove_left_behind()
    containers, refused = _containers(dry_run)
    if as_json:
        console.emit_json([*map(str, folders), *containers])
    else:
        for left in (*folders, *containers):
            console.say(str(left))
        count = f"{len(folders)} folders and {len(containers)} containers"
        console.note(f"{count} {'would be ' if dry_run else ''}removed")
    for line in (*failed, *refused):
        console.fail(line)
    return ExitStatus.MACHINERY if failed or refused else ExitStatus.DONE


def _containers(dry_run: bool) -> tuple[list[str], list[str]]:
    """Names of the containers that are gone, or would be, and one line for what was not done."""
    names: list[str] = []
    try:
        for container in abandoned_containers():
            if not dry_run:
                container.remove()
            names.append(container.name)
    except MachineError as error:
        return names, [str(error)]
    return names, []
