"""Level 2: a live agent, by the hook of agents, in the sandbox with the tool on its PATH.

The agent is told the prompt and the path of its folder. Checks, what they expect, and the registry
of distractors are not part of anything that it is handed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from kcb_core.codec import convert
from kcb_core.errors import MachineError
from kcb_core.provenance import revision
from kcb_core.roles import ActingAgent, Generated, Generation, Ground
from kcb_core.run_record import StatedUsage
from kcb_core.scrubber import Scrubber
from kcb_core.transcript import TRANSCRIPT_FORMAT, TRANSCRIPT_KIND, Action, End, Head, Outcome
from kcb_core.transcript_file import Transcript, TranscriptWriter, read_transcript
from kcb_core.trial import (
    FORMAT_VIOLATION,
    Attribution,
    BoundName,
    Bounds,
    StepOutcome,
    TrialFault,
    TrialReport,
)
from kcb_suites.drills.check_engine import judge, status_of
from kcb_suites.drills.drill import Drill
from kcb_suites.drills.evidence import Ending, Evidence, SeenStep, look_at
from kcb_suites.drills.played import Played
from kcb_suites.drills.provisioning import Bench
from kcb_suites.drills.trial_reports import Sheet

TOO_MANY_REQUESTS = 429

_STOPS = {"turns": BoundName.TURNS, "time": BoundName.WALL, "tokens": BoundName.TOKENS}
"""Stop reasons of an agent that are bounds of a trial."""

_ENDINGS = {
    **dict.fromkeys(_STOPS, Ending.STOPPED),
    "invalid_output": Ending.INVALID,
    "rate_limited": Ending.PUT_OFF,
}
"""Any other stop reason is the agent's own end: what lies there is what it left."""

_NOTHING_KNOWN = ("context_cut",)
_CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One drill by one model, once."""

    drill: Drill
    agent: ActingAgent
    settings: Mapping[str, Any]
    """What is set of the model; its id is ``model``."""
    options: Mapping[str, str] = field(default_factory=dict)
    """What is set of the agent, besides the bounds of the drill."""
    repetition: int = 0
    instead_of: str = ""
    """The model that was configured, if this one stands in for it."""
    secrets: tuple[str, ...] = ()

    @property
    def model(self) -> str:
        """Id of the model, verbatim."""
        return str(self.settings["model"])


def act(bench: Bench, cell: Cell, transcript: Path, tell: Callable[[str], None]) -> TrialReport:
    """The report of one live trial.

    Args:
        bench: where the tool is.
        cell: what is tried.
        transcript: a file that is not there yet, for all that was asked, answered and done.
        tell: told of whatever makes the caller wait, in one line.

    Raises:
        DeclarationError: a setting of the agent is wrong, or the tool does not start.
        MachineError: the endpoint or this machine failed; nothing is said of the model.
        KeyboardInterrupt: it was cancelled.
    """
    bench.require_tool()
    sheet = Sheet(drill=cell.drill, tool_version=bench.version, level=2)
    with bench.ground(cell.drill) as ground:
        before = look_at(ground.folder, cell.drill.paths)
        generated = _generate(cell, ground, transcript, tell)
        after = look_at(ground.folder, cell.drill.paths)
    _require_known(generated)
    played = _played(read_transcript(transcript), before, after, _ending(generated))
    outcomes = judge(cell.drill.checks, played.evidence)
    status = status_of(outcomes, played.evidence)
    return sheet.report(
        status,
        outcomes,
        _bounds(generated),
        model=cell.model,
        repetition=cell.repetition,
        instead_of=cell.instead_of,
        steps=tuple(played.steps()),
        **_told(generated),
    )


def _generate(
    cell: Cell, ground: Ground, transcript: Path, tell: Callable[[str], None]
) -> Generated:
    bounds = cell.drill.bounds
    applied = {
        "turns": str(bounds.turns),
        "seconds": f"{bounds.wall_s:g}",
        "tokens": str(bounds.estimated_tokens),
        "command_s": f"{bounds.command_s:g}",
    }
    head = Head(
        kind=TRANSCRIPT_KIND,
        format=TRANSCRIPT_FORMAT,
        name=cell.drill.drill,
        agent=cell.agent.name,
        agent_version=cell.agent.version,
        generator=revision("kcb-suites"),
        started=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    scrubber = Scrubber(cell.secrets)
    with (
        TemporaryDirectory(prefix="kcb-drill-") as empty,
        TranscriptWriter(transcript, head, scrubber=scrubber) as writer,
    ):
        generation = Generation(
            prompt=cell.drill.prompt,
            project=Path(empty),
            transcript=writer,
            name=cell.drill.drill,
            settings=cell.settings,
            options={**applied, **cell.options},
            tell=tell,
        )
        generated = cell.agent.act(generation, ground)
        writer.record(End(stop_reason=generated.stop_reason))
    return generated


def _require_known(generated: Generated) -> None:
    """Refuse a trial of which nothing is known, by what ended it."""
    if generated.stop_reason == _CANCELLED:
        raise KeyboardInterrupt
    reason = generated.record.get("reason", "")
    if generated.stop_reason in _NOTHING_KNOWN:
        raise MachineError(f"the server left out a part of the prompt: {reason}")
    if _ending(generated) is Ending.PUT_OFF and not _delays(generated):
        raise MachineError(f"the endpoint put the trial off for longer than is waited: {reason}")


def _ending(generated: Generated) -> Ending:
    return _ENDINGS.get(generated.stop_reason, Ending.DONE)


def _played(
    transcript: Transcript,
    before: Mapping[str, bytes | None],
    after: Mapping[str, bytes | None],
    ending: Ending,
) -> Played:
    """What the transcript holds of actions and outcomes; what the agent said is left there."""
    commands: list[str] = []
    steps: list[SeenStep] = []
    for event in (entry.event for entry in transcript.entries):
        if isinstance(event, Action):
            commands.append(event.arguments)
            steps.append(SeenStep(outcome=StepOutcome.NOT_SPAWNED))
        elif isinstance(event, Outcome) and steps and event.ending != "refused":
            steps[-1] = _seen(event, transcript)
    evidence = Evidence(steps=tuple(steps), before=before, after=after, ending=ending)
    return Played(commands=tuple(commands), evidence=evidence)


def _seen(outcome: Outcome, transcript: Transcript) -> SeenStep:
    status = 0 if outcome.status is msgspec.UNSET else outcome.status
    killed = outcome.ending not in ("exited", "signalled")
    streams = [
        b"" if stream is msgspec.UNSET else transcript.stream(stream)
        for stream in (outcome.stdout, outcome.stderr)
    ]
    return SeenStep(
        outcome=StepOutcome.TERMINATED if killed else StepOutcome.COMPLETED,
        exit_status=None if killed else -status if outcome.ending == "signalled" else status,
        stdout=streams[0],
        stderr=streams[1],
    )


def _bounds(generated: Generated) -> Bounds:
    """The bounds as the agent says that it applied them."""
    applied = generated.record["bounds"]
    return Bounds(
        turns=applied["turns"],
        wall_s=applied["seconds"],
        estimated_tokens=applied["tokens"],
        command_s=applied["command_s"],
    )


def _delays(generated: Generated) -> tuple[float, ...]:
    """What was waited after each answer that there were too many requests."""
    attempts = generated.record.get("attempts", ())
    limited = [one for one in attempts if one.get("status") == TOO_MANY_REQUESTS]
    return tuple(one["wait_s"] for one in limited if one.get("wait_s"))


def _told(generated: Generated) -> dict[str, Any]:
    """What a report says of how the agent ended, and of what it used."""
    record = generated.record
    told: dict[str, Any] = {"retry_delays_s": _delays(generated)}
    if generated.stop_reason in _STOPS:
        told["bound_reached"] = _STOPS[generated.stop_reason]
    if _ending(generated) is Ending.INVALID:
        reason = record.get("reason", "") or "two replies in a row were no action"
        told["fault"] = TrialFault(fault=Attribution.AGENT, code=FORMAT_VIOLATION, reason=reason)
    if "tokens_estimated" in record.get("totals", {}):
        told["estimated_tokens"] = record["totals"]["tokens_estimated"]
    if "usage" in record:
        told["usage"] = convert(record["usage"], StatedUsage, source="usage")
    return told
