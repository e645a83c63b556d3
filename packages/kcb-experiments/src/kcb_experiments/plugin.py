"""What kcb-experiments brings: the commands around an experiment."""

from __future__ import annotations

from collections.abc import Iterable

from kcb_core import hookimpl
from kcb_core.roles import Command


@hookimpl
def kcb_register_commands() -> Iterable[Command]:
    """The group of commands that plan an experiment and look at it."""
    return (
        Command(
            name="experiment",
            summary="Compare agents: plan, follow, pair.",
            target="kcb_experiments.experiment_command:experiment",
        ),
    )
