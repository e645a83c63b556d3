"""A tiny dataset, a scripted endpoint on loopback, and the command line with a clock of its own."""

import itertools
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from kcb_agents.action_loop.loop_agent import ActionLoop
from kcb_agents.coding.coding_agent import Coding
from kcb_agents.command.command_agent import CommandAgent
from kcb_agents.endpoint.conversation import Answer as ModelAnswer
from kcb_agents.one_shot import OneShot
from kcb_agents.plugin import kcb_register_commands as agents_commands
from kcb_agents.recording import request_digest
from kcb_agents.replay.replay_agent import Replay
from kcb_agents.replay.script import Play
from kcb_agents.replay.scripted_line import ScriptedLine
from kcb_agents.sandbox_shell import Sandboxed, sandboxed
from kcb_agents.testing.policed import why_not
from kcb_agents.testing.provider import Provider
from kcb_core import cli, hookimpl
from kcb_core import transcript as kept
from kcb_core.catalog import load_catalog
from kcb_core.codec import encode
from kcb_core.dataset import Manifest, data_file, encode_record
from kcb_core.roles import Agent, Generated, Generation
from kcb_core.task import Scenario, Session, Task
from kcb_core.testing.values import new_transcript
from kcb_core.transcript_file import Transcript, read_transcript

FIRST = "toy-easy-001-echo"
SECOND = "toy-easy-002-add"

HAPPY = "Here it is.\n\n### main.py\n```python\nprint('hello')\n```\n"


@dataclass(slots=True)
class FakeClock:
    """A clock that only sleeping, or a test, moves."""

    slept: list[float] = field(default_factory=list)
    elapsed: float = 0.0

    def monotonic(self) -> float:
        return self.elapsed

    def now(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=self.elapsed)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.elapsed += seconds


class Script(Provider):
    """A provider that hands in a small project where a test does not care."""

    def says(self, content: str | None = HAPPY, **more: Any) -> None:
        super().says(content, **more)


@pytest.fixture(autouse=True)
def _own_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Locks and lists of models of this test alone: no other test is waited for."""
    for name in ("XDG_RUNTIME_DIR", "XDG_CONFIG_HOME"):
        folder = tmp_path.parent / f"{tmp_path.name}-{name.lower()}"
        folder.mkdir()
        monkeypatch.setenv(name, str(folder))


@pytest.fixture(scope="session")
def namespaces() -> None:
    """Skips with the reason where the kernel, or whoever runs this, makes no policed namespace."""
    if reason := why_not():
        pytest.skip(reason)


@pytest.fixture
def script() -> Iterator[Script]:
    """A real HTTP server on loopback that answers by a script."""
    script = Script()
    with script.serving():
        yield script


def toy_task(task_id: str) -> Task:
    """A task whose acceptance tests hold a canary that no model may see."""
    session = Session(requests=({"id": 1, "op": "CANARY"},), expected=({"ok": True},))
    scenarios = (Scenario(name="canary", sessions=(session,)),)
    return Task(
        task_id=task_id,
        subset="easy",
        family=task_id.rpartition("-")[2],
        category="toys",
        title="Toy",
        target_model_parameters="2-8B",
        language="Python",
        entrypoint="main.py",
        start=("{python}", "-E", "-s", "-S", "main.py"),
        protocol_version="1.0",
        prompt=f"# {task_id}\n\nWrite a program. U+2028: \u2028, emoji: 😀\n",
        public_tests=scenarios,
        acceptance_tests=scenarios,
        timeout_seconds=10.0,
    )


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """A dataset of two tasks in one tier."""
    folder = tmp_path / "dataset"
    folder.mkdir()
    tasks = [toy_task(FIRST), toy_task(SECOND)]
    data = b"".join(map(encode_record, tasks))
    (folder / "easy.jsonl").write_bytes(data)
    manifest = Manifest(
        dataset="toy",
        version="1",
        seed=1729,
        protocol_version="1.0",
        packages={},
        files=(data_file("easy.jsonl", "easy", data, tasks),),
    )
    (folder / "manifest.json").write_bytes(encode(manifest))
    return folder


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one command line came to."""

    status: int
    out: str
    err: str


@dataclass(slots=True)
class AgentsPlugin:
    """This package's plug-in, with a clock and a sandbox that a test may replace."""

    clock: FakeClock
    sandboxed: Sandboxed = sandboxed

    @hookimpl
    def kcb_register_agents(self) -> list[Agent]:
        return [
            OneShot(self.clock),
            ActionLoop(self.clock, self.sandboxed),
            Coding(self.clock, self.sandboxed),
            CommandAgent(self.clock),
            Replay(self.clock, self.sandboxed),
        ]

    @hookimpl
    def kcb_register_commands(self) -> list[Any]:
        return list(agents_commands())


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """The command line over the tiny dataset, the scripted endpoint and a clock of its own."""

    script: Script
    dataset: Path
    output: Path
    clock: FakeClock
    plugin: AgentsPlugin
    call: Callable[[Sequence[str]], Outcome]

    def generate(self, *words: str, tasks: Sequence[str] = (FIRST, SECOND)) -> Outcome:
        """Calls ``generate`` for some tasks; words that come last win."""
        usual = ["--base-url", self.script.url, "--model", "tiny:free"]
        usual += ["--output", str(self.output), "--dataset", str(self.dataset)]
        return self.call(["generate", *tasks, *usual, *words])

    def record(self, task_id: str = FIRST) -> dict[str, Any]:
        """The record of a task, as JSON."""
        record: dict[str, Any] = json.loads(self.record_path(task_id).read_bytes())
        return record

    def record_path(self, task_id: str = FIRST) -> Path:
        """Where the record of a task is."""
        return self.output / ".generation" / f"{task_id}.json"

    def transcript(self, task_id: str = FIRST, number: int = 1) -> Transcript:
        """What was recorded the nth time that a task was asked for."""
        folder = self.output / ".generation" / "transcripts" / task_id
        return read_transcript(folder / f"{number}.jsonl")

    def files(self, task_id: str = FIRST) -> dict[str, str]:
        """All that is in the project of a task."""
        project = self.output / task_id
        return {
            str(path.relative_to(project)): path.read_text()
            for path in project.rglob("*")
            if path.is_file()
        }


@pytest.fixture
def clock() -> FakeClock:
    """A clock that only sleeping, or a test, moves."""
    return FakeClock()


@pytest.fixture
def bench(
    script: Script,
    dataset: Path,
    clock: FakeClock,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Bench:
    """``klein-bench`` with nothing installed but this package's plug-in and a fake clock."""
    plugin = AgentsPlugin(clock)
    monkeypatch.setattr(cli, "load_catalog", lambda **_: load_catalog([("agents", plugin)]))

    def call(words: Sequence[str]) -> Outcome:
        capsys.readouterr()
        status = cli.run(words)
        captured = capsys.readouterr()
        return Outcome(status=int(status), out=captured.out, err=captured.err)

    output = tmp_path / "projects"
    return Bench(
        script=script, dataset=dataset, output=output, clock=clock, plugin=plugin, call=call
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What became of scripted replies."""

    generated: Generated
    line: ScriptedLine
    transcript: Transcript
    files: dict[str, str]
    prompt: str

    @property
    def messages(self) -> list[kept.Message]:
        """All that entered the context, in order."""
        return self.events(kept.Message)

    def events(self, kind: type[Any]) -> list[Any]:
        """The events of one kind, in order."""
        found = (entry.event for entry in self.transcript.entries)
        return [event for event in found if isinstance(event, kind)]

    def digest(self, asked: Sequence[Any], tools: Sequence[Any] = ()) -> str:
        """The digest of a request."""
        return request_digest(asked, tools)


@pytest.fixture
def played(tmp_path: Path) -> Callable[..., Played]:
    """Plays replies through an agent, with no endpoint but a real sandbox."""
    counted = itertools.count()

    def run(agent: Any, replies: Sequence[str | ModelAnswer], options: dict[str, str]) -> Played:
        folder = tmp_path / f"played-{next(counted)}"
        (folder / "project").mkdir(parents=True)
        answers = [ModelAnswer(content=r) if isinstance(r, str) else r for r in replies]
        line = ScriptedLine(Play(agent=agent.name, answers=tuple(answers), source=folder))
        prompt = "Write it. \u2028 \U0001f600\n"
        with new_transcript(folder / "t.jsonl", agent.name, agent.version) as transcript:
            generation = Generation(
                prompt=prompt,
                project=folder / "project",
                transcript=transcript,
                name=FIRST,
                options=options,
            )
            generated = agent.conduct(generation, line)
        project = folder / "project"
        files = {
            str(path.relative_to(project)): path.read_text()
            for path in project.rglob("*")
            if path.is_file()
        }
        return Played(
            generated=generated,
            line=line,
            transcript=read_transcript(folder / "t.jsonl"),
            files=files,
            prompt=prompt,
        )

    return run
