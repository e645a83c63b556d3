"""Every agent checks what it is told, and asks nobody."""

from pathlib import Path
from typing import Any

import pytest

from kcb_agents import plugin
from kcb_core.catalog import load_catalog
from kcb_core.errors import DeclarationError
from kcb_core.roles import CheckingAgent

AGENTS = {agent.name: agent for agent in load_catalog([("agents", plugin)]).agents()}
ENDPOINT = {"base_url": "http://127.0.0.1:1/v1", "model": "m"}
RIGHT: dict[str, dict[str, str]] = {
    "one-shot": {},
    "action-loop": {"turns": "9", "confine": "none"},
    "coding": {"route": "write-edit"},
    "command": {"program": "aider", "toolchain": "/nowhere"},
    "snippet": {"code": "pass"},
}


def agent(name: str) -> CheckingAgent:
    """The agent of a name, which can check."""
    found = AGENTS[name]
    assert isinstance(found, CheckingAgent)
    return found


def test_every_agent_can_check() -> None:
    """A new one that cannot would let its slips pass a plan."""
    assert [name for name, one in AGENTS.items() if not isinstance(one, CheckingAgent)] == []
    assert {*RIGHT, "replay"} == set(AGENTS)


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_passes_and_the_variable_of_the_key_is_told(name: str) -> None:
    """Nothing listens at the endpoint, and the variable is not set."""
    plain = agent(name).check_told(ENDPOINT, RIGHT[name], ["toy-1"])
    keyed = agent(name).check_told(ENDPOINT | {"api_key_env": "NO_KEY"}, RIGHT[name], ["toy-1"])
    if name == "snippet":
        assert plain.variables is None
    else:
        assert plain.variables == {"settings.api_key_env": ""}
        assert keyed.variables == {"settings.api_key_env": "NO_KEY"}
    assert plain.files == {}


@pytest.mark.parametrize("name", AGENTS)
def test_an_option_that_is_not_known_is_refused(name: str, tmp_path: Path) -> None:
    """By its name."""
    script = tmp_path / "one.toml"
    script.write_text('kind = "replay"\nformat = 1\nagent = "coding"\n[[replies]]\ncontent = ""\n')
    right = RIGHT.get(name, {"script": str(script)})
    with pytest.raises(DeclarationError, match="has no option 'max_turns'"):
        agent(name).check_told(ENDPOINT, right | {"max_turns": "8"}, ["toy-1"])


@pytest.mark.parametrize("name", [name for name, one in AGENTS.items() if one.asks_model])
@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"temprature": 0.2}, "did you mean 'temperature'"),
        ({"model": ""}, "field 'model' is empty"),
        ({"base_url": "ftp://a"}, "no HTTP URL"),
    ],
)
def test_a_wrong_setting_is_refused(name: str, changes: dict[str, Any], says: str) -> None:
    """With the field, by all that ask a model alike."""
    with pytest.raises(DeclarationError, match=says):
        agent(name).check_told(ENDPOINT | changes, RIGHT[name], ["toy-1"])
