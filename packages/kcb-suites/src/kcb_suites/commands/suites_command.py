"""``klein-bench suite list``: the suites that are there."""

from __future__ import annotations

import click

from kcb_core import console
from kcb_core.commands.options import json_option
from kcb_suites.commands.suite_options import suite_option
from kcb_suites.tree import Suite, find_suites, installed_trees, suites_of


@click.command("list")
@suite_option
@json_option
def list_(where: str, as_json: bool) -> None:
    """List the installed suites; with --suite, the tasks of these."""
    if where:
        _show_tasks(find_suites(where), as_json)
        return
    suites = [suite for tree in installed_trees() for suite in suites_of(tree)]
    if as_json:
        console.emit_json([_summary(suite) for suite in suites])
        return
    rows = [(s.manifest.id, s.manifest.kind, str(len(s.tasks)), s.manifest.title) for s in suites]
    console.table(("suite", "kind", "tasks", "title"), rows, right="tasks")


def _summary(suite: Suite) -> dict[str, object]:
    return {
        "id": suite.manifest.id,
        "kind": suite.manifest.kind,
        "title": suite.manifest.title,
        "tasks": [task.id for task in suite.tasks],
        "file": str(suite.file),
        "sha256": suite.sha256,
    }


def _show_tasks(suites: tuple[Suite, ...], as_json: bool) -> None:
    tasks = [task for suite in suites for task in suite.tasks]
    if as_json:
        console.emit_json(tasks)
        return
    rows = [
        (task.id, " ".join(task.tags), " ".join(task.runtimes), f"{task.bounds.turns}", task.title)
        for task in tasks
    ]
    console.table(("task", "tags", "runtimes", "turns", "title"), rows, right="turns")
