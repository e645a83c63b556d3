"""``klein-bench drill``: batteries of drills, from their declarations to trial reports."""

from __future__ import annotations

import click

from kcb_core.cli import Subcommands
from kcb_core.roles import Command

_HERE = "kcb_suites.drills"

SUBCOMMANDS = (
    Command(
        name="list",
        summary="List batteries and their drills.",
        target=f"{_HERE}.drill_list_command:list_drills",
    ),
    Command(
        name="check",
        summary="Check that batteries are sound, their tools start, and their checks can fail.",
        target=f"{_HERE}.drill_check_command:check",
    ),
    Command(
        name="run",
        summary="Run a battery at one level, and leave trial reports.",
        target=f"{_HERE}.drill_run_command:run",
    ),
)


@click.group(cls=Subcommands, subcommands=SUBCOMMANDS)
def drill() -> None:
    """Put agents into situations that go wrong, and see what comes of it."""
