"""An experiment whose process is killed again and again: nothing is lost, repeated or left running.

``KCB_KILLS`` says how often it is killed; the instants are random, and the seed is printed.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from kcb_agents.testing.provider import Provider
from kcb_agents.testing.scripted_answer import Said
from kcb_core.testing.values import small_task, write_dataset
from kcb_experiments.frozen import read_experiment
from kcb_experiments.log import read_log
from kcb_experiments.records import Cause
from kcb_experiments.results import derive

pytestmark = pytest.mark.kill9

KILLS = int(os.environ.get("KCB_KILLS", "20"))
LONGEST_S = 4.0
"""The longest time that a run is given before it is killed, in seconds."""

IN_THE_START = 0.1
"""Share of the kills that may hit before the log is open; the others hit later."""

ANSWER = """\
### main.py
```python
import json, sys

for line in sys.stdin:
    print(json.dumps({"id": json.loads(line)["id"], "ok": True}), flush=True)
```
"""

SPEC = """\
name = "killed"
repetitions = 2
groups = 2

[benchmark]
dataset = "toy"
subset = "easy"

[budget]
tokens = 100_000_000

[executor]
settings = {{ check_endpoints = false }}

[[subjects]]
name = "left"
agent = "one-shot"
settings = {{ base_url = "{url}", model = "scripted", queue = false }}
bounds = {{ tokens = 20_000, seconds = 60 }}

[[subjects]]
name = "right"
agent = "one-shot"
settings = {{ base_url = "{url}", model = "scripted", queue = false }}
bounds = {{ tokens = 20_000, seconds = 60 }}
"""


def processes(mark: str) -> list[int]:
    """Processes whose command line or environment holds a text."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            data = (place / "cmdline").read_bytes() + (place / "environ").read_bytes()
            if mark.encode() in data and int(place.name) != os.getpid():
                found.append(int(place.name))
    return found


def start(folder: Path) -> subprocess.Popen[bytes]:
    """The experiment in a process of its own, which may be killed at any instant."""
    program = str(Path(sys.executable).with_name("klein-bench"))
    words = ["experiment", "run", folder / "spec.toml", "--out", folder / "out"]
    log = (folder / "said.txt").open("ab")
    with log:
        return subprocess.Popen(
            [program, *map(str, words), "--dataset", str(folder / "data")],
            stdout=log,
            stderr=log,
            env=os.environ | {"XDG_RUNTIME_DIR": str(folder / "run")},
        )


def ended(folder: Path) -> dict[tuple[str, int], bytes]:
    """Every end record so far, by cell and attempt."""
    attempts = read_log(folder / "out").attempts
    return {
        (a.start.cell, a.start.attempt): repr(a.end).encode() for a in attempts if a.end is not None
    }


def kill_until_done(folder: Path, rng: random.Random, left: int) -> int:
    """Run the experiment, killing it up to so many times; how often it was killed."""
    kills = 0
    known: dict[tuple[str, int], bytes] = {}
    while True:
        size = log_size(folder)
        process = start(folder)
        if kills < left and rng.random() > IN_THE_START:
            wait_until(lambda: log_size(folder) > size or process.poll() is not None)  # noqa: B023
        try:
            status = process.wait(rng.uniform(0.0, LONGEST_S) if kills < left else 280.0)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(10)
            kills += 1
            now = ended(folder)
            assert now.items() >= known.items(), "an end record was lost or changed"
            known = now
            continue
        assert status == 0, (folder / "said.txt").read_text()[-2000:]
        return kills


def log_size(folder: Path) -> int:
    """Bytes of the attempt log, 0 where there is none."""
    path = folder / "out" / "attempts.jsonl"
    return path.stat().st_size if path.exists() else 0


def wait_until(there: Callable[[], bool]) -> None:
    """Wait for what must happen within a minute."""
    until = time.monotonic() + 60
    while not there():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.01)


def test_an_experiment_survives_being_killed_at_any_instant(tmp_path: Path) -> None:
    """After every death the same command goes on; each cell is finished once and counted once."""
    seed = int(os.environ.get("KCB_SEED", time.time_ns() % 1_000_000))
    sys.stderr.write(f"KCB_SEED={seed}\n")
    rng = random.Random(seed)
    kills = 0
    round_number = 0
    while kills < KILLS:
        folder = tmp_path / str(round_number)
        (folder / "run").mkdir(parents=True)
        write_dataset(folder / "data", *(small_task(f"toy-easy-{n:03}-t") for n in range(1, 11)))
        with Provider(usual=Said(content=ANSWER, pause_s=0.02)).serving() as provider:
            (folder / "spec.toml").write_text(SPEC.format(url=provider.url))
            kills += kill_until_done(folder, rng, KILLS - kills)
            check(folder, asked=len(provider.requests))
        round_number += 1


def check(folder: Path, *, asked: int) -> None:
    """Hold what is on disk against what must be there."""
    experiment, reading = read_experiment(folder / "out"), read_log(folder / "out")
    results = derive(experiment, reading.attempts)
    assert results.complete
    assert len(results.cells) == 40
    finished = Counter(a.start.cell for a in reading.attempts if a.end is not None)
    assert set(finished.values()) == {1}, "a finished cell was run again"
    for cell in experiment.cells():
        *before, last = reading.attempts.of(cell.id)
        assert {attempt.cause for attempt in before} <= {Cause.INTERRUPTED}
        assert last.score == 1.0
        for artifact in last.end.artifacts if last.end else ():
            assert (folder / "out" / artifact.path).exists()
    assert asked <= len(list(reading.attempts)), "an attempt asked its model more than once"
    until = time.monotonic() + 10
    while (left := processes(str(folder))) and time.monotonic() < until:
        time.sleep(0.2)
    assert left == [], "processes of the experiment outlived it"
