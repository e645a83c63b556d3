"""The executor that every machine has keeps what every executor keeps."""

from pathlib import Path
from typing import Any

import pytest

from kcb_agents.command.command_agent import CommandAgent
from kcb_core.errors import DeclarationError
from kcb_core.execution import Casting, Setup
from kcb_experiments.engine.process_executor import ProcessExecutor
from kcb_experiments.testing.executor_conformance import ExecutorConformance

pytestmark = pytest.mark.workspace


class TestConformance(ExecutorConformance):
    """What every executor keeps."""

    executor = ProcessExecutor()


class TestPinnedPrograms:
    """What a subject's program is made of is looked at before the first cell."""

    def preflight(self, **options: str) -> None:
        """Open the executor for one subject, a preset of kcb-agents, and see whether it can run."""
        tasks: Any = None  # nothing here asks for any
        settings = {"check_endpoints": False}
        subject = Casting(subject="mini", agent="command", options=options)
        given = Setup(tasks=tasks, settings=settings, agents=(CommandAgent(),))
        with ProcessExecutor().open(given) as found:
            found.preflight([subject], "Write a program.")

    def test_a_toolchain_that_is_not_the_pinned_one_is_refused(self, tmp_path: Path) -> None:
        """By subject and file, and nothing is started."""
        (tmp_path / "checksums.sha256").write_text("")
        with pytest.raises(DeclarationError, match=r"subject 'mini': .* its fingerprint is"):
            self.preflight(program="mini-swe-agent", toolchain=str(tmp_path))

    def test_a_folder_that_is_no_toolchain_is_refused_if_it_must_be_one(
        self, tmp_path: Path
    ) -> None:
        """Else it is run as it is, and the record says so."""
        self.preflight(program="mini-swe-agent", toolchain=str(tmp_path))
        with pytest.raises(DeclarationError, match=r"checksums\.sha256: is missing"):
            self.preflight(program="mini-swe-agent", toolchain=str(tmp_path), verify="manifest")
