"""``klein-bench report``: what many reports come to, one subcommand for each way to look at them.

A subcommand's module is imported only when it is called, since some need libraries of an extra.
"""

from __future__ import annotations

import click

from kcb_core.cli import load_command
from kcb_core.errors import UnknownNameError
from kcb_core.roles import Command

_HERE = "kcb_score.trials"

SUBCOMMANDS = (
    Command(
        name="html",
        summary="Write a page on a run or a comparison.",
        target="kcb_score.page.html_command:html",
    ),
    Command(
        name="aggregate",
        summary="Count trial reports by tool, drill and model.",
        target=f"{_HERE}.aggregate_command:aggregate",
    ),
    Command(
        name="route",
        summary="Turn tool faults into ticket drafts, and agent faults into work on channels.",
        target=f"{_HERE}.route_command:route",
    ),
    Command(
        name="stale",
        summary="List checks that have never failed, and whether somebody has decided on them.",
        target=f"{_HERE}.stale_command:stale",
    ),
)


class _Subcommands(click.Group):
    """Commands that are known by name and one line until they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [command.name for command in SUBCOMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """What help shows of a command, without importing it."""
        for command in SUBCOMMANDS:
            if command.name == cmd_name:
                return click.Command(command.name, help=command.summary)
        return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is called, imported now."""
        if args[0].startswith("-"):
            return super().resolve_command(ctx, args)
        by_name = {command.name: command for command in SUBCOMMANDS}
        if args[0] not in by_name:
            raise UnknownNameError("command", f"report {args[0]}", [f"report {n}" for n in by_name])
        return args[0], load_command(by_name[args[0]]), args[1:]


@click.command(cls=_Subcommands)
def report() -> None:
    """Look at many reports together."""
