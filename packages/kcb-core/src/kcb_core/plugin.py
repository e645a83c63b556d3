"""What kcb-core itself brings: the commands that need no other package."""

from __future__ import annotations

from collections.abc import Iterable

from kcb_core import hookimpl
from kcb_core.roles import Command

_HERE = "kcb_core.commands"


@hookimpl
def kcb_register_commands() -> Iterable[Command]:
    """The commands over datasets, reports, plug-ins and this machine."""
    return (
        Command(name="list", summary="List tasks.", target=f"{_HERE}.list:list_tasks"),
        Command(
            name="show", summary="Show a task or a report file.", target=f"{_HERE}.show:show"
        ),
        Command(
            name="prepare",
            summary="Make a workspace: the prompt and an empty project folder.",
            target=f"{_HERE}.prepare:prepare",
        ),
        Command(
            name="plugins", summary="List plug-ins, broken ones too.",
            target=f"{_HERE}.plugins:plugins",
        ),
        Command(
            name="doctor", summary="Check this machine.", target=f"{_HERE}.doctor:doctor"
        ),
    )  # fmt: skip
