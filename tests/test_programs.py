"""Real external programs, with a provider that drives their own tools to hand in a reference.

The session ``programs`` builds their toolchains, each into a folder of its own below the one that
``KCB_PROGRAMS`` names.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from kcb_agents.command.declaration import find_declaration
from kcb_agents.testing.provider import Provider
from kcb_agents.toolchain.pins import read_pins
from kcb_core import cli
from kcb_core.catalog import load_catalog, open_source
from kcb_core.dataset import open_dataset
from kcb_core.transcript import Outcome
from kcb_core.transcript_file import read_transcript
from kcb_references.export import project_files
from presets.asked import deviations, effort_of
from presets.driving import COMMANDING, PRINTED, PROGRAMS
from presets.playing import OWN, easy_tasks, play

TASK = "kcb-easy-001-word-frequency"

KEY = "sk-planted-0123456789abcdef"

pytestmark = pytest.mark.programs


def reference() -> dict[str, str]:
    """The files of the program that is known to be right."""
    catalog = load_catalog()
    task = open_dataset(open_source(catalog, "kcb").folder).task(TASK)
    found = {each.family: each for each in catalog.references()}
    return project_files("easy", found[f"kcb/{task.family}"].domain.read_text())


def toolchain(name: str) -> Path:
    """Where a program is installed."""
    folder = Path(os.environ.get("KCB_PROGRAMS", "/nonexistent")) / name
    if not folder.is_dir():
        pytest.skip(f"{name} is not installed below KCB_PROGRAMS; see nox -s programs")
    return folder


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_real_program_hands_in_a_working_project(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it is, confined and metered: it knows neither the key nor the endpoint."""
    monkeypatch.setenv("KCB_TEST_KEY", KEY)
    files, output = reference(), tmp_path / "projects"
    provider = Provider()
    provider.answers += PROGRAMS[name](files)
    expected = len(provider.answers)
    with provider.serving():
        words = ["generate", TASK, "--agent", "command", "--output", str(output)]
        words += ["--base-url", provider.url, "--model", "scripted", "--api", "openai"]
        words += ["--api-key-env", "KCB_TEST_KEY", "--agent-option", f"program={name}"]
        words += ["--agent-option", f"toolchain={toolchain(name)}"]
        words += ["--agent-option", "seconds=300"]
        status = cli.run(words)
    record = json.loads((output / ".generation" / f"{TASK}.json").read_bytes())
    transcript = read_transcript(output / ".generation" / record["transcript"]["file"])
    (outcome,) = (e.event for e in transcript.entries if isinstance(e.event, Outcome))
    said = transcript.stream(outcome.stdout).decode(errors="replace")
    assert (status, record["stop_reason"]) == (0, "done"), said
    assert handed_in(output / TASK) == files
    assert len(provider.requests) == expected == record["totals"]["turns"]
    assert all(KEY in json.dumps(headers) for headers in provider.headers)
    assert not web_tools(provider.requests)
    assert set(map(effort_of, provider.requests)) == {find_declaration(name).effort}
    assert PRINTED in json.dumps(provider.requests[-1]) or name not in COMMANDING
    assert record["usage"]["input_tokens"] > 0
    assert "usage_complete" not in record["totals"]
    assert record["run_record"]["toolchain_sha256"] == read_pins()[name]
    held = b"".join(path.read_bytes() for path in output.rglob("*") if path.is_file())
    assert KEY.encode() not in held
    judge(output, tmp_path / "reports")


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_preset_differs_from_the_programs_own_defaults_as_it_says(
    name: str, tmp_path: Path
) -> None:
    """Both ask the proxy, and are answered alike; ``python -m presets`` prints the table."""
    tools, tasks = toolchain(name), easy_tasks(1)
    own = play(str(OWN / f"{name}.toml"), tools, tasks, tmp_path / "own")
    preset = play(name, tools, tasks, tmp_path / "preset")
    assert deviations(own.asked, preset.asked) == find_declaration(name).deviations


def handed_in(project: Path) -> dict[str, str]:
    """The files of a project, without what a program keeps for itself."""
    return {
        path.relative_to(project).as_posix(): path.read_text()
        for path in project.rglob("*")
        if path.is_file() and not path.relative_to(project).parts[0].startswith(".")
    }


def web_tools(requests: list[dict[str, Any]]) -> set[str]:
    """Tools for the web that the provider was offered."""
    tools = [tool for each in requests for tool in each.get("tools", ())]
    offered = {tool.get("function", tool)["name"] for tool in tools}
    return {name for name in offered if "web" in name.lower()}


def judge(projects: Path, reports: Path) -> None:
    """Evaluate what was handed in: it is resolved."""
    assert cli.run(["evaluate", "--all", str(projects), "--output", str(reports)]) == 0
    (report,) = (json.loads(path.read_bytes()) for path in reports.glob("*.json"))
    assert report["outcome"] == "resolved"
