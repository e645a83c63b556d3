"""Says how a run of ``generate`` goes, and what came of it."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import msgspec
from rich.markup import escape
from rich.progress import Progress, TaskID

from kcb_agents.endpoint_line import GREEDY_THINKER
from kcb_agents.generate import Tally
from kcb_agents.output import OutputFolder
from kcb_agents.record import GenerationRecord, StopReason
from kcb_core import console
from kcb_core.errors import ExitStatus, MachineError

WORTH_SAYING_S = 30.0
"""Shortest rest of a run whose end is foretold."""


@dataclass(slots=True, kw_only=True)
class Voice:
    """Says how it goes: a line on standard output for each task, the rest in the progress bar."""

    bar: Progress
    shown: TaskID
    as_json: bool
    in_vain: int = field(default=0, init=False)
    warned: set[str] = field(default_factory=set, init=False)

    def begins(self, task_id: str) -> None:
        """A task is asked now."""
        self.bar.update(self.shown, description=task_id.partition("-")[2])
        self.tells("asking")

    def tells(self, line: str) -> None:
        """The agent says what it is doing."""
        unanswered = f"{self.in_vain} unanswered, " if self.in_vain else ""
        self.bar.update(self.shown, detail=escape(console.plain(unanswered + line)))

    def ended(self, record: GenerationRecord) -> None:
        """A task came to an end."""
        self.in_vain += not record.stop_reason.finished
        self.bar.update(self.shown, advance=1)
        if not self.as_json:
            console.say(headline(record))
            sys.stdout.flush()
        for line in {GREEDY_THINKER}.intersection(record.notes) - self.warned:
            self.warned.add(line)
            console.warn(line)

    def foresees(self, needed_s: float, line: str) -> None:
        """How long the rest will take, and when it will be done; not said of what is soon done."""
        if needed_s >= WORTH_SAYING_S:
            end = datetime.now().astimezone() + timedelta(seconds=needed_s)
            console.note(f"{line}; expected end {end:%a %H:%M}")

    def unanswered(self, task_id: str, error: MachineError) -> None:
        """A task got no answer."""
        self.in_vain += 1
        self.bar.update(self.shown, advance=1)
        console.fail(f"{task_id}: {error}")


def headline(record: GenerationRecord) -> str:
    """One line on how a generation ended."""
    parts = [f"{record.task_id}: {record.stop_reason}"]
    if record.project is not msgspec.UNSET:
        files = record.project.files
        parts.append(f"{files} file{'' if files == 1 else 's'}")
    if record.usage is not msgspec.UNSET and record.usage.output_tokens is not msgspec.UNSET:
        parts.append(f"{record.usage.output_tokens} tokens out")
    parts.append(f"{record.wall_s:.1f} s")
    return ", ".join(parts) + (f" ({record.reason})" if record.reason else "")


def conclude(tally: Tally, output: OutputFolder, *, as_json: bool) -> int:
    """Say what came of all tasks, and give the exit status."""
    if as_json:
        console.emit_json(_result(tally, output))
    elif tally.ended or tally.kept:
        console.say(_summary(tally))
    left = f"{len(tally.left)} of {len(tally.left) + _finished(tally)} tasks left"
    if tally.interrupted:
        console.fail(f"interrupted with {left}: {' '.join(tally.left)}")
    elif tally.outage:
        console.fail(f"{tally.outage}; {left}, the same command goes on")
    elif tally.out_of_time:
        console.fail(f"the time budget is used up; {left}, the same command goes on")
    elif tally.left:
        console.fail(f"{left}, the same command goes on: {' '.join(tally.left)}")
    if tally.interrupted:
        console.note(f"to go on: {shlex.join(['klein-bench', *sys.argv[1:]])}")
        return ExitStatus.INTERRUPTED
    return ExitStatus.MACHINERY if tally.left or tally.outage else ExitStatus.DONE


def _finished(tally: Tally) -> int:
    return len(tally.kept) + sum(record.stop_reason.finished for record in tally.ended)


def _summary(tally: Tally) -> str:
    counts = {reason: sum(r.stop_reason is reason for r in tally.ended) for reason in StopReason}
    parts = [f"{count} {reason}" for reason, count in counts.items() if count]
    parts += [f"kept {len(tally.kept)}"] if tally.kept else []
    return f"asked {len(tally.ended)}: {', '.join(parts)}" if tally.ended else ", ".join(parts)


def _result(tally: Tally, output: OutputFolder) -> dict[str, Any]:
    return {
        "output": str(output.folder),
        "asked": [
            {
                "task_id": record.task_id,
                "stop_reason": record.stop_reason,
                "record": str(output.record(record.task_id)),
                **({"reason": record.reason} if record.reason else {}),
            }
            for record in tally.ended
        ],
        "kept": list(tally.kept),
        "left": tally.left,
    }
