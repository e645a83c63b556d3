"""``klein-bench experiment``: one subcommand for each step of an experiment."""

from __future__ import annotations

import click

from kcb_core.cli import Subcommands
from kcb_core.roles import Command

_HERE = "kcb_experiments.commands"

SUBCOMMANDS = (
    Command(
        name="new",
        summary="Write a commented example of a spec.",
        target=f"{_HERE}.new_command:new",
    ),
    Command(
        name="plan",
        summary="Show cells, upper bounds and what a spec can see, before anything is paid.",
        target=f"{_HERE}.plan_command:plan",
    ),
    Command(
        name="run",
        summary="Run a spec, or go on with what is missing.",
        target=f"{_HERE}.run_command:run",
    ),
    Command(
        name="stop",
        summary="End a run in order, as Ctrl-C in its terminal would.",
        target=f"{_HERE}.stop_command:stop",
    ),
    Command(
        name="regrade",
        summary="Judge stored projects again, without their subjects.",
        target=f"{_HERE}.regrade_command:regrade",
    ),
    Command(
        name="status",
        summary="Show where an experiment stands, also while it runs.",
        target=f"{_HERE}.status_command:status",
    ),
    Command(
        name="results",
        summary="Show what an experiment has come to.",
        target=f"{_HERE}.results_command:results",
    ),
    Command(
        name="page",
        summary="Write the page of an experiment, or of one that is repeated week by week.",
        target=f"{_HERE}.page_command:page",
    ),
    Command(
        name="pair",
        summary="Compare two arms on what both finished.",
        target=f"{_HERE}.pair_command:pair",
    ),
    Command(
        name="export",
        summary="Export tasks for another framework, such as Harbor.",
        target=f"{_HERE}.export_command:export",
    ),
)


@click.group(cls=Subcommands, subcommands=SUBCOMMANDS)
def experiment() -> None:
    """Compare agents over tasks and repetitions."""
