"""How quickly an experiment of 10,000 cells is planned and its results derived, and in what memory.

The speed is a ratio to merely reading and decoding the same records with the same decoder, measured
in the same run and in alternation, since machines wobble. Each is a process of its own with a
single thread, whose CPU time counts from the end of its imports. Run it with ``nox -s bench``.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from msgspec.structs import replace
from rich.console import Console
from rich.table import Table

from kcb_core.report import DatasetStamp
from kcb_core.run_record import StatedUsage
from kcb_experiments.amount import Amount
from kcb_experiments.frozen import (
    EXPERIMENT_FORMAT,
    EXPERIMENT_KIND,
    Arm,
    Experiment,
    store,
)
from kcb_experiments.log import LOG_NAME, encode_record
from kcb_experiments.records import (
    Artifact,
    AttemptEnd,
    AttemptStart,
    Cause,
    Generated,
    Holder,
    Moved,
    Opened,
    Phase,
    Record,
    Request,
    Status,
)
from kcb_experiments.spec import Bounds, Caps, Executor, Price, Subject, Verifier

TASKS, REPETITIONS, ARMS = 250, 10, 4
HOLDER = Holder(host="a-host", boot_id="b" * 36, pid=1234, started="987654321")
MOST_MIB = 500
MOST_RATIO = 2.0

TIMED = """
import resource, sys, time
from pathlib import Path
{imports}
folder = Path(sys.argv[1])
begun = time.process_time()
{work}
took = time.process_time() - begun
unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
print(took, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit)
"""

READ = TIMED.format(
    imports="""
from kcb_core.codec import convert, parse
from kcb_core.storage import read_bounded
from kcb_experiments.log import LOG_NAME, MAX_LOG_BYTES
from kcb_experiments.records import Record
""",
    work="""
records = []
for line in read_bounded(folder / LOG_NAME, MAX_LOG_BYTES).split(b"\\n")[:-1]:
    value = parse(line)
    del value["crc32"]
    records.append(convert(value, Record, source="log"))
""",
)

DERIVE = TIMED.format(
    imports="""
import kcb_score.statistics.clustered, kcb_score.statistics.power, scipy.stats
from kcb_experiments.plan import make_plan
from kcb_experiments.progress import read_results
""",
    work="""
experiment, results = read_results(folder)
plan = make_plan(experiment)
assert plan.cells == len(results.cells) == 10_000, plan.cells
""",
)


def main() -> None:
    """Print the ratio and the memory; exit status 1 if either is more than promised."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="measurements of each")
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        records = fill(folder)
        pairs = [(timed(READ, folder), timed(DERIVE, folder)) for _ in range(rounds)]
    ratio = statistics.median(derive[0] / read[0] for read, derive in pairs)
    memory = max(derive[1] for _, derive in pairs)
    table = Table(title=f"10,000 cells, {records:,} records, {rounds} rounds")
    for column in ("", "measured", "at most"):
        table.add_column(column, justify="right" if column else "left")
    read_s = statistics.median(read[0] for read, _ in pairs)
    table.add_row("reading the records", f"{read_s:.2f} s", "")
    table.add_row("plan and results, by that", f"{ratio:.2f}", f"{MOST_RATIO:.2f}")
    table.add_row("memory", f"{memory:.0f} MiB", f"{MOST_MIB} MiB")
    Console().print(table)
    sys.exit(ratio > MOST_RATIO or memory > MOST_MIB)


def timed(code: str, folder: Path) -> tuple[float, float]:
    """Seconds of CPU that some code took in a process of its own, and its peak memory in MiB."""
    command = [sys.executable, "-c", code, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    seconds, memory = done.stdout.split()
    return float(seconds), float(memory)


def fill(folder: Path) -> int:
    """An experiment of 10,000 cells, nearly all of them run; the number of its records."""
    bounds = Bounds(seconds=600, tokens=20_000)
    priced = Price(input=0.15, output=0.6)
    subjects = [
        Subject(name=f"arm-{n}", agent="one-shot", bounds=bounds, price=priced) for n in range(ARMS)
    ]
    experiment = Experiment(
        kind=EXPERIMENT_KIND,
        format=EXPERIMENT_FORMAT,
        name="large",
        dataset=DatasetStamp(name="kcb", version="1", manifest_sha256="0" * 64, totals={}),
        tasks=tuple(
            f"kcb-{tier}-{n:03d}-family-{n}"
            for tier in ("easy", "intermediate", "hard", "max")
            for n in range(1, 66)
        )[:TASKS],
        repetitions=REPETITIONS,
        groups=4,
        arms=tuple(Arm(subject=subject, agent_version="1") for subject in subjects),
        budget=Caps(),
        executor=Executor(),
        verifier=Verifier(),
    )
    store(experiment, folder)
    records: list[Record] = [
        Opened(experiment_sha256=experiment.sha256, holder=HOLDER, load=experiment.load)
    ]
    for number, cell in enumerate(experiment.cells()):
        records += attempts_of(cell.id, number)
    lines = [encode_record(replace(record, term=1, seq=n)) for n, record in enumerate(records)]
    (folder / LOG_NAME).write_bytes(b"".join(lines))
    return len(records)


def attempts_of(cell: str, number: int) -> list[Record]:
    """The records of one cell: a void attempt first, for one in ten."""
    records: list[Record] = []
    for attempt in range(1, 3 if number % 10 == 0 else 2):
        void = number % 10 == 0 and attempt == 1
        records += [
            AttemptStart(cell=cell, attempt=attempt, reserved=Amount(dollars=0.01, tokens=20_000)),
            Moved(cell=cell, attempt=attempt, phase=Phase.GENERATING, clock_s=1234.5),
            Request(cell=cell, attempt=attempt, number=1, clock_s=1234.5),
            Request(cell=cell, attempt=attempt, number=1, spent=Amount(dollars=0.004)),
        ]
        if not void:
            records.append(generated(cell, attempt))
        records.append(ended(cell, attempt, void=void, score=float(number % 3 == 0)))
    return records


def artifacts(attempt: int) -> tuple[Artifact, ...]:
    """The files of an attempt, its project first."""
    names = ("project.tar", "report.json", "transcript.jsonl")
    return tuple(
        Artifact(path=f"cells/0123456789ab/{attempt}/{name}", size=4096, sha256="a" * 64)
        for name in names
    )


def generated(cell: str, attempt: int) -> Generated:
    """What a subject left to be judged, with all that a real record holds."""
    return Generated(
        cell=cell,
        attempt=attempt,
        returned=True,
        stop_reason="done",
        duration_s=61.5,
        usage=StatedUsage(input_tokens=4120, output_tokens=8710),
        spent=Amount(dollars=0.0042, tokens=12_830, seconds=61.5),
        project=f"cells/0123456789ab/{attempt}/project",
        kept=artifacts(attempt)[0],
        making=f"cells/0123456789ab/{attempt}/generation.json",
        clock_s=1234.5,
    )


def ended(cell: str, attempt: int, *, void: bool, score: float) -> AttemptEnd:
    """The end of an attempt, with all that a real one holds."""
    if void:
        cause = Cause.INFRASTRUCTURE
        return AttemptEnd(cell=cell, attempt=attempt, status=Status.VOID, cause=cause)
    return AttemptEnd(
        cell=cell,
        attempt=attempt,
        status=Status.COMPLETED,
        score=score,
        stop_reason="done",
        duration_s=61.5,
        usage=StatedUsage(input_tokens=4120, output_tokens=8710),
        spent=Amount(dollars=0.0042, tokens=12_830, seconds=61.5),
        artifacts=artifacts(attempt),
        verifier="kcb-runner 0.1.0",
        at="2026-01-31T12:00:00+00:00",
    )


if __name__ == "__main__":
    main()
