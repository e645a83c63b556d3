"""How quickly ``klein-bench score`` reads many reports, and in how much memory.

The speed is a ratio to merely reading and decoding the same files with the same decoder, measured
in the same run and in alternation, since machines wobble. Both are whole processes.

The reports are copies of two real ones, made by judging example projects: each stands for one task
of the shipped dataset in one of many runs. Run it with ``nox -s bench``; ``python
benchmarks/scoring.py --reports 260000`` is the whole of what is promised.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table

from kcb_core.catalog import load_catalog, open_source
from kcb_core.codec import encode
from kcb_core.dataset import Manifest, open_dataset
from kcb_core.ids import TaskId
from kcb_core.report import Outcome, TaskReport, read_report

PROJECTS = Path(__file__).parent.parent / "examples" / "projects"
MODELS = ("kcb-easy-049-cache-simulator", "kcb-max-001-word-frequency")
"""Example projects: one that fails with evidence, and one that resolves."""

RECORD = {
    "model_name": "example-7b",
    "budget": "40k tokens",
    "memory_reset": True,
    "wall_s": 61.5,
    "usage": {"input_tokens": 4120, "output_tokens": 8710, "cache_read_tokens": 1024},
    "cost": {"dollars": 0.0123},
}
"""How a copy says that it was made, as a real one would."""

MEBIBYTE = 1 << 20

BARE = """
import sys, os, msgspec
from kcb_core.report import TaskReport
decoder = msgspec.json.Decoder(TaskReport)
number = 0
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        with open(os.path.join(folder, name), "rb") as file:
            decoder.decode(file.read())
        number += 1
print(number)
"""
"""Merely reading and decoding: nothing is checked, counted or kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Took:
    """What one process, with those that it started, took."""

    seconds: float
    peak_bytes: int
    """Most resident memory of all its processes together at one moment."""


def models(folder: Path) -> list[TaskReport]:
    """Reports of the example projects, judged now."""
    reports = []
    for task in MODELS:
        path = folder / f"{task}.json"
        words = ("evaluate", task, f"--solution={PROJECTS / task}", f"--output={path}")
        subprocess.run(["klein-bench", *words], check=False, capture_output=True)
        reports.append(read_report(path))
    return reports


def copies(manifest: Manifest, examples: list[TaskReport], number: int) -> Iterator[bytes]:
    """Reports of run after run over all tasks; each run fails at another third of them.

    Only what differs between two copies is put in: encoding each would take longer than all else.
    """
    failed, resolved = sorted(examples, key=lambda one: one.outcome is Outcome.RESOLVED)
    tasks = [task for file in manifest.files for task in file.tasks]
    texts = {False: _marked(failed), True: _marked(resolved)}
    for index in range(number):
        run, place = divmod(index, len(tasks))
        task = TaskId.parse(tasks[place])
        text = texts[(place + run) % 3 != 0]
        for mark, value in (
            (b"@TASK", str(task)),
            (b"@TIER", task.tier),
            (b"@FAMILY", task.slug),
            (b'"@RUN"', str(run)),
        ):
            text = text.replace(mark, value.encode())
        yield text


def _marked(report: TaskReport) -> bytes:
    """A report as text with marks for what is its own."""
    plain = msgspec.to_builtins(report)
    plain |= {"task_id": "@TASK", "subset": "@TIER", "family": "@FAMILY", "repetition": "@RUN"}
    plain |= {"subject": "example-7b", "run_record": RECORD}
    return encode(plain)


def write(folder: Path, reports: Iterator[bytes], a_run: int) -> int:
    """Store reports in a folder for each run; gives their bytes."""
    size = 0
    for index, text in enumerate(reports):
        run = folder / f"run-{index // a_run:04d}"
        if index % a_run == 0:
            run.mkdir()
        (run / f"{index % a_run:03d}.json").write_bytes(text)
        size += len(text)
    return size


def timed(*words: str | Path) -> Took:
    """Run a command to its end.

    Raises:
        RuntimeError: it failed.
    """
    start = time.perf_counter()
    process = subprocess.Popen(
        list(map(str, words)),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    watch = Watch(process.pid)
    watch.start()
    _, err = process.communicate()
    seconds = time.perf_counter() - start
    if process.returncode:
        raise RuntimeError(f"{words[0]} failed: {err.decode()[-500:]}")
    return Took(seconds=seconds, peak_bytes=watch.stop())


class Watch(threading.Thread):
    """Looks again and again at how much memory the processes of a session hold.

    What several of them share, such as libraries, counts once.
    """

    def __init__(self, session: int) -> None:
        super().__init__(daemon=True)
        self._session = session
        self._over = threading.Event()
        self._peak = 0

    def run(self) -> None:
        """Until it is stopped."""
        while not self._over.wait(0.1):
            self._peak = max(self._peak, sum(self._resident()))

    def stop(self) -> int:
        """The most that was seen, in bytes; 0 where the system does not tell."""
        self._over.set()
        self.join()
        return self._peak

    def _resident(self) -> Iterator[int]:
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it has ended
            if int(fields[3]) == self._session:
                yield _share_of_memory(folder)


def _share_of_memory(process: Path) -> int:
    """Resident bytes of a process, each page divided by the number of those that share it."""
    try:
        lines = (process / "smaps_rollup").read_text().splitlines()
    except OSError:
        return 0  # it has ended
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def measure(folder: Path, rounds: int) -> tuple[list[Took], list[Took]]:
    """Both commands in alternation, after a first look at the files that is not counted."""
    bare, score = (sys.executable, "-c", BARE, folder), ("klein-bench", "score", folder, "--json")
    timed(*bare)
    both = [(timed(*bare), timed(*score)) for _ in range(rounds)]
    return [one for one, _ in both], [one for _, one in both]


def main() -> None:
    """Make the reports, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--reports", type=int, default=26_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kcb-scoring-") as name:
        folder = Path(name)
        manifest = open_dataset(open_source(load_catalog(), "kcb").folder).manifest
        reports = folder / "reports"
        reports.mkdir()
        texts = copies(manifest, models(folder), options.reports)
        size = write(reports, texts, sum(manifest.totals.values()))
        bare, score = measure(reports, options.rounds)
    print_table(options.reports, size, bare, score)


def print_table(number: int, size: int, bare: list[Took], score: list[Took]) -> None:
    """The medians, and the ratio of the speeds."""
    table = Table(title=f"{number:,} reports, {size / MEBIBYTE:,.0f} MiB, median of {len(bare)}")
    for column in ("what", "s", "reports/s", "of bare", "peak MiB"):
        table.add_column(column, justify="left" if column == "what" else "right")
    floor = statistics.median(one.seconds for one in bare)
    for what, rounds in (("read and decode", bare), ("score", score)):
        seconds = statistics.median(one.seconds for one in rounds)
        peak = max(one.peak_bytes for one in rounds) / MEBIBYTE
        table.add_row(
            what,
            f"{seconds:.2f}",
            f"{number / seconds:,.0f}",
            f"{floor / seconds:.2f}",
            f"{peak:.0f}",
        )
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
