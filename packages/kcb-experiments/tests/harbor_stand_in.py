"""Stands in for Harbor's command: it plays trials in folders, and stores what the real one stored.

``KCB_STAND_IN`` says what goes wrong. The result files in ``harbor_results`` are those of real
trials, with their tracebacks shortened; what judges is the test of the exported task itself.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import time
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).with_name("harbor_results")

MODE = os.environ.get("KCB_STAND_IN", "")

JUDGED = ("", "late", "broken report", "report of another project")
"""Modes in which it comes to a report."""


def main() -> int:
    """Answer a command line of Harbor's."""
    words = sys.argv[1:]
    if words == ["--version"]:
        sys.stdout.write("0.27.0\n" if MODE == "newer harbor" else "0.26.0\n")
        return 1 if MODE == "no version" else 0
    given = dict(pairwise(words))
    task, job = Path(given["--path"]), Path(given["--jobs-dir"], given["--job-name"])
    assert words[0] == "run"
    assert "--yes" in words
    trial = job / f"{task.name}__96iXcNZ"
    trial.mkdir(parents=True)
    (job / "result.json").write_text("{}")
    (job.parent / "words.json").write_text(json.dumps(words))
    if MODE == "dies":
        sys.stderr.write("no such image\n")
        return 1
    if MODE == "waits":
        wait(trial, task, given["--agent"])
        return 0
    play(trial, task, given["--agent"])
    store(trial, task, given["--agent"])
    if MODE == "two trials":
        shutil.copytree(trial, job / "another__trial")
    return 0


def wait(trial: Path, task: Path, agent: str) -> None:
    """Work until somebody says that it is enough, and clean up then."""

    def end(number: int, frame: Any) -> None:
        store(trial, task, agent)
        (trial.parent / "cleaned-up").touch()
        sys.exit(0)

    signal.signal(signal.SIGTERM, end)
    (trial.parent / "pid").write_text(str(os.getpid()))
    time.sleep(300)


def play(trial: Path, task: Path, agent: str) -> None:
    """Let the agent work, bring its project home, and have it judged."""
    project, logs = trial / "artifacts" / "app", trial / "verifier"
    logs.mkdir()
    project.mkdir(parents=True)
    if agent == "oracle":
        shutil.copytree(task / "solution" / "project", project, dirs_exist_ok=True)
    if MODE in JUDGED:
        from kcb_experiments.harbor import judge  # noqa: PLC0415 - it takes a second

        judge.main([str(project), str(task / "tests"), str(logs)])
    if MODE == "report of another project":
        (project / "more.py").write_text("")
    if MODE == "broken report":
        (logs / "report.json").write_text('{"kind": "task-rep')
    if MODE == "project is a link":
        shutil.move(project, trial / "elsewhere")
        project.symlink_to(trial / "elsewhere")
    if MODE == "no project":
        shutil.rmtree(project)


def store(trial: Path, task: Path, agent: str) -> None:
    """Store the result of a real trial that went like this one."""
    usual = "resolved" if agent == "oracle" else "idle"
    name = {"late": "late", "unjudged": "unjudged", "cancelled": "cancelled"}.get(MODE, usual)
    result = json.loads((RESULTS / f"{'cancelled' if MODE == 'waits' else name}.json").read_text())
    config = tomllib.loads((task / "task.toml").read_text())
    result["task_name"] = config["task"]["name"]
    result["trial_name"] = trial.name
    result["config"]["agent"]["name"] = agent
    if MODE == "another task":
        result["task_name"] += "-b"
    if MODE == "another agent":
        result["config"]["agent"]["name"] = "claude-code"
    if MODE == "newer result":
        result["schema_version"] = 2
    text = json.dumps(result, indent=4)
    if MODE != "no result":
        (trial / "result.json").write_text(text[:300] if MODE == "broken result" else text)


if __name__ == "__main__":
    sys.exit(main())
