"""A small arena: projects written on the spot, a task that echoes, and a real run of it."""

from __future__ import annotations

import json
import os
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import pytest

from kcb_core.cli import run
from kcb_core.codec import encode
from kcb_core.dataset import Manifest, data_file, encode_record
from kcb_core.report import TaskReport, read_report
from kcb_core.submission import Submission
from kcb_core.task import PYTHON, STATE_DIR, Scenario, Session, Task
from kcb_runner.cancel import Cancel
from kcb_runner.judging import Bench, Judgement, judge
from kcb_runner.launch.interpreter import InterpreterLauncher
from kcb_runner.snapshot import take

ECHO = """
import json, sys
for line in sys.stdin.buffer:
    request = json.loads(line)
    print(json.dumps({"id": request["id"], "value": request["value"]}), flush=True)
"""


def session(*values: Any) -> Session:
    """Requests with these values, each answered by an echo."""
    requests = tuple({"id": n, "value": value} for n, value in enumerate(values))
    return Session(requests=requests, expected=requests)


@dataclass
class Arena:
    """Where a test writes projects and plays them."""

    folder: Path
    bench: Bench
    count: int = 0
    extra: dict[str, Any] = field(default_factory=dict)

    def project(self, main: str, **files: str | bytes) -> Path:
        """A project with this main.py and other files, ``__`` in a name standing for a dot."""
        self.count += 1
        folder = self.folder / f"project-{self.count}"
        folder.mkdir()
        (folder / "main.py").write_text(textwrap.dedent(main), encoding="utf-8")
        for name, content in files.items():
            data = content.encode() if isinstance(content, str) else content
            (folder / name.replace("__", ".")).write_bytes(data)
        return folder

    def task(
        self,
        *sessions: Session,
        scenarios: Sequence[Scenario] | None = None,
        durable: bool = False,
        timeout_s: float = 10.0,
        number: int = 1,
    ) -> Task:
        """A task of one scenario with these sessions, or of several scenarios."""
        start = (PYTHON, "-E", "-s", "-S", "main.py")
        if durable:
            start = (*start, "--state-dir", STATE_DIR)
        given = scenarios or (Scenario(name="only", sessions=sessions or (session("x"),)),)
        return Task(
            task_id=f"arena-easy-{number:03d}-echo",
            subset="easy",
            family="echo",
            category="arena",
            title="Echo",
            target_model_parameters="none",
            language="Python",
            entrypoint="main.py",
            start=start,
            protocol_version="1.0",
            prompt="Echo.\n",
            public_tests=(Scenario(name="public", sessions=(session("public"),)),),
            acceptance_tests=tuple(given),
            timeout_seconds=timeout_s,
        )

    def judge(self, project: Path | Submission, task: Task | None = None) -> Judgement:
        """Judge a project by a task, by default one request that is echoed."""
        submission = take(project) if isinstance(project, Path) else project
        return judge(task or self.task(), submission, self.bench)

    def play(self, main: str, *sessions: Session, **options: Any) -> Judgement:
        """Judge a main.py by sessions; options as for :meth:`task`."""
        return self.judge(self.project(main), self.task(*sessions, **options))

    def dataset(self, *tasks: Task) -> Path:
        """The folder of a dataset with these tasks."""
        held = tasks or (self.task(),)
        folder = self.folder / "dataset"
        folder.mkdir(exist_ok=True)
        data = b"".join(encode_record(task) for task in held)
        (folder / "easy.jsonl").write_bytes(data)
        manifest = Manifest(
            dataset="arena",
            version="1",
            seed=1,
            protocol_version="1.0",
            packages={},
            files=(data_file("easy.jsonl", "easy", data, held),),
        )
        (folder / "manifest.json").write_bytes(encode(manifest))
        return folder

    def command(self, *words: str | Path) -> int:
        """Run ``klein-bench`` in this process; its exit status."""
        return run([str(word) for word in words])

    def evaluate(self, project: Path, *words: str | Path, name: str = "report.json") -> int:
        """Run ``klein-bench evaluate`` on the first task of :meth:`dataset`."""
        return self.command(
            *("evaluate", "arena-easy-001-echo", "--solution", project),
            *("--dataset", self.folder / "dataset", "--output", self.folder / name),
            *words,
        )

    def report(self, name: str = "report.json") -> TaskReport:
        """The report that :meth:`evaluate` wrote."""
        return read_report(self.folder / name)

    def raw(self, name: str = "report.json") -> dict[str, Any]:
        """The same, as it stands in the file."""
        value: dict[str, Any] = json.loads((self.folder / name).read_bytes())
        return value


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Arena]:
    """An arena where nothing is confined, so that projects can leave marks for their tests."""
    cancel = Cancel()
    yield Arena(tmp_path, Bench(launcher=InterpreterLauncher("none"), cancel=cancel))
    cancel.close()


@pytest.fixture(scope="session")
def lacking() -> Callable[[str, object], NoReturn]:
    """Called with what this machine lacks and why: skips, or fails where it was promised.

    ``KCB_REQUIRE=container,node`` promises both, so that a skip is no silent success.
    """

    def lacking(what: str, reason: object) -> NoReturn:
        promised = os.environ.get("KCB_REQUIRE", "").split(",")
        (pytest.fail if what in promised else pytest.skip)(f"no {what} here: {reason}")

    return lacking


@pytest.fixture
def echo() -> str:
    """The main.py of a right solution."""
    return ECHO
