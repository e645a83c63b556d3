"""What kcb-runner brings: its launchers, ``evaluate``, and its questions for ``doctor``."""

from __future__ import annotations

from collections.abc import Iterable

from kcb_core import hookimpl
from kcb_core.health import HealthCheck
from kcb_core.roles import Command, Launcher
from kcb_runner.checkup import probe_check, tmpfs_check
from kcb_runner.launch.forkserver import ForkserverLauncher
from kcb_runner.launch.interpreter import InterpreterLauncher


@hookimpl
def kcb_register_launchers() -> Iterable[Launcher]:
    """A new interpreter for each session, or a quicker way to the same verdict."""
    return (InterpreterLauncher(), ForkserverLauncher())


@hookimpl
def kcb_register_health_checks() -> Iterable[HealthCheck]:
    """Whether this machine can judge at all, and how fast."""
    return (
        HealthCheck(name="runner.probe", check=probe_check),
        HealthCheck(name="runner.scratch", check=tmpfs_check),
    )


@hookimpl
def kcb_register_commands() -> Iterable[Command]:
    """The commands that judge."""
    summary = "Judge a project, or a folder of projects."
    return (Command(name="evaluate", summary=summary, target="kcb_runner.cli:evaluate"),)
