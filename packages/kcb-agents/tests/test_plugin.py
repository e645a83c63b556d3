"""What this package brings, and what it must not know."""

import ast
import subprocess
import sys
from pathlib import Path

import kcb_agents
from kcb_agents import plugin
from kcb_agents.preamble import ONE_SHOT
from kcb_core.catalog import load_catalog
from kcb_core.roles import Agent

SOURCE = Path(kcb_agents.__file__).parent


def test_kcb_register_agents_brings_one_shot() -> None:
    """By the hook that a stranger's agent would use."""
    (agent,) = load_catalog([("agents", plugin)]).agents()
    assert isinstance(agent, Agent)
    assert (agent.name, agent.version) == ("one-shot", "1")


def test_kcb_register_commands_brings_generate_and_agents() -> None:
    """And nothing that a later version will bring."""
    commands = load_catalog([("agents", plugin)]).commands()
    assert [command.name for command in commands] == ["agents", "generate"]


def test_the_plug_in_is_cheap_to_load() -> None:
    """Every command loads it, and an HTTP client takes its time."""
    program = "import sys, kcb_agents.plugin; sys.exit('httpx' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_no_module_can_reach_acceptance_data() -> None:
    """An agent that could import the answers would sooner or later show them to a model."""
    imported = {
        name.partition(".")[0]
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert {name for name in imported if name.startswith("kcb")} == {"kcb_agents", "kcb_core"}


def test_only_what_reads_the_command_line_knows_tasks() -> None:
    """Behind it a task is an id and a prompt, and its tests are out of reach."""
    knowing = {
        path.name
        for path in SOURCE.rglob("*.py")
        if "kcb_core.task" in path.read_text() or "kcb_core.dataset" in path.read_text()
    }
    assert knowing == {"wish.py"}


def test_a_preamble_changes_only_with_its_version() -> None:
    """Projects that were made with two texts would otherwise pass for one subject's."""
    stamps = {"1": "e180911cc58053801e0ee9f7e2a63e8a542ac0bdb4b7c75c20896761bf4e2e7c"}
    assert ONE_SHOT.stamp.sha256 == stamps[ONE_SHOT.version]


def test_the_preamble_holds_nothing_of_any_check() -> None:
    """It is the form of an answer, and the same for every task."""
    assert not {"test", "score", "judge", "kcb"} & set(ONE_SHOT.text.lower().split())
