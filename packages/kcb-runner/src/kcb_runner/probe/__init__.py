"""The built-in project that works, and the one that is broken.

They show whether this machine can judge at all, without any answer of the benchmark: as evidence
after a void, before a run, and for ``doctor``.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from kcb_core.limits import Limits
from kcb_core.submission import Submission
from kcb_core.task import PROTOCOL_VERSION, PYTHON, STATE_DIR, Scenario, Session, Task
from kcb_runner.snapshot import take

_HERE = Path(__file__).parent


@cache
def working() -> Submission:
    """A project that resolves :func:`task`."""
    return take(_HERE / "works")


@cache
def broken() -> Submission:
    """A project that answers, and answers wrongly."""
    return take(_HERE / "broken")


@cache
def task() -> Task:
    """A task that starts a process twice over one state directory, like the hardest tier does."""
    first = Session(
        requests=({"id": 1, "op": "add", "n": 2}, "not json", {"id": 2, "op": "add", "n": 3}),
        expected=({"id": 1, "sum": 2}, {"id": None, "error": True}, {"id": 2, "sum": 5}),
    )
    second = Session(
        requests=({"id": "\u2028é", "op": "add", "n": 1},),
        expected=({"id": "\u2028é", "sum": 6},),
    )
    return Task(
        task_id="probe-max-001-counter",
        subset="max",
        family="counter",
        category="probe",
        title="A counter that outlives its process",
        target_model_parameters="none",
        language="Python",
        entrypoint="main.py",
        start=(PYTHON, "-E", "-s", "-S", "main.py", "--state-dir", STATE_DIR),
        protocol_version=PROTOCOL_VERSION,
        prompt="",
        public_tests=(),
        acceptance_tests=(Scenario(name="counter", sessions=(first, second)),),
        timeout_seconds=Limits().session_s,
    )
