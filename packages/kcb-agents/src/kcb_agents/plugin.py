"""The entry point of kcb-agents: its agents and the command ``generate``."""

from __future__ import annotations

from collections.abc import Iterable

from kcb_core import hookimpl
from kcb_core.roles import Agent, Command


@hookimpl
def kcb_register_agents() -> Iterable[Agent]:
    """The built-in agents."""
    # An HTTP client is heavy, and every command loads every plug-in.
    from kcb_agents.one_shot import OneShot  # noqa: PLC0415

    return (OneShot(),)


@hookimpl
def kcb_register_commands() -> Iterable[Command]:
    """The command that asks an agent for projects."""
    return (
        Command(
            name="generate",
            summary="Let a model write projects.",
            target="kcb_agents.cli:generate",
        ),
    )
