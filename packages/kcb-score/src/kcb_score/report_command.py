"""``klein-bench report``: what many reports come to, one subcommand for each way to look at them.

A subcommand's module is imported only when it is called, since some need libraries of an extra.
"""

from __future__ import annotations

import click

from kcb_core.cli import Subcommands
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


@click.group(cls=Subcommands, subcommands=SUBCOMMANDS)
def report() -> None:
    """Look at many reports together."""
