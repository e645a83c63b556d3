"""``klein-bench suite``: one subcommand for each step around a suite."""

from __future__ import annotations

import click

from kcb_core.cli import Subcommands
from kcb_core.roles import Command

_HERE = "kcb_suites.commands"

SUBCOMMANDS = (
    Command(
        name="list",
        summary="List the suites that are installed.",
        target=f"{_HERE}.suites_command:list_",
    ),
    Command(
        name="show",
        summary="Show what a task asks of an agent.",
        target=f"{_HERE}.task_command:show",
    ),
    Command(
        name="run",
        summary="Let an agent work on a suite, grade, score, and leave a page.",
        target=f"{_HERE}.run_command:run",
    ),
    Command(
        name="check",
        summary="Prove every task: untouched fails, the solution passes, cheats fail.",
        target=f"{_HERE}.check_command:check",
    ),
    Command(
        name="vendor",
        summary="Give each grader its copy of the common steps.",
        target=f"{_HERE}.vendor_command:vendor",
    ),
    Command(
        name="import",
        summary="Look over a tree that somebody else wrote, and install it.",
        target=f"{_HERE}.import_command:import_",
    ),
)


@click.group(cls=Subcommands, subcommands=SUBCOMMANDS)
def suite() -> None:
    """Work with tasks that start from a repository and end at a hidden grader."""
