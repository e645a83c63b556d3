"""The program of the page on agents of one's own, as a reader would copy it."""

import json
import re
from pathlib import Path

import pytest

from kcb_agents.testing.provider import Provider
from kcb_core import cli

PAGE = Path(__file__).parent.parent / "docs/how-to/bring-your-own-agent.md"

TASK = "kcb-easy-001-word-frequency"


@pytest.mark.flow
def test_the_program_in_ten_lines_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both files are taken from the page, with the options that it names."""
    pattern = r'^```\w+ title="([^"]+)"\n(.*?)^```$'
    for name, text in re.findall(pattern, PAGE.read_text(), re.MULTILINE | re.DOTALL):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
        assert len([line for line in text.splitlines() if line]) <= 10
    monkeypatch.chdir(tmp_path)
    options = re.findall(r"--agent-option (\w+=tools\S*)", PAGE.read_text())[:2]
    assert options == ["program=tools/agent.toml", "toolchain=tools"]
    provider = Provider()
    provider.says("print('hello')\n")
    with provider.serving():
        words = ["generate", TASK, "--agent", "command", "--output", "projects"]
        words += [word for option in options for word in ("--agent-option", option)]
        words += ["--base-url", provider.url, "--model", "scripted"]
        assert cli.run(words) == 0
    record = json.loads((tmp_path / "projects/.generation" / f"{TASK}.json").read_bytes())
    assert (record["stop_reason"], record["program"]["name"]) == ("done", "my-agent")
    assert (tmp_path / "projects" / TASK / "main.py").read_text() == "print('hello')\n"
