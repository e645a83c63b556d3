"""Samples per second of this evaluator against another harness, on the same projects in one run.

``nox -s bench_peer`` installs inspect-ai in an environment of its own and runs this.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from programs import minimal, task
from rich.console import Console
from rich.table import Table

from kcb_core.resources import usable_cpus
from kcb_runner.cancel import Cancel
from kcb_runner.judging import Bench, judge
from kcb_runner.launch.forkserver import ForkserverLauncher
from kcb_runner.launch.interpreter import InterpreterLauncher

PROJECTS = 50
LIMIT_S = 600


def theirs(python: str) -> float:
    """Seconds that the other harness takes, its own start-up not counted."""
    (main,) = minimal().files
    done = subprocess.run(
        [python, str(Path(__file__).with_name("peer_inspect.py")), str(PROJECTS)],
        input=main.data.decode(), capture_output=True, text=True, timeout=LIMIT_S,
    )  # fmt: skip
    if done.returncode:
        sys.exit(done.stderr)
    return float(done.stdout.split()[-1])


def ours(bench: Bench) -> float:
    """Seconds that this evaluator takes with a job for each CPU."""
    started = time.perf_counter()
    with ThreadPoolExecutor(usable_cpus()) as pool:
        projects = pool.map(
            # So that no pass is played twice, which another harness does not do either.
            lambda _: judge(task(1), minimal(), bench, until_failure=True), range(PROJECTS)
        )  # fmt: skip
        for judgement in projects:
            if judgement.outcome != "resolved":
                sys.exit(f"{judgement.failure or judgement.void}")
    return time.perf_counter() - started


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("python", help="interpreter of the environment with inspect-ai")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    cancel = Cancel()
    times: dict[str, list[float]] = {}
    with InterpreterLauncher() as plain, ForkserverLauncher() as quick:
        for _ in range(arguments.rounds):
            times.setdefault("inspect-ai, local", []).append(theirs(arguments.python))
            for launcher in (plain, quick):
                name = f"{launcher.name}, {launcher.confinement().level}"
                times.setdefault(name, []).append(ours(Bench(launcher=launcher, cancel=cancel)))
    cancel.close()
    table = Table(title=f"{PROJECTS} projects, medians of {arguments.rounds} rounds")
    for column in ("harness", "s", "samples/s", "times as many"):
        table.add_column(column, justify="left" if column == "harness" else "right")
    middle = {name: statistics.median(spent) for name, spent in times.items()}
    base = middle["inspect-ai, local"]
    for name, spent in middle.items():
        table.add_row(name, f"{spent:.2f}", f"{PROJECTS / spent:.1f}", f"{base / spent:.1f}")
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
