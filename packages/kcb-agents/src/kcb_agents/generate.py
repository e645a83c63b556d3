"""Asks an agent for one project after the other, and stores each as soon as it is there."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

import msgspec

from kcb_agents.endpoint.failure import EndpointError
from kcb_agents.interrupt import Interrupts
from kcb_agents.output import OutputFolder
from kcb_agents.project import read_project
from kcb_agents.record import (
    RECORD_FORMAT,
    RECORD_KIND,
    GenerationRecord,
    StopReason,
    TranscriptStamp,
)
from kcb_agents.schedule import Schedule
from kcb_core.codec import convert, digest
from kcb_core.errors import DataError, DeclarationError, KcbError, MachineError
from kcb_core.provenance import revision
from kcb_core.report import DatasetStamp, SourceStamp
from kcb_core.roles import Agent, Generated, Generation, PreflightingAgent
from kcb_core.run_record import RECORDS
from kcb_core.scrubber import Scrubber
from kcb_core.storage import read_bounded
from kcb_core.transcript import TRANSCRIPT_FORMAT, TRANSCRIPT_KIND, End, Head, Note
from kcb_core.transcript_file import MAX_TRANSCRIPT_BYTES, TranscriptWriter

PATIENCE = 2
"""Tasks in a row that may go unanswered before the rest is left for later."""

NOT_COMPARED = frozenset({"timeout_s", "api_key_env", "max_retries", "stream", "queue"})
"""Settings that do not change what a model writes."""

_NOT_STORED = frozenset({"api_key_env"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """One task as an agent may see it: its prompt, and for the record where that is from."""

    task_id: str
    prompt: str
    dataset: DatasetStamp

    @property
    def prompt_sha256(self) -> str:
        """SHA-256 of the prompt."""
        return digest(self.prompt.encode("utf-8", "surrogatepass"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Who is asked, and how: the same for every task."""

    agent: Agent
    settings: Mapping[str, Any]
    options: Mapping[str, str] = field(default_factory=dict)
    """The agent's own options."""
    secrets: tuple[str, ...] = field(default=(), repr=False)
    """What may not be stored, such as a key."""
    again: bool = False
    """Whether finished tasks are asked once more."""


class Watcher(Protocol):
    """Whoever wants to know how it goes."""

    def begins(self, task_id: str) -> None:
        """A task is asked now."""
        ...

    def tells(self, line: str) -> None:
        """The agent says what it is doing, such as waiting."""
        ...

    def ended(self, record: GenerationRecord) -> None:
        """A task came to an end, and this is stored."""
        ...

    def unanswered(self, task_id: str, error: MachineError) -> None:
        """A task got no answer, and the next one is tried."""
        ...

    def foresees(self, needed_s: float, line: str) -> None:
        """How long the rest will take, in seconds and in one line; after the first task."""
        ...


@dataclass(slots=True, kw_only=True)
class Tally:
    """What came of all tasks."""

    kept: Sequence[str]
    """Tasks that were finished before."""
    left: list[str]
    """Tasks that are not finished, in order."""
    ended: list[GenerationRecord] = field(default_factory=list)
    """What was stored, in order."""
    outage: MachineError | None = None
    """What ended it before its time."""
    interrupted: bool = False
    """Whether the user ended it."""
    out_of_time: bool = False
    """Whether there was no time for another task."""


def split_finished(
    assignments: Iterable[Assignment], wanted: Wanted, output: OutputFolder
) -> tuple[list[Assignment], list[str]]:
    """The tasks that are to be asked, and the ids of those that are kept.

    Raises:
        DeclarationError: a folder is in the way, or a project was made in another way.
    """
    todo: list[Assignment] = []
    kept: list[str] = []
    for assignment in assignments:
        task_id = assignment.task_id
        if wanted.again:
            output.refuse_foreign(task_id)
            todo.append(assignment)
            continue
        record = output.finished(task_id)
        if record is None:
            todo.append(assignment)
            continue
        if changed := _difference(record, assignment, wanted):
            raise DeclarationError(
                f"{output.record(task_id)}: was made with another {changed}; "
                "name another folder, or ask again with --again"
            )
        kept.append(task_id)
    return todo, kept


def generate_all(
    todo: Sequence[Assignment],
    kept: Sequence[str],
    wanted: Wanted,
    output: OutputFolder,
    watcher: Watcher,
    schedule: Schedule | None = None,
) -> Tally:
    """Ask for every project, one after the other.

    It ends early at an outage, when several tasks in a row go unanswered, when there is no time for
    another, and when it is interrupted; what is finished by then is stored.
    """
    timed = schedule or Schedule(now=time.monotonic)
    tally = Tally(kept=kept, left=[assignment.task_id for assignment in todo])
    interrupts = Interrupts()
    try:
        with interrupts.caught():
            _work_off(todo, tally, timed, _Desk(wanted, output, watcher, interrupts))
    except KeyboardInterrupt:
        tally.interrupted = True
    return tally


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """When a generation ran."""

    started: datetime
    wall_s: float


@dataclass(frozen=True, slots=True)
class _Desk:
    """Where one task is worked on."""

    wanted: Wanted
    output: OutputFolder
    watcher: Watcher
    interrupts: Interrupts

    def ask(self, assignment: Assignment) -> GenerationRecord:
        """Ask for one project, and store what comes of it.

        Raises:
            DeclarationError: a setting is wrong for this agent.
            MachineError: it could not be asked, or its answer not be stored.
        """
        part = self.output.stage(assignment.task_id)
        started, begun = datetime.now(UTC), time.monotonic()
        with self._transcript(assignment, started) as transcript:
            try:
                generation = self._generation(assignment, part, transcript)
                generated = self.wanted.agent.generate(generation)
            except KeyboardInterrupt:
                generated = Generated(stop_reason=StopReason.CANCELLED, files=0)
            except KcbError as error:
                transcript.record(Note(text=str(error)))
                self.output.unstage(assignment.task_id)
                raise
            with self.interrupts.shielded():
                transcript.record(_end(generated))
        course = Course(started=started, wall_s=round(time.monotonic() - begun, 3))
        with self.interrupts.shielded():
            record = compose(assignment, self.wanted, generated, part, course)
            record = msgspec.structs.replace(record, transcript=self._stamp(transcript.path))
            if record.stop_reason.finished:
                self.output.hand_in(record, part)
            else:
                self.output.note(record)
        return record

    def _generation(
        self, assignment: Assignment, part: Path, transcript: TranscriptWriter
    ) -> Generation:
        return Generation(
            prompt=assignment.prompt,
            project=part,
            transcript=transcript,
            name=assignment.task_id,
            settings=self.wanted.settings,
            options=self.wanted.options,
            tell=self.watcher.tells,
        )

    def _transcript(self, assignment: Assignment, started: datetime) -> TranscriptWriter:
        head = Head(
            kind=TRANSCRIPT_KIND,
            format=TRANSCRIPT_FORMAT,
            name=assignment.task_id,
            agent=self.wanted.agent.name,
            agent_version=self.wanted.agent.version,
            generator=revision("kcb-agents"),
            started=started.isoformat(timespec="seconds"),
        )
        path = self.output.next_transcript(assignment.task_id)
        return TranscriptWriter(path, head, scrubber=Scrubber(self.wanted.secrets))

    def _stamp(self, path: Path) -> TranscriptStamp:
        return TranscriptStamp(
            file=path.relative_to(self.output.folder / RECORDS).as_posix(),
            sha256=digest(read_bounded(path, MAX_TRANSCRIPT_BYTES)),
        )


def _end(generated: Generated) -> End:
    """How an agent ended, in its own words."""
    said = generated.record
    return End(
        stop_reason=str(generated.stop_reason),
        reason=str(said.get("reason", "")),
        totals=dict(said.get("totals", {})),
    )


def try_out(
    todo: Sequence[Assignment], wanted: Wanted, tell: Callable[[str], None]
) -> tuple[str, ...]:
    """Warnings of an agent that can try out whether it would work, with the longest prompt.

    An endpoint that answers nobody is left to the first task, which asks it again and again.

    Raises:
        DeclarationError: it would not.
    """
    if not todo or not isinstance(wanted.agent, PreflightingAgent):
        return ()
    longest = max((assignment.prompt for assignment in todo), key=len)
    try:
        return wanted.agent.preflight(longest, wanted.settings, tell)
    except MachineError:
        return ()


def _work_off(todo: Sequence[Assignment], tally: Tally, schedule: Schedule, desk: _Desk) -> None:
    in_vain = 0
    for assignment in todo:
        if not schedule.has_time:
            tally.out_of_time = True
            return
        desk.watcher.begins(assignment.task_id)
        try:
            record = desk.ask(assignment)
        except MachineError as error:
            in_vain += 1
            if not isinstance(error, EndpointError) or error.outage or in_vain >= PATIENCE:
                tally.outage = error
                return
            desk.watcher.unanswered(assignment.task_id, error)
            continue
        _note(record, tally, schedule, desk.watcher)
        if tally.interrupted:
            return
        in_vain = 0 if record.stop_reason.finished else in_vain + 1
        if in_vain >= PATIENCE:
            return


def _note(record: GenerationRecord, tally: Tally, schedule: Schedule, watcher: Watcher) -> None:
    """What a task that came to an end means for the run."""
    tally.ended.append(record)
    if record.stop_reason.finished:
        tally.left.remove(record.task_id)
        schedule.took(record.wall_s)
    watcher.ended(record)
    tally.interrupted = record.stop_reason is StopReason.CANCELLED
    if record.stop_reason.finished and len(schedule.took_s) == 1 and tally.left:
        left = len(tally.left)
        watcher.foresees(schedule.needed_s(left), schedule.outlook(left))


def compose(
    assignment: Assignment, wanted: Wanted, generated: Generated, part: Path, course: Course
) -> GenerationRecord:
    """The record of one generation: what the agent says of it, and what it cannot say.

    Raises:
        DeclarationError: the agent says something that no record can hold.
    """
    said: dict[str, Any] = msgspec.to_builtins(dict(generated.record))
    own: dict[str, Any] = {
        "kind": RECORD_KIND,
        "format": RECORD_FORMAT,
        "task_id": assignment.task_id,
        "dataset": assignment.dataset,
        "generator": revision("kcb-agents"),
        "agent": wanted.agent.name,
        "agent_version": wanted.agent.version,
        "options": dict(wanted.options),
        "settings": {k: v for k, v in wanted.settings.items() if k not in _NOT_STORED},
        "prompt_sha256": assignment.prompt_sha256,
        "started": course.started.isoformat(timespec="seconds"),
        "wall_s": course.wall_s,
        "stop_reason": generated.stop_reason,
        "run_record": said.get("run_record", {}) | _run_record(wanted, generated, course),
    }
    if generated.stop_reason in list(StopReason) and StopReason(generated.stop_reason).finished:
        files = read_project(part)
        own["project"] = SourceStamp(sha256=files.sha256, files=len(files.files), size=files.size)
    source = f"agent {wanted.agent.name!r}"
    try:
        return convert(msgspec.to_builtins(said | own), GenerationRecord, source=source)
    except DataError as error:
        raise DeclarationError(str(error)) from None


def _run_record(wanted: Wanted, generated: Generated, course: Course) -> dict[str, Any]:
    """What the caller of an agent knows of the run record."""
    return {
        "agent": wanted.agent.name,
        "agent_version": wanted.agent.version,
        "wall_s": course.wall_s,
        "stop_reason": generated.stop_reason,
        "interventions": (),
        "hand_corrected": False,
    }


def _difference(record: GenerationRecord, assignment: Assignment, wanted: Wanted) -> str | None:
    """What a finished project was made with that is not wanted now; None if nothing."""
    for noun, there, here in (
        ("prompt", record.prompt_sha256, assignment.prompt_sha256),
        ("agent", record.agent, wanted.agent.name),
        ("version of the agent", record.agent_version, wanted.agent.version),
    ):
        if there != here:
            return noun
    if record.options != dict(wanted.options):
        return "option of the agent"
    names = (record.settings.keys() | wanted.settings.keys()) - NOT_COMPARED
    changed = sorted(n for n in names if record.settings.get(n) != wanted.settings.get(n))
    return changed[0] if changed else None
