"""Every kind of agent from prompt to verdict, with a provider that hands in the references.

What is shown is the way, and no model: where the program is right, no agent may lose a line of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kcb_agents.endpoint.conversation import ToolCall
from kcb_agents.testing.provider import Provider
from kcb_agents.testing.scripted_answer import Said
from kcb_core import cli
from kcb_core.catalog import load_catalog, open_source
from kcb_core.dataset import open_dataset
from kcb_core.task import Task
from kcb_references.export import project_files

KINDS = ("one-shot", "action-loop", "coding", "command", "replay")
SAMPLE = ("kcb-easy-001-word-frequency", "kcb-easy-033-loan-amortization")


PROGRAM = """
import json, os, sys, urllib.request

body = {"model": os.environ["OPENAI_MODEL"], "messages": [{"role": "user", "content": "Go on."}]}
key = {"Authorization": "Bearer " + os.environ["OPENAI_API_KEY"]}
url = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
request = urllib.request.Request(url, json.dumps(body).encode(), key)
answer = json.load(urllib.request.urlopen(request, timeout=60))
for path, text in json.loads(answer["choices"][0]["message"]["content"]).items():
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
"""
"""An external program that writes the files which its model gives as JSON."""


def handed_in(kind: str, files: dict[str, str]) -> Iterator[Said]:
    """What a model says that hands in these files through an agent of a kind."""
    if kind == "one-shot":
        blocks = [f"### {path}\n````python\n{text}````\n" for path, text in files.items()]
        yield Said(content="\n".join(blocks))
    elif kind == "coding":
        calls = [
            ToolCall(
                id=f"c{number}",
                name="Write",
                arguments=json.dumps({"file_path": path, "content": text}),
            )
            for number, (path, text) in enumerate(files.items())
        ]
        yield Said(calls=tuple(calls), finish="tool_calls")
        yield Said(content="Complete.")
    elif kind == "command":
        yield Said(content=json.dumps(files))
    else:
        for action in actions(files):
            yield Said(content=json.dumps(action))


def actions(files: dict[str, str]) -> list[dict[str, Any]]:
    """The same as command lines, each of a length that an agent may send."""
    commands = [f"cat > {path} <<'KCB_END'\n{text}KCB_END\n" for path, text in files.items()]
    return [*({"command": c, "done": False} for c in commands), {"done": True}]


def write_script(path: Path, files: dict[str, str]) -> None:
    """The same as a trajectory to be replayed."""
    script = {"kind": "replay", "format": 1, "agent": "action-loop", "actions": actions(files)}
    path.write_text(json.dumps(script))


def easy_tasks() -> list[Task]:
    """All tasks of the easy tier."""
    dataset = open_dataset(open_source(load_catalog(), "kcb").folder)
    return list(dataset.tasks("easy"))


@cache
def domains() -> dict[str, Path]:
    """The known-good answers by family."""
    return {each.family: each.domain for each in load_catalog().references()}


def reference(task: Task) -> dict[str, str]:
    """The files of the program that is known to be right."""
    return project_files("easy", domains()[f"kcb/{task.family}"].read_text())


def hand_in_and_judge(kind: str, tasks: list[Task], folder: Path) -> None:
    """Have an agent write the projects of some tasks, and judge them: all are resolved."""
    wanted = {task.task_id: reference(task) for task in tasks}
    words = ["generate", *wanted, "--agent", kind, "--output", str(folder / "projects")]
    provider = Provider()
    if kind == "replay":
        for task_id, files in wanted.items():
            write_script(folder / f"{task_id}.json", files)
        words += ["--agent-option", f"script={folder}"]
    if kind == "command":
        (folder / "tools").mkdir()
        (folder / "tools/program.py").write_text(PROGRAM)
        words += ["--agent-option", "argv={python} {toolchain}/program.py"]
        words += ["--agent-option", f"toolchain={folder / 'tools'}"]
    with provider.serving():
        if kind != "replay":
            provider.answers += [s for files in wanted.values() for s in handed_in(kind, files)]
            words += ["--base-url", provider.url, "--model", "scripted", "--api", "openai"]
        assert cli.run(words) == 0
    for task_id, files in wanted.items():
        project = folder / "projects" / task_id
        assert {path.name: path.read_text() for path in project.iterdir()} == files
    judged = ["evaluate", "--all", str(folder / "projects"), "--output", str(folder / "reports")]
    assert cli.run(judged) == 0
    reports = [json.loads(path.read_bytes()) for path in (folder / "reports").glob("*.json")]
    assert sorted(report["task_id"] for report in reports) == sorted(wanted)
    assert {report["outcome"] for report in reports} == {"resolved"}


@pytest.mark.flow
@pytest.mark.parametrize("kind", KINDS)
def test_a_sample_of_tasks_is_resolved_by_every_kind_of_agent(kind: str, tmp_path: Path) -> None:
    """Two tasks show the way; the session ``subjects`` plays all of the tier."""
    tasks = [task for task in easy_tasks() if task.task_id in SAMPLE]
    assert len(tasks) == len(SAMPLE)
    hand_in_and_judge(kind, tasks, tmp_path)


@pytest.mark.subjects
@pytest.mark.parametrize("kind", KINDS)
def test_all_easy_tasks_are_resolved_by_every_kind_of_agent(kind: str, tmp_path: Path) -> None:
    """Whatever is in a program comes through: quotes, backslashes, any Unicode."""
    hand_in_and_judge(kind, easy_tasks(), tmp_path)
