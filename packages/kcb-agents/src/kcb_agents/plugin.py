"""The entry point of kcb-agents: its agents, its commands, and what ``doctor`` asks."""

from __future__ import annotations

from collections.abc import Iterable

from kcb_core import hookimpl
from kcb_core.health import Health, HealthCheck
from kcb_core.roles import Agent, Command


@hookimpl
def kcb_register_agents() -> Iterable[Agent]:
    """The built-in agents."""
    # An HTTP client is heavy, and every command loads every plug-in.
    from kcb_agents.action_loop.loop_agent import ActionLoop  # noqa: PLC0415
    from kcb_agents.coding.coding_agent import Coding  # noqa: PLC0415
    from kcb_agents.command.command_agent import CommandAgent  # noqa: PLC0415
    from kcb_agents.one_shot import OneShot  # noqa: PLC0415
    from kcb_agents.replay.replay_agent import Replay  # noqa: PLC0415
    from kcb_agents.snippet import Snippet  # noqa: PLC0415

    return (OneShot(), ActionLoop(), Coding(), CommandAgent(), Replay(), Snippet())


@hookimpl
def kcb_register_commands() -> Iterable[Command]:
    """The command that asks an agent for projects, and the one that says who can be asked."""
    return (
        Command(
            name="generate",
            summary="Let a model write projects.",
            target="kcb_agents.cli:generate",
        ),
        Command(
            name="agents",
            summary="Look at what can be asked for projects, and build it.",
            target="kcb_agents.agents_cli:agents",
        ),
    )


@hookimpl
def kcb_register_health_checks() -> Iterable[HealthCheck]:
    """Whether a subject could be given a network here."""
    return (HealthCheck(name="agents.egress", check=_egress),)


def _egress() -> Health:
    from kcb_agents.egress.checkup import egress_check  # noqa: PLC0415 - as the agents

    return egress_check()
