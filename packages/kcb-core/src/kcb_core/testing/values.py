"""Small whole values to test with: a task, a report, a dataset on disk, a plug-in.

Each is plain and the same every time; :mod:`kcb_core.testing.strategies` draws others.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kcb_core import hookimpl
from kcb_core.codec import encode
from kcb_core.dataset import Dataset, Manifest, data_file, encode_record, open_dataset
from kcb_core.ids import TaskId
from kcb_core.limits import LIMITS
from kcb_core.provenance import Revision
from kcb_core.report import Confinement, DatasetStamp, Host, Outcome, TaskReport
from kcb_core.task import PROTOCOL_VERSION, PYTHON, STATE_DIR, Scenario, Session, Task
from kcb_core.transcript import TRANSCRIPT_FORMAT, TRANSCRIPT_KIND, Head
from kcb_core.transcript_file import TranscriptWriter
from kcb_core.trial import (
    Attribution,
    Bounds,
    Channel,
    CheckOutcome,
    CheckStatus,
    Code,
    Step,
    StepOutcome,
    TrialReport,
    TrialStatus,
)


def small_task(task_id: str = "toy-easy-001-amounts", **changes: Any) -> Task:
    """A small task of this name, with any field as given; one of the tier max keeps state."""
    parsed = TaskId.parse(task_id)
    asked = Session(requests=({"id": 1},), expected=({"id": 1, "ok": True},))
    words = (PYTHON, "-E", "-s", "-S", "main.py")
    known: dict[str, Any] = {
        "task_id": task_id,
        "subset": parsed.tier,
        "family": parsed.slug,
        "category": "toys",
        "title": "Amounts",
        "target_model_parameters": "2-8B",
        "language": "Python",
        "entrypoint": "main.py",
        "start": (*words, STATE_DIR) if parsed.tier == "max" else words,
        "protocol_version": PROTOCOL_VERSION,
        "prompt": "# Amounts\n\nAdd them up: \u2028 é 😀.\n",
        "public_tests": (
            Scenario(name="example-1", sessions=(asked,)),
            Scenario(name="example-2", sessions=(asked,)),
        ),
        "acceptance_tests": (
            Scenario(name="core-1", tags=("core",), sessions=(asked,)),
            Scenario(name="core-2", sessions=(asked, asked) if parsed.tier == "max" else (asked,)),
        ),
        "timeout_seconds": 10.0,
    }
    return Task(**(known | changes))


def small_report(**changes: Any) -> TaskReport:
    """A report that a task was resolved, with as little in it as may be, or with these fields."""
    known: dict[str, Any] = {
        "kind": "task-report",
        "report_version": 1,
        "task_id": "toy-easy-001-amounts",
        "subset": "easy",
        "family": "amounts",
        "dataset": DatasetStamp(
            name="toy", version="1", manifest_sha256="0" * 64, totals={"easy": 1}
        ),
        "protocol_version": PROTOCOL_VERSION,
        "evaluator": Revision(distribution="kcb-runner", version="0.1.0"),
        "outcome": Outcome.RESOLVED,
        "passed": 2,
        "total": 2,
        "repetition": 0,
        "launcher": "interpreter",
        "confinement": Confinement(level="none"),
        "limits": LIMITS,
        "host": Host(
            system="Linux",
            machine="x86_64",
            cpus=2,
            memory_bytes=1 << 33,
            python="3.11.7",
            python_implementation="CPython",
        ),
        "jobs": 1,
    }
    return TaskReport(**(known | changes))


def small_check(
    check: str = "exit-status", fault: str = "", code: str = "", **changes: Any
) -> CheckOutcome:
    """A check that passed or, with a fault, failed by it; any field as given."""
    known: dict[str, Any] = {
        "check": check,
        "status": CheckStatus.FAILED if fault else CheckStatus.PASSED,
        "reason": "status 1 instead of 0" if fault else "status 0",
        "channel": Channel.ENVELOPE,
    }
    if fault:
        known["fault"] = Attribution(fault)
    if code:
        known["code"] = Code(code)
    return CheckOutcome(**(known | changes))


def small_trial(**changes: Any) -> TrialReport:
    """A report of a live trial in which one check passed, with any field as given.

    With checks that did not pass and no status, the trial failed.
    """
    checks = changes.get("checks", (small_check(),))
    passed = all(check.status is CheckStatus.PASSED for check in checks)
    known: dict[str, Any] = {
        "kind": "trial-report",
        "report_version": 1,
        "drill": "broken-config",
        "tool": "toytool",
        "status": TrialStatus.PASSED if passed else TrialStatus.FAILED,
        "checks": checks,
        "bounds": Bounds(turns=10, wall_s=60.0, estimated_tokens=8_000),
        "level": 2,
        "model": "vendor/small-1:free",
        "repetition": 0,
        "steps": (
            Step(command="toytool", executed=True, outcome=StepOutcome.COMPLETED, exit_status=0),
        ),
    }
    return TrialReport(**(known | changes))


def write_dataset(folder: Path, *tasks: Task, name: str = "toy") -> Dataset:
    """A dataset of these tasks, one file for each of their tiers."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for subset in dict.fromkeys(task.subset for task in tasks):
        inside = [task for task in tasks if task.subset == subset]
        data = b"".join(map(encode_record, inside))
        (folder / f"{subset}.jsonl").write_bytes(data)
        files.append(data_file(f"{subset}.jsonl", subset, data, inside))
    manifest = Manifest(
        dataset=name,
        version="1",
        seed=1729,
        protocol_version=PROTOCOL_VERSION,
        packages={"kcb-core": "0.1.0"},
        files=tuple(files),
    )
    (folder / "manifest.json").write_bytes(encode(manifest))
    return open_dataset(folder)


def plugin_giving(**hooks: Any) -> object:
    """A plug-in whose hooks give these values, such as ``families=[FAMILY]``."""

    def gives(values: Any) -> Any:
        return staticmethod(hookimpl(lambda: values))

    named = {f"kcb_register_{noun}": gives(values) for noun, values in hooks.items()}
    return type("GivenPlugin", (), named)()


def new_transcript(path: Path, agent: str = "toy", version: str = "1") -> TranscriptWriter:
    """A transcript that nothing is written to yet.

    Args:
        path: where it goes.
        agent: name of the agent that is to write it.
        version: its version.
    """
    head = Head(
        kind=TRANSCRIPT_KIND,
        format=TRANSCRIPT_FORMAT,
        name="toy-easy-001-echo",
        agent=agent,
        agent_version=version,
        generator=Revision(distribution="kcb-core", version="0"),
        started="",
    )
    return TranscriptWriter(path, head)
