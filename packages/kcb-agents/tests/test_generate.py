"""The loop over tasks, with agents that behave in every way."""

import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from kcb_agents.generate import Assignment, Tally, Wanted, generate_all, split_finished
from kcb_agents.output import OutputFolder
from kcb_agents.record import GenerationRecord
from kcb_agents.schedule import Schedule
from kcb_core.errors import DataError, DeclarationError, MachineError
from kcb_core.report import DatasetStamp
from kcb_core.roles import Generated, Generation
from kcb_core.transcript import Note
from kcb_core.transcript_file import read_transcript

STAMP = DatasetStamp(name="toy", version="1", manifest_sha256="0" * 64, totals={"easy": 3})
TASKS = tuple(
    Assignment(task_id=f"toy-easy-00{number}-x", prompt=f"prompt {number}", dataset=STAMP)
    for number in (1, 2, 3)
)


@dataclass(frozen=True, slots=True)
class Scripted:
    """An agent that does what a test says."""

    act: Callable[[Generation], Generated]
    version: str = "1"
    name: str = "scripted"
    asks_model: bool = True

    def generate(self, generation: Generation) -> Generated:
        return self.act(generation)


@dataclass(slots=True)
class Log:
    """Writes down what it is told."""

    lines: list[str] = field(default_factory=list)

    def begins(self, task_id: str) -> None:
        self.lines.append(f"begins {task_id[-3:]}")

    def tells(self, line: str) -> None:
        self.lines.append(line)

    def ended(self, record: GenerationRecord) -> None:
        self.lines.append(record.stop_reason)

    def unanswered(self, task_id: str, error: MachineError) -> None:
        self.lines.append(f"unanswered {task_id[-3:]}")

    def foresees(self, needed_s: float, line: str) -> None:
        """Nothing to a log."""


@pytest.fixture
def output(tmp_path: Path) -> Iterator[OutputFolder]:
    """An open folder of projects."""
    folder = OutputFolder(tmp_path / "projects")
    with folder.opened():
        yield folder


def run(agent: Scripted, output: OutputFolder, **settings: Any) -> tuple[Tally, list[str]]:
    """Asks an agent for the projects of three tasks."""
    wanted = Wanted(agent=agent, settings=settings)
    log = Log()
    todo, kept = split_finished(TASKS, wanted, output)
    return generate_all(todo, kept, wanted, output, log), log.lines


def write(generation: Generation) -> Generated:
    """A project of one file."""
    generation.tell("writing")
    (generation.project / "main.py").write_text(generation.prompt)
    return Generated(stop_reason="done", files=1)


def test_any_agent_can_be_asked(output: OutputFolder) -> None:
    """An agent that says nothing of itself leaves a record all the same."""
    tally, lines = run(Scripted(write), output)
    assert [record.stop_reason for record in tally.ended] == ["done"] * 3
    assert lines[:3] == ["begins 1-x", "writing", "done"]
    assert (output.project(TASKS[1].task_id) / "main.py").read_text() == "prompt 2"
    assert tally.ended[0].run_record.agent == "scripted"


def test_an_agent_gets_the_prompt_and_an_empty_folder_and_no_more(output: OutputFolder) -> None:
    """Not even the name of the task."""
    seen: list[Generation] = []

    def look(generation: Generation) -> Generated:
        assert list(generation.project.iterdir()) == []
        seen.append(generation)
        return Generated(stop_reason="no_project", files=0)

    run(Scripted(look), output, model="m")
    assert [generation.prompt for generation in seen] == ["prompt 1", "prompt 2", "prompt 3"]
    assert all(generation.settings == {"model": "m"} for generation in seen)


def test_a_failing_machine_ends_the_run_and_leaves_nothing_behind(output: OutputFolder) -> None:
    """A full disk is not asked about three times."""

    def fail(generation: Generation) -> Generated:
        (generation.project / "main.py").write_text("half")
        raise MachineError("disk full")

    tally, lines = run(Scripted(fail), output)
    assert str(tally.outage) == "disk full"
    assert len(tally.left) == 3
    assert lines == ["begins 1-x"]
    (told,) = (output.folder / ".generation").rglob("*.jsonl")
    assert [entry.event for entry in read_transcript(told).entries] == [Note(text="disk full")]
    assert [path.name for path in (output.folder / ".generation").iterdir()] == ["transcripts"]


def test_an_agent_that_is_interrupted_leaves_a_cancelled_record(output: OutputFolder) -> None:
    """Whether or not it knows of interrupts itself."""

    def stop(generation: Generation) -> Generated:
        os.kill(os.getpid(), signal.SIGTERM)
        return write(generation)

    tally, _ = run(Scripted(stop), output)
    assert tally.interrupted
    assert [record.stop_reason for record in tally.ended] == ["cancelled"]
    assert len(tally.left) == 3
    assert not output.project(TASKS[0].task_id).exists()


def test_an_interrupt_between_tasks_ends_the_run(output: OutputFolder) -> None:
    """And what is stored stays."""

    @dataclass(slots=True)
    class Impatient(Log):
        def ended(self, record: GenerationRecord) -> None:
            os.kill(os.getpid(), signal.SIGINT)

    wanted = Wanted(agent=Scripted(write), settings={})
    tally = generate_all(TASKS, [], wanted, output, Impatient())
    assert tally.interrupted
    assert tally.left == [task.task_id for task in TASKS[1:]]
    assert output.finished(TASKS[0].task_id) is not None


@pytest.mark.parametrize(
    ("generated", "said"),
    [
        (Generated(stop_reason="bored", files=0), "stop_reason"),
        (Generated(stop_reason="done", files=0, record={"usage": {"tokens": 1}}), "usage"),
    ],
)
def test_an_agent_that_says_what_no_record_holds_is_named(
    output: OutputFolder, generated: Generated, said: str
) -> None:
    """Its author has something to mend."""
    with pytest.raises(DeclarationError, match=f"agent 'scripted'.*{said}"):
        run(Scripted(lambda generation: generated), output)


def test_an_agent_cannot_say_what_is_not_its_to_say(output: OutputFolder) -> None:
    """A record is evidence, and not only of what the agent claims."""
    claims = {"task_id": "toy-easy-009-y", "agent": "other", "run_record": {"wall_s": 0.0}}
    tally, _ = run(
        Scripted(lambda _: Generated(stop_reason="done", files=0, record=claims)), output
    )
    assert tally.ended[0].task_id == TASKS[0].task_id
    assert tally.ended[0].agent == "scripted"
    assert tally.ended[0].run_record.agent == "scripted"


def test_another_version_of_an_agent_is_another_agent(output: OutputFolder) -> None:
    """Its projects are not mixed with the old ones."""
    run(Scripted(write), output)
    with pytest.raises(DeclarationError, match="another version of the agent"):
        run(Scripted(write, version="2"), output)


def test_a_torn_record_is_named(output: OutputFolder) -> None:
    """And not taken for a task that was never asked."""
    run(Scripted(write), output)
    path = output.record(TASKS[0].task_id)
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(DataError, match=path.name):
        run(Scripted(write), output)
    path.write_text('{"kind": "other"}')
    with pytest.raises(DataError, match=path.name):
        run(Scripted(write), output)


def test_a_failure_to_store_is_a_failure_of_this_machine(
    output: OutputFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the project that was paid for can be asked for again."""

    def fail(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "rename", fail)
    tally, _ = run(Scripted(write), output)
    assert "No space left on device" in str(tally.outage)
    assert len(tally.left) == 3


def test_a_time_budget_ends_the_run_before_a_task_that_would_not_be_done(
    output: OutputFolder,
) -> None:
    """And leaves it for another time."""
    moments = iter([0.0, 0.0, 80.0])
    schedule = Schedule(now=lambda: next(moments), budget_s=90)
    schedule.took(45)
    wanted = Wanted(agent=Scripted(write), settings={})
    tally = generate_all(TASKS, [], wanted, output, Log(), schedule)
    assert tally.out_of_time
    assert tally.left == [task.task_id for task in TASKS[1:]]
    assert not tally.interrupted


def test_the_first_task_tells_how_long_the_rest_will_take(output: OutputFolder) -> None:
    """So that nobody finds out after a night."""
    seen: list[str] = []

    @dataclass(slots=True)
    class Watching(Log):
        def foresees(self, needed_s: float, line: str) -> None:
            seen.append(line)

    wanted = Wanted(agent=Scripted(write), settings={})
    generate_all(TASKS, [], wanted, output, Watching())
    assert len(seen) == 1
    assert "the other 2 tasks" in seen[0]
