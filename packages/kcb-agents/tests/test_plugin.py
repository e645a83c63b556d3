"""What this package brings, and what it must not know."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import kcb_agents
from kcb_agents import plugin
from kcb_agents.coding.profile import SYSTEM
from kcb_agents.preamble import ACTION_LOOP, ONE_SHOT, Preamble
from kcb_core.catalog import load_catalog
from kcb_core.roles import Agent

SOURCE = Path(kcb_agents.__file__).parent


def test_kcb_register_agents_brings_every_kind() -> None:
    """By the hook that a stranger's agent would use."""
    agents = load_catalog([("agents", plugin)]).agents()
    assert all(isinstance(agent, Agent) for agent in agents)
    assert [(agent.name, agent.version, agent.asks_model) for agent in agents] == [
        ("action-loop", "1", True),
        ("coding", "1", True),
        ("command", "1", True),
        ("one-shot", "1", True),
        ("replay", "1", False),
        ("snippet", "1", False),
    ]


def test_kcb_register_commands_brings_generate_and_agents() -> None:
    """And nothing that a later version will bring."""
    commands = load_catalog([("agents", plugin)]).commands()
    assert [command.name for command in commands] == ["agents", "generate"]


def test_the_plug_in_is_cheap_to_load() -> None:
    """Every command loads it, and an HTTP client takes its time."""
    program = "import sys, kcb_agents.plugin; sys.exit('httpx' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def imports(path: Path) -> set[str]:
    """The modules that a file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def test_no_module_can_reach_acceptance_data() -> None:
    """An agent that could import the answers would sooner or later show them to a model.

    Of the runner only what confines commands and takes files is known, and nothing that judges.
    """
    imported = {name for path in SOURCE.rglob("*.py") for name in imports(path)}
    own = {name for name in imported if name.startswith("kcb")}
    assert {name.partition(".")[0] for name in own} == {"kcb_agents", "kcb_core", "kcb_runner"}
    assert {name for name in own if name.startswith("kcb_runner")} == {
        "kcb_runner.launch.leftovers",
        "kcb_runner.machine",
        "kcb_runner.sandbox",
        "kcb_runner.snapshot",
        "kcb_runner.tree",
    }


def test_only_what_reads_the_command_line_knows_tasks() -> None:
    """Behind it a task is an id and a prompt, and its tests are out of reach."""
    knowing = {
        path.name
        for path in SOURCE.rglob("*.py")
        if "kcb_core.task" in path.read_text() or "kcb_core.dataset" in path.read_text()
    }
    assert knowing == {"wish.py"}


PREAMBLES = {
    ("one-shot", "1"): "e180911cc58053801e0ee9f7e2a63e8a542ac0bdb4b7c75c20896761bf4e2e7c",
    ("action-loop", "1"): "20badbf6933270faf57187a9b3cc8a14e73d489a7002dd9040d65530b5852a76",
}


@pytest.mark.parametrize("preamble", [ONE_SHOT, ACTION_LOOP], ids=lambda found: found.name)
def test_a_preamble_changes_only_with_its_version(preamble: Preamble) -> None:
    """Projects that were made with two texts would otherwise pass for one subject's."""
    assert preamble.stamp.sha256 == PREAMBLES[preamble.name, preamble.version]


@pytest.mark.parametrize("text", [ONE_SHOT.text, ACTION_LOOP.text, SYSTEM])
def test_no_preamble_holds_anything_of_a_check(text: str) -> None:
    """It is the form of an answer, and the same for every task."""
    assert not {"test", "tests", "score", "judge", "kcb", "scenario"} & set(text.lower().split())
