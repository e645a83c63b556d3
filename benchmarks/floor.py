"""The floor of the protocol: the same sessions with as little as possible around them.

A process, blocking reads, one comparison; the same copies, state directories and environments.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from kcb_core.submission import Submission
from kcb_core.task import PYTHON, STATE_DIR, Scenario, Session, Task, line_of
from kcb_runner.launch.box import roomy_folder
from kcb_runner.machine import interpreter
from kcb_runner.scratch import write_files


def bare(task: Task, submission: Submission) -> None:
    """Play a task, one session after the other."""
    root = Path(tempfile.mkdtemp(dir=roomy_folder()))
    for number, scenario in enumerate(task.acceptance_tests):
        _scenario(task, submission, scenario, root / str(number))
    shutil.rmtree(root)


def _scenario(task: Task, submission: Submission, scenario: Scenario, folder: Path) -> None:
    state = folder / "state"
    state.mkdir(parents=True)
    words = {PYTHON: interpreter(), STATE_DIR: str(state)}
    argv = [words.get(word, word) for word in task.start]
    for number, session in enumerate(scenario.sessions):
        place = folder / f"s{number}"
        home = place / "home"
        (place / "project").mkdir(parents=True)
        home.mkdir()
        write_files(submission, place / "project")
        _session(task, session, argv, place)
        shutil.rmtree(place)


def _session(task: Task, session: Session, argv: list[str], place: Path) -> None:
    home = str(place / "home")
    environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": home, "TMPDIR": home}
    process = subprocess.Popen(
        argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        cwd=place / "project", env=environment, start_new_session=True,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    for request, expected in zip(session.requests, session.expected, strict=True):
        process.stdin.write(line_of(request).encode() + b"\n")
        process.stdin.flush()
        if json.loads(process.stdout.readline()) != expected:
            raise SystemExit(f"{task.task_id}: the program answers wrongly")
    if task.durable:
        os.killpg(process.pid, 9)
        process.wait()
        process.stdin.close()
    else:
        process.stdin.close()
        process.wait()
    process.stdout.close()
