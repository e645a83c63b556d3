"""How long the dataset takes to build, and what the evaluator costs.

The cost is a ratio to the bare protocol measured in the same run. That does the same sessions with
the same copies and state directories, and nothing else: a process, blocking reads, one comparison.
Medians of several rounds, in alternation, since machines wobble. Run it with ``nox -s bench``.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from kcb_core.catalog import load_catalog, open_source
from kcb_core.dataset import open_dataset
from kcb_core.resources import usable_cpus
from kcb_core.submission import Submission
from kcb_core.task import PYTHON, STATE_DIR, Scenario, Task, line_of
from kcb_references.catalogue import solution
from kcb_runner.cancel import Cancel
from kcb_runner.evaluate import Bench, judge
from kcb_runner.launch.interpreter import InterpreterLauncher
from kcb_runner.machine import interpreter
from kcb_runner.scratch import roomy_folder, write_files

TASKS = (
    "kcb-easy-001-word-frequency",
    "kcb-hard-016-rational-matrix",
    "kcb-max-049-cache-simulator",
)


def bare(task: Task, submission: Submission) -> None:
    """Play a task with as little as possible around it."""
    root = Path(tempfile.mkdtemp(dir=roomy_folder()))
    for number, scenario in enumerate(task.acceptance_tests):
        _bare_scenario(task, submission, scenario, root / str(number))
    shutil.rmtree(root)


def _bare_scenario(task: Task, submission: Submission, scenario: Scenario, folder: Path) -> None:
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
        environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": str(home)}
        process = subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            cwd=place / "project", env={**environment, "TMPDIR": str(home)}, start_new_session=True,
        )  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        for request, expected in zip(session.requests, session.expected, strict=True):
            process.stdin.write(line_of(request).encode() + b"\n")
            process.stdin.flush()
            if json.loads(process.stdout.readline()) != expected:
                raise SystemExit(f"{task.task_id}: the reference answers wrongly")
        if not task.durable:
            process.stdin.close()
            process.wait()
        else:
            os.killpg(process.pid, 9)
            process.wait()
            process.stdin.close()
        process.stdout.close()
        shutil.rmtree(place)


def measure(rounds: int, work: Callable[[], object]) -> list[float]:
    """Wall time of some rounds in seconds."""
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return times


def build() -> str:
    """Build the shipped dataset as the command does, and say what that took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "klein_code_bench", "build", "--output", folder]
        (wall,) = measure(1, lambda: subprocess.run(command, check=True, capture_output=True))
        tasks = len(open_dataset(Path(folder)).task_ids)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return f"build: {tasks} tasks in {wall:.1f} s, {cpu:.1f} s of CPU, on {usable_cpus()} CPUs"


def main() -> None:
    """Print the build's figures and the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    console = Console(width=100)
    console.print(build(), highlight=False)
    catalog = load_catalog()
    dataset = open_dataset(open_source(catalog, "kcb").folder)
    cancel = Cancel()
    bench = Bench(launcher=InterpreterLauncher(), cancel=cancel)
    table = Table(title=f"evaluator against the bare protocol, medians of {rounds} rounds")
    for column in ("task", "sessions", "bare, s", "evaluator, s", "ratio"):
        table.add_column(column, justify="left" if column == "task" else "right")
    for task_id in TASKS:
        task = dataset.task(task_id)
        submission = solution(catalog, task)
        sessions = sum(len(scenario.sessions) for scenario in task.acceptance_tests)
        floor: list[float] = []
        ours: list[float] = []
        for _ in range(rounds):
            floor += measure(1, lambda task=task, made=submission: bare(task, made))
            ours += measure(1, lambda task=task, made=submission: _check(task, made, bench))
        low, high = statistics.median(floor), statistics.median(ours)
        table.add_row(task_id, str(sessions), f"{low:.2f}", f"{high:.2f}", f"{high / low:.2f}")
    cancel.close()
    console.print(table)


def _check(task: Task, submission: Submission, bench: Bench) -> None:
    if judge(task, submission, bench).outcome != "resolved":
        raise SystemExit(f"{task.task_id}: the reference does not resolve it")


if __name__ == "__main__":
    sys.exit(main())
