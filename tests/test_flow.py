"""The main job from end to end, as a user runs it: list, prepare, evaluate, score."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from kcb_agents.endpoint.form import Ask
from kcb_agents.endpoint.forms import FORMS
from kcb_agents.one_shot import conversation
from kcb_agents.testing.provider import Provider
from kcb_agents.testing.scripted_answer import Said
from kcb_core.canary import CANARY_ID
from kcb_core.catalog import load_catalog, open_source
from kcb_core.codec import compact
from kcb_core.dataset import open_dataset
from kcb_core.task import line_of
from kcb_core.workspace import lay_out
from kcb_references.catalogue import solution

TASK = "kcb-easy-001-word-frequency"
pytestmark = pytest.mark.flow
DOORS = (
    [str(Path(sys.executable).with_name("klein-bench"))],
    [str(Path(sys.executable).with_name("kcb"))],
    [sys.executable, "-m", "klein_code_bench"],
)


def kcb(*words: str | Path, door: int = 0, status: int = 0) -> str:
    """What a command prints on standard output; its exit status is checked."""
    argv = [*DOORS[door], *map(str, words)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == status, f"{argv}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.mark.parametrize("words", [("--help",), ("list",), ("show", TASK), ("plugins",)])
def test_three_doors_lead_to_one_command_line(words):
    """``klein-bench``, ``kcb`` and ``python -m klein_code_bench`` must never differ."""
    assert len({kcb(*words, door=door) for door in range(3)}) == 1
    for door in range(3):
        kcb("evaluate", door=door, status=2)


def test_a_task_goes_from_prompt_to_score(tmp_path):
    """The quick start, with the reference as the author."""
    assert TASK in kcb("list", "--subset", "easy").splitlines()
    workspace = tmp_path / "first"
    kcb("prepare", TASK, "--output", workspace)
    assert sorted(p.name for p in workspace.iterdir()) == ["PROMPT.md", "project"]
    assert list((workspace / "project").iterdir()) == []
    assert (workspace / "PROMPT.md").read_text() == kcb("show", TASK)
    kcb("prepare", TASK, "--output", workspace, status=2)
    report = tmp_path / "first.json"
    kcb("evaluate", TASK, "--solution", workspace / "project", "--output", report, status=1)
    report.unlink()
    kcb("reference", TASK, "--output", workspace / "project", status=2)
    kcb("reference", TASK, "--output", tmp_path / "answer")
    kcb("evaluate", TASK, "--solution", tmp_path / "answer", "--output", report)
    assert json.loads(report.read_text())["canary"].endswith(CANARY_ID)
    scored = json.loads(kcb("score", report, "--json"))
    assert '"resolved": 1' in json.dumps(scored)


def test_no_workspace_or_context_holds_anything_but_its_prompt(tmp_path):
    """No acceptance test, oracle, reference or evaluator source may reach an agent."""
    dataset = open_dataset(open_source(load_catalog(), "kcb").folder)
    for task in dataset.tasks():
        assert task.canary.endswith(CANARY_ID)
        lay_out(task, tmp_path / task.task_id)
        files = [path for path in (tmp_path / task.task_id).rglob("*") if path.is_file()]
        assert [path.name for path in files] == ["PROMPT.md"]
        prompt = files[0].read_bytes()
        assert not prompt.startswith(b"\xef\xbb\xbf")
        assert b"\r" not in prompt
        text = prompt.decode()
        sessions = [s for scenario in task.acceptance_tests for s in scenario.sessions]
        lines = {line_of(request) for session in sessions for request in session.requests}
        telling = {line for line in lines if len(line) > 60}
        assert len(telling) > 20
        assert not [line for line in telling if line in text]
        for word in (CANARY_ID, "canary", "kcb_", "acceptance", "oracle", "scenario"):
            assert word not in text
        ask = Ask(model="model", messages=conversation(task.prompt), sampling={})
        for form in FORMS.values():
            asked = compact(form.body(ask))
            assert asked.count(compact(text)[1:-1]) == 1
            assert not [word for word in (CANARY_ID, "Canary", "kcb_") if word in asked]


def test_b12_a_report_with_every_line_separator_is_read_back(tmp_path):
    """Records are split on the byte 0A only, by every reader."""
    odd = "a\u2028b\u2029c\u0085d\u000be\u001cf"
    project = tmp_path / "project"
    project.mkdir()
    main = f"input(); print({json.dumps({'id': odd})!r}, flush=True)"
    (project / "main.py").write_text(main)
    report = tmp_path / "report.json"
    kcb("evaluate", TASK, "--solution", project, "--output", report, status=1)
    assert (
        odd in json.loads(report.read_text())["scenarios"][0]["evidence"]["received"]
        or odd
        in (
            json.loads(json.loads(report.read_text())["scenarios"][0]["evidence"]["received"])["id"]
        )
    )
    kcb("score", report)
    kcb("show", report)


def test_a_provider_that_hands_in_references_resolves_its_tasks_in_every_form(tmp_path):
    """From prompt and reply over HTTP to files that are judged, nothing is lost or changed."""
    catalog = load_catalog()
    dataset = open_dataset(open_source(catalog, "kcb").folder)
    tasks = [task for task, _ in zip(dataset.tasks("easy"), FORMS, strict=False)]
    replies = {}
    for task in tasks:
        files = solution(catalog, task, dataset.vocabulary).files
        replies[task.prompt] = "".join(
            f"### {file.path}\n````python\n{file.data.decode()}````\n" for file in files
        )

    def hand_in(prompt: str) -> Said:
        found = next(reply for text, reply in replies.items() if text in prompt)
        return Said(content=f"Here it is.\n\n{found}", reasoning="It is written down.")

    projects = tmp_path / "projects"
    with Provider(usual=hand_in).serving() as provider:
        for task, api in zip(tasks, FORMS, strict=True):
            words = ("--base-url", provider.url, "--model", "scripted", "--api", api)
            kcb("generate", task.task_id, *words, "--no-queue", "--output", projects)
    kcb("evaluate", "--all", projects, "--output", tmp_path / "reports")
