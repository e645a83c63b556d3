"""One external program at some tasks, as a user has it work: confined, metered, then judged."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kcb_core.catalog import load_catalog, open_source
from kcb_core.dataset import open_dataset
from kcb_core.errors import MachineError
from kcb_core.task import Task
from kcb_core.transcript import Outcome
from kcb_core.transcript_file import read_transcript
from presets.asked import Asked, asked
from presets.driving import Driver, references

OWN = Path(__file__).parent / "own"
"""The same programs with their own defaults: told where the model is, and what they cannot do
without in a sandbox without network or terminal, and nothing else."""

LONGEST_S = 300
"""Working time of one program at one task, in seconds; it needs a tenth of that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What became of it."""

    status: int
    """Exit status of the command."""
    records: Mapping[str, Mapping[str, Any]]
    """How each project was made, by task."""
    said: Mapping[str, str]
    """What the program wrote to its terminal, by task."""
    provider: Driver
    """What it asked."""

    @property
    def asked(self) -> Asked:
        """What its requests come to."""
        return asked(self.provider.requests)


def easy_tasks(count: int) -> list[Task]:
    """The first of the ten easy tasks that ``easy@10`` names."""
    dataset = open_dataset(open_source(load_catalog(), "kcb").folder)
    return [dataset.task(task_id) for task_id in dataset.manifest.members("easy@10")[:count]]


def play(program: str, toolchain: Path, tasks: Sequence[Task], output: Path) -> Played:
    """Have a program write the projects of some tasks, one after the other.

    Args:
        program: a preset, or the path of a declaration.
        toolchain: the folder that it is installed in.
        tasks: easy ones.
        output: where projects go.

    Raises:
        MachineError: it was not started, or nothing is known of what it did.
    """
    driver = Driver(known=references(list(tasks)))
    options = {"program": program, "toolchain": toolchain.absolute(), "seconds": LONGEST_S}
    words = ["generate", *(task.task_id for task in tasks), "--output", str(output)]
    words += ["--agent", "command", "--model", "scripted", "--api", "openai"]
    for name, value in options.items():
        words += ["--agent-option", f"{name}={value}"]
    with driver.serving():
        done = klein_bench(*words, "--base-url", driver.url)
    folder = output / ".generation"
    paths = [(task.task_id, folder / f"{task.task_id}.json") for task in tasks]
    records = {name: json.loads(path.read_bytes()) for name, path in paths if path.exists()}
    said = {name: _said(folder / r["transcript"]["file"]) for name, r in records.items()}
    if not records:
        raise MachineError(f"{program}: {done.stdout}{done.stderr}")
    return Played(status=done.returncode, records=records, said=said, provider=driver)


def klein_bench(*words: str) -> subprocess.CompletedProcess[str]:
    """The command line as a process of its own."""
    argv = [str(Path(sys.executable).with_name("klein-bench")), *words]
    return subprocess.run(argv, capture_output=True, text=True, check=False)


def resolved(projects: Path, reports: Path) -> int:
    """How many of some projects are judged to be right."""
    klein_bench("evaluate", "--all", str(projects), "--output", str(reports))
    found = [json.loads(path.read_bytes()) for path in reports.glob("*.json")]
    return sum(report["outcome"] == "resolved" for report in found)


def _said(path: Path) -> str:
    transcript = read_transcript(path)
    outcomes = (e.event for e in transcript.entries if isinstance(e.event, Outcome))
    streams = [outcome.stdout or outcome.stderr for outcome in outcomes]
    return "".join(transcript.stream(s).decode(errors="replace") for s in streams if s)
