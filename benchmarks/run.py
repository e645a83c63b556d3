"""How long the dataset takes to build, and what the evaluator costs.

The cost is a ratio to the bare protocol measured in the same run.

Medians of several rounds, all variants in alternation, since machines wobble. Run it with
``nox -s bench``; ``nox -s bench -- launchers --rounds 9`` runs one part.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

from floor import bare
from programs import minimal, realistic, task
from rich.console import Console
from rich.table import Table

from kcb_core.catalog import load_catalog, open_source
from kcb_core.dataset import open_dataset
from kcb_core.errors import MachineError
from kcb_core.resources import usable_cpus
from kcb_core.roles import Launcher
from kcb_core.submission import Submission
from kcb_core.task import Task
from kcb_references.catalogue import solution
from kcb_runner.cancel import Cancel
from kcb_runner.judging import CHECKED_PASSES, Bench, judge
from kcb_runner.launch.container import ContainerLauncher
from kcb_runner.launch.forkserver import ForkserverLauncher
from kcb_runner.launch.interpreter import InterpreterLauncher

SESSIONS = 60
"""Sessions of a round with a synthetic task."""

SHIPPED = (
    "kcb-easy-001-word-frequency",
    "kcb-hard-016-rational-matrix",
    "kcb-max-049-cache-simulator",
)

Work = Callable[[], None]


def launchers() -> dict[str, Launcher]:
    """Every launcher that is measured, by the name of its row."""
    return {
        "interpreter, none": InterpreterLauncher("none"),
        "interpreter, basic": InterpreterLauncher("basic"),
        "interpreter, full": InterpreterLauncher("full"),
        "forkserver, full": ForkserverLauncher("full"),
        "container": ContainerLauncher(),
    }


def measure_launchers(rounds: int) -> Table:
    """Each launcher against the bare loop, with a minimal and with a realistic program."""
    table = Table(
        title=f"launchers against the bare protocol, medians of {rounds} rounds",
        caption=f"a scored run plays 1 in {CHECKED_PASSES} forked scenarios that pass twice",
    )
    for column in ("program", "launcher", "ms a session", "ratio to bare", "sessions/s"):
        table.add_column(column, justify="left" if column in ("program", "launcher") else "right")
    played = task(SESSIONS)
    with Benches() as benches:
        for name, submission in (("minimal", minimal()), ("realistic", realistic())):
            variants = {"bare loop": lambda s=submission: bare(played, s)}
            variants |= benches.variants(played, submission)
            _rows(table, name, alternate(rounds, variants))
    return table


def _rows(table: Table, program: str, times: Mapping[str, float]) -> None:
    floor = times["bare loop"]
    for name, spent in times.items():
        each = spent / SESSIONS
        table.add_row(
            program, name, f"{each * 1000:.2f}", f"{spent / floor:.2f}", f"{1 / each:.0f}"
        )


def measure_shipped(rounds: int) -> Table:
    """References of shipped tasks, whose sessions also compute something."""
    table = Table(title=f"references of shipped tasks, medians of {rounds} rounds")
    columns = ("task", "sessions", "bare, s", "full", "forkserver")
    for column in columns:
        table.add_column(column, justify="left" if column == "task" else "right")
    catalog = load_catalog()
    dataset = open_dataset(open_source(catalog, "kcb").folder)
    with Benches() as benches:
        for task_id in SHIPPED:
            played = dataset.task(task_id)
            submission = solution(catalog, played)
            variants = {"bare loop": lambda t=played, s=submission: bare(t, s)}
            variants |= benches.variants(played, submission)
            times = alternate(rounds, variants)
            floor = times["bare loop"]
            sessions = sum(len(scenario.sessions) for scenario in played.acceptance_tests)
            ratios = [times[n] / floor for n in ("interpreter, full", "forkserver, full")]
            table.add_row(task_id, str(sessions), f"{floor:.2f}", *(f"{r:.2f}" for r in ratios))
    return table


def measure_jobs(rounds: int) -> Table:
    """Two jobs against one, and the peak memory of the evaluator over many projects."""
    table = Table(title=f"jobs, medians of {rounds} rounds of 8 projects")
    for column in ("launcher", "1 job, s", "2 jobs, s", "speed-up"):
        table.add_column(column, justify="left" if column == "launcher" else "right")
    played, submission = task(SESSIONS // 4), minimal()
    with Benches() as benches:
        for name in ("interpreter, full", "forkserver, full"):
            bench = benches.of(name)
            times = alternate(
                rounds,
                {
                    "1": lambda b=bench: _crowd(b, played, submission, 1),
                    "2": lambda b=bench: _crowd(b, played, submission, 2),
                },
            )
            one, two = times["1"], times["2"]
            table.add_row(name, f"{one:.2f}", f"{two:.2f}", f"{one / two:.2f}")
    return table


def measure_memory(projects: int) -> Table:
    """Peak memory of an evaluator after few and after many projects, which differ in each byte."""
    table = Table(title="peak memory of the evaluator")
    table.add_column("projects", justify="right")
    table.add_column("peak, MiB", justify="right")
    for count in (projects // 10, projects):
        done = subprocess.run(
            [sys.executable, __file__, "peak", "--rounds", str(count)],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        table.add_row(str(count), done.stdout.strip())
    return table


def measure_build(rounds: int) -> Table:
    """Build the shipped dataset once, as the command does; one round is enough."""
    table = Table(title="building the dataset")
    for column in ("tasks", "s", "CPU s", "CPUs"):
        table.add_column(column, justify="right")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "klein_code_bench", "build", "--output", folder]
        started = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        wall = time.perf_counter() - started
        tasks = len(open_dataset(Path(folder)).task_ids)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    table.add_row(str(tasks), f"{wall:.1f}", f"{cpu:.1f}", str(usable_cpus()))
    return table


def print_peak(projects: int) -> None:
    """Judge so many projects one after the other, and print this process's peak memory in MiB."""
    played = task(1)
    with Benches() as benches:
        bench = benches.of("forkserver, full")
        for number in range(projects):
            (main,) = minimal().files
            data = b"# %d\n" % number + main.data
            made = Submission(files=(type(main)("main.py", data),))
            _check(played, made, bench)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10)  # noqa: T201


class Benches(ExitStack):
    """Benches with every launcher that this machine allows, closed at the end of the block."""

    def __enter__(self) -> Benches:
        """Start none yet: a launcher starts its first slot when it is asked for one."""
        super().__enter__()
        cancel = Cancel()
        self.callback(cancel.close)
        self._benches: dict[str, Bench] = {}
        for name, launcher in launchers().items():
            try:
                launcher.confinement()
            except MachineError as error:
                Console(stderr=True).print(f"left out: {name}: {error}")
                continue
            self.callback(launcher.close)
            self._benches[name] = Bench(launcher=launcher, cancel=cancel)
        return self

    def of(self, name: str) -> Bench:
        """The bench with this launcher."""
        return self._benches[name]

    def variants(self, played: Task, submission: Submission) -> dict[str, Work]:
        """What is measured, by launcher."""
        return {
            name: lambda b=bench: _check(played, submission, b)
            for name, bench in self._benches.items()
        }


def alternate(rounds: int, variants: Mapping[str, Work]) -> dict[str, float]:
    """The median wall time of each variant in seconds, all of them in turn in every round."""
    times: dict[str, list[float]] = {name: [] for name in variants}
    for _ in range(rounds):
        for name, work in variants.items():
            started = time.perf_counter()
            work()
            times[name].append(time.perf_counter() - started)
    return {name: statistics.median(spent) for name, spent in times.items()}


def _crowd(bench: Bench, played: Task, submission: Submission, jobs: int) -> None:
    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(lambda _: _check(played, submission, bench), range(8)))


def _check(played: Task, submission: Submission, bench: Bench) -> None:
    # So that no pass is played twice: a launcher is measured, and not the sample of its passes.
    judgement = judge(played, submission, bench, until_failure=True)
    if judgement.outcome != "resolved":
        raise SystemExit(f"{played.task_id}: {judgement.failure or judgement.void}")


PARTS: Mapping[str, Callable[[int], Table]] = {
    "build": measure_build,
    "launchers": measure_launchers,
    "shipped": measure_shipped,
    "jobs": measure_jobs,
    "memory": lambda rounds: measure_memory(200 * rounds),
}


def main() -> None:
    """Print the tables that are asked for, all of them by default."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", default=list(PARTS), choices=[*PARTS, "peak"])
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    if arguments.parts == ["peak"]:
        print_peak(arguments.rounds)
        return
    for part in arguments.parts:
        Console(width=100).print(PARTS[part](arguments.rounds))


if __name__ == "__main__":
    sys.exit(main())
