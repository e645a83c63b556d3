"""What the launchers are measured with: a minimal program, a realistic one, and a task for both.

Sessions are dominated by their start, as most sessions of the shipped tasks are: ten requests in
lockstep, each answered at once.
"""

from __future__ import annotations

from kcb_core.submission import Submission, SubmittedFile
from kcb_core.task import PYTHON, STATE_DIR, Scenario, Session, Task

REQUESTS = 10

_MINIMAL = b"""import json
import sys

for line in sys.stdin.buffer:
    request = json.loads(line)
    sys.stdout.write(json.dumps({"id": request["id"], "value": request["value"]}) + "\\n")
    sys.stdout.flush()
"""

_MODULES = (
    *("argparse", "collections", "dataclasses", "datetime", "enum", "functools", "hashlib"),
    *("itertools", "logging", "pathlib", "re", "typing"),
)


def minimal() -> Submission:
    """A program of a few lines that imports ``json`` and ``sys``."""
    return Submission(files=(SubmittedFile("main.py", _MINIMAL),))


def realistic(modules: int = 12, classes: int = 4) -> Submission:
    """A program of many modules and data classes, of some 2,500 lines, that answers the same."""
    imports = "".join(f"import {name}\n" for name in _MODULES)
    files = [
        SubmittedFile(f"part{n:02d}.py", (imports + _part(n, classes)).encode())
        for n in range(modules)
    ]
    loads = "".join(f"import part{n:02d}\n" for n in range(modules)).encode()
    return Submission(files=(SubmittedFile("main.py", loads + _MINIMAL), *files))


def _part(number: int, classes: int) -> str:
    fields = "".join(f"    field_{n}: int = {n}\n" for n in range(12))
    methods = "".join(
        f"""
    def step_{n}(self, amount: int) -> int:
        \"\"\"Work on a field.\"\"\"
        if amount < 0:
            raise ValueError("negative")
        return self.field_{n} + amount * {n + number}
"""
        for n in range(5)
    )
    return "".join(
        f"\n\n@dataclasses.dataclass(frozen=True)\nclass Part{number}{n}:\n{fields}{methods}"
        for n in range(classes)
    )


def task(sessions: int, *, durable: bool = False, timeout_s: float = 10.0) -> Task:
    """A task of so many sessions, each a scenario of its own."""
    requests = tuple({"id": n, "value": f"value {n}"} for n in range(REQUESTS))
    session = Session(requests=requests, expected=requests)
    start = (PYTHON, "-E", "-s", "-S", "main.py")
    return Task(
        task_id="bench-easy-001-echo",
        subset="easy",
        family="echo",
        category="bench",
        title="Echo",
        target_model_parameters="none",
        language="Python",
        entrypoint="main.py",
        start=(*start, "--state-dir", STATE_DIR) if durable else start,
        protocol_version="1.0",
        prompt="",
        public_tests=(),
        acceptance_tests=tuple(
            Scenario(name=f"echo-{n}", sessions=(session,)) for n in range(sessions)
        ),
        timeout_seconds=timeout_s,
    )


__all__ = ["minimal", "realistic", "task"]
