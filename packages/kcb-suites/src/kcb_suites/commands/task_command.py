"""``klein-bench suite show``: what a task asks, and where an agent starts."""

from __future__ import annotations

from pathlib import Path

import click

from kcb_core import console
from kcb_core.commands.options import FILE, json_option
from kcb_core.errors import UnknownNameError
from kcb_suites.commands.suite_options import suite_option
from kcb_suites.fixture import make_workspace, read_tree
from kcb_suites.manifest import SuiteTask
from kcb_suites.tree import Suite, find_suites


@click.command()
@click.argument("task_id")
@suite_option
@click.option("-o", "--output", type=FILE, metavar="DIR", help="Make the workspace that an agent "
              "starts from: a new folder with a git repository.")  # fmt: skip
@json_option
def show(task_id: str, where: str, output: Path | None, as_json: bool) -> None:
    """Show the prompt, budget and files of TASK_ID."""
    suite, task = find_task(where, task_id)
    fixture = suite.fixture(task)
    if output:
        make_workspace(fixture, output, tree_sha256=task.fixture.tree_sha256)
        console.note(f"{output}: the workspace, with one commit")
    if as_json:
        console.emit_json(task)
        return
    budget = task.bounds
    console.say(f"{task.id}: {task.title}")
    console.say(f"tags {', '.join(task.tags)}; runtimes {', '.join(task.runtimes)}")
    console.say(f"budget {budget.turns} turns, ${budget.dollars:g}, {budget.seconds:g} s")
    console.say(f"\n{task.prompt}\n")
    for file in read_tree(fixture).files:
        console.say(f"{len(file.data):>7}  {file.path}")


def find_task(where: str, task_id: str) -> tuple[Suite, SuiteTask]:
    """The task of this id, and the first suite among those named that has it.

    Raises:
        UnknownNameError: none of them has it.
    """
    suites = find_suites(where)
    for suite in suites:
        for task in suite.tasks:
            if task.id == task_id:
                return suite, task
    known = [task.id for suite in suites for task in suite.tasks]
    raise UnknownNameError("task", task_id, known)
