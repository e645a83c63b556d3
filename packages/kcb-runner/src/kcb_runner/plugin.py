"""What kcb-runner brings: launchers, runners, ``evaluate``, and its questions for ``doctor``."""

from __future__ import annotations

from collections.abc import Iterable

from kcb_core import hookimpl
from kcb_core.health import HealthCheck
from kcb_core.roles import Command, Launcher, Runner
from kcb_runner.checkup import (
    confinement_check,
    container_check,
    left_check,
    probe_check,
    tmpfs_check,
)
from kcb_runner.launch.container import ContainerLauncher
from kcb_runner.launch.forkserver import ForkserverLauncher
from kcb_runner.launch.interpreter import InterpreterLauncher
from kcb_runner.players import LocalRunner
from kcb_runner.remote.runner import RemoteRunner


@hookimpl
def kcb_register_launchers() -> Iterable[Launcher]:
    """A new interpreter for each session, a quicker way to the same verdict, or a container."""
    return (InterpreterLauncher(), ForkserverLauncher(), ContainerLauncher())


@hookimpl
def kcb_register_runners() -> Iterable[Runner]:
    """This machine, and a cluster; what the latter needs is imported when it is opened."""
    return (LocalRunner(), RemoteRunner())


@hookimpl
def kcb_register_health_checks() -> Iterable[HealthCheck]:
    """Whether this machine can judge at all, and how fast."""
    return (
        HealthCheck(name="runner.probe", check=probe_check),
        HealthCheck(name="runner.confinement", check=confinement_check),
        HealthCheck(name="runner.scratch", check=tmpfs_check),
        HealthCheck(name="runner.leftovers", check=left_check),
        HealthCheck(name="runner.container", check=container_check),
    )


@hookimpl
def kcb_register_commands() -> Iterable[Command]:
    """The commands that judge, that make images to judge in, and that clean up."""
    summary = "Judge a project, or a folder of projects."
    return (
        Command(name="evaluate", summary=summary, target="kcb_runner.cli:evaluate"),
        Command(
            name="image",
            summary="Make an image for the launcher 'container'.",
            target="kcb_runner.image_command:image",
        ),
        Command(
            name="clean",
            summary="Remove what killed evaluators have left.",
            target="kcb_runner.clean_cli:clean",
        ),
    )
