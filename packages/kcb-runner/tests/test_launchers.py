"""Every launcher keeps what the driver relies on, at every level that this machine allows."""

from __future__ import annotations

import pytest

from kcb_core.errors import MachineError
from kcb_core.testing.launcher_conformance import LauncherConformance
from kcb_runner.launch.forkserver import ForkserverLauncher
from kcb_runner.launch.interpreter import InterpreterLauncher
from kcb_runner.machine import interpreter


class _Level(LauncherConformance):
    """A launcher at one level, skipped where this machine does not allow it."""

    python = interpreter()

    @pytest.fixture(autouse=True)
    def _allowed(self) -> None:
        try:
            assert self.launcher.confinement().level in type(self).__name__.lower()
        except MachineError as error:
            pytest.skip(str(error))


class TestInterpreterNone(_Level):
    """New programs, nothing confined."""

    launcher = InterpreterLauncher("none")


class TestInterpreterBasic(_Level):
    """New programs under Landlock and seccomp."""

    launcher = InterpreterLauncher("basic")


class TestInterpreterFull(_Level):
    """New programs in namespaces of their own."""

    launcher = InterpreterLauncher("full")


class TestForkserverNone(_Level):
    """Forks, nothing confined."""

    launcher = ForkserverLauncher("none")


class TestForkserverBasic(_Level):
    """Forks under Landlock and seccomp."""

    launcher = ForkserverLauncher("basic")


class TestForkserverFull(_Level):
    """Forks in namespaces of their own."""

    launcher = ForkserverLauncher("full")
