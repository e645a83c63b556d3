"""What a worker in a container can import: its own packages, and none that hold answers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kcb_core.errors import DeclarationError
from kcb_experiments.engine.provisions import closure, plain_name, provide

pytestmark = pytest.mark.workspace


def test_a_worker_runs_on_what_is_provided_and_nothing_else(tmp_path: Path) -> None:
    """Its modules load, its plug-ins are found, and neither tests nor solutions are there."""
    provide(["kcb_agents.one_shot"], tmp_path / "packages")
    program = """
import importlib.util, kcb_experiments.engine.worker
from kcb_core.catalog import load_catalog
catalog = load_catalog()
print(sorted(agent.name for agent in catalog.agents()), catalog.failures)
names = ("kcb_tasks", "kcb_references", "kcb_suites", "kcb_score", "pytest")
print([name for name in names if importlib.util.find_spec(name)])
"""
    base = os.path.realpath(sys.executable)
    done = subprocess.run(
        [base, "-P", "-s", "-S", "-c", program],
        env={"PYTHONPATH": str(tmp_path / "packages")},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    agents, answers = done.stdout.splitlines()
    assert "'one-shot'" in agents
    assert agents.endswith("()")
    assert answers == "[]"


def test_everybody_may_read_what_is_provided(tmp_path: Path) -> None:
    """A worker's user is nobody on this machine."""
    provide(["kcb_agents.one_shot"], tmp_path / "packages")
    modes = {path.stat().st_mode & 0o777 for path in (tmp_path / "packages").rglob("*")}
    assert modes == {0o755, 0o644}


def test_an_agent_that_needs_answers_is_refused(tmp_path: Path) -> None:
    """Its subject could read them."""
    with pytest.raises(DeclarationError, match="kcb-references, which holds answers"):
        provide(["kcb_references.plugin"], tmp_path / "packages")


def test_an_agent_of_no_plug_in_is_refused(tmp_path: Path) -> None:
    """Nobody would find it in there."""
    with pytest.raises(DeclarationError, match="no installed plug-in has the agent in nowhere"):
        provide(["nowhere.agent"], tmp_path / "packages")


def test_a_closure_holds_what_is_needed_and_no_extras() -> None:
    """Extras are for other purposes, unless somebody asks for them."""
    found = closure(["kcb-core"])
    assert {"kcb-core", "pluggy", "msgspec", "click"} <= found
    assert "pytest" not in found
    assert plain_name("Rich_Click") == "rich-click"
