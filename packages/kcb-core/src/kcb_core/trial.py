"""Trial reports: what came of one trial of one drill, one JSON file each.

The contract between tools: whatever tests a command-line tool with an agent can write such a file,
and reports of different tools are counted together without knowing the tools. The values and their
rules alone; who checks, counts and routes lives elsewhere.

Three vocabularies are kept apart and are three types: the *status* of a trial, the *attribution* of
a failure to the agent or to the tool, and the *code* that classes an agent's fault.

Source: the evals guidelines (report contract, maintenance and routing of drill batteries).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, NewType

import msgspec

from kcb_core.codec import decode_kind, encode
from kcb_core.errors import DataError, UnknownNameError
from kcb_core.provenance import Revision
from kcb_core.report import Document
from kcb_core.run_record import StatedUsage
from kcb_core.storage import read_bounded, write_whole

TRIAL_KIND = "trial-report"
TRIAL_VERSION = 1

LEAST_RETRY_DELAY_S = 2.0
"""Shortest wait before an endpoint that answered 429 is asked once more, in seconds."""

_CODE = r"^ERR_[A-Z0-9]+(_[A-Z0-9]+)*$"

Code = NewType("Code", str)
"""A code that classes an agent's fault, such as ``ERR_ACTION_FORMAT_VIOLATION``."""

FORMAT_VIOLATION = Code("ERR_ACTION_FORMAT_VIOLATION")
TOOL_HALLUCINATION = Code("ERR_TOOL_EXECUTION_HALLUCINATION")

_Name = Annotated[str, msgspec.Meta(min_length=1)]
_Level = Annotated[int, msgspec.Meta(ge=0, le=2)]
_Count = Annotated[int, msgspec.Meta(ge=0)]
_Seconds = Annotated[float, msgspec.Meta(ge=0)]
_Stored = Annotated[Code, msgspec.Meta(pattern=_CODE)]


class TrialStatus(StrEnum):
    """What came of a trial."""

    PASSED = "passed"
    """Every check passed."""
    FAILED = "failed"
    """A check did not pass, or a bound ended the trial."""
    RATE_LIMITED = "rate_limited"
    """The model's endpoint put it off; nothing is said of the model or of the tool."""
    INVALID_OUTPUT = "invalid_output"
    """The agent did not keep to the form of an action; that is its fault."""


class Attribution(StrEnum):
    """Whose fault a failure is."""

    TOOL = "tool"
    """The tool's: it has no code and becomes a ticket."""
    AGENT = "agent"
    """The agent's: it has exactly one code."""


class CheckStatus(StrEnum):
    """What came of one check."""

    PASSED = "passed"
    FAILED = "failed"
    INDETERMINATE = "indeterminate"
    """Nothing can be said: the trial ended before, or a terminated command left its state open."""


class Channel(StrEnum):
    """The part of a tool's output that a check probes."""

    SUGGESTIONS = "suggestions"
    """Hints in its messages."""
    ENVELOPE = "envelope"
    """Its JSON on standard output."""
    MANAGED_BLOCK = "managed-block"
    """Text that it keeps inside a file."""
    ARTIFACT = "artifact"
    """A file that it makes."""


class StepOutcome(StrEnum):
    """What became of one action."""

    COMPLETED = "completed"
    """Its command ran and ended."""
    TERMINATED = "terminated"
    """Its command ran over the limit for one command and was killed."""
    NOT_SPAWNED = "not_spawned"
    """No process was started for it, whatever the agent says."""


class BoundName(StrEnum):
    """A bound that ends a trial."""

    TURNS = "turns"
    WALL = "wall"
    TOKENS = "tokens"


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultCode:
    """One code of the taxonomy of agents' faults, with what it means."""

    code: str
    """``ERR_`` and words in capitals, joined by underscores."""
    summary: str
    """One line that tells it from the others."""

    def __post_init__(self) -> None:
        if not re.fullmatch(_CODE, self.code):
            raise ValueError(f"{self.code!r} is no fault code: it must read like ERR_SOME_WORDS")


class Bounds(Document, frozen=True, kw_only=True):
    """The bounds that were applied, with their values; a row of level 2 has all but the last."""

    turns: _Count | msgspec.UnsetType = msgspec.UNSET
    """Most turns, re-asks among them."""
    wall_s: _Seconds | msgspec.UnsetType = msgspec.UNSET
    """Longest wall time in seconds."""
    estimated_tokens: _Count | msgspec.UnsetType = msgspec.UNSET
    """Most tokens by the heuristic: characters over four of all prompts and completions. They are
    never mixed with the tokens that a provider states."""
    command_s: _Seconds | msgspec.UnsetType = msgspec.UNSET
    """Longest wall time of one command in seconds; it ends the command and not the trial."""

    def value(self, bound: BoundName) -> float | msgspec.UnsetType:
        """The value of a bound that ends a trial."""
        return {
            BoundName.TURNS: self.turns,
            BoundName.WALL: self.wall_s,
            BoundName.TOKENS: self.estimated_tokens,
        }[bound]


class CheckOutcome(Document, frozen=True, kw_only=True):
    """What one declared check came to."""

    check: _Name
    """Its name, each once in a report."""
    status: CheckStatus
    reason: str
    """Why, for people and tickets; nothing parses it."""
    channel: Channel | msgspec.UnsetType = msgspec.UNSET
    """What the check probes; without it a fault is never routed to a channel."""
    fault: Attribution | msgspec.UnsetType = msgspec.UNSET
    """Whose fault it is, given exactly if the check failed."""
    code: _Stored | msgspec.UnsetType = msgspec.UNSET
    """Which fault of the agent, given exactly if it is the agent's."""

    def __post_init__(self) -> None:
        if (self.status is CheckStatus.FAILED) != (self.fault is not msgspec.UNSET):
            raise ValueError("field 'fault' goes with the status 'failed' and no other")
        if (self.fault is Attribution.AGENT) != (self.code is not msgspec.UNSET):
            raise ValueError("field 'code' goes with the fault 'agent' and no other")


class TrialFault(Document, frozen=True, kw_only=True):
    """The agent's fault that made a trial's output invalid; it is of no check and no channel."""

    fault: Attribution
    code: _Stored
    reason: str

    def __post_init__(self) -> None:
        if self.fault is not Attribution.AGENT or self.code != FORMAT_VIOLATION:
            raise ValueError(f"the fault of a whole trial is the agent's, {FORMAT_VIOLATION}")


class Step(Document, frozen=True, kw_only=True):
    """One action of the agent."""

    command: str
    """The command line, verbatim."""
    executed: bool
    """Whether a process was started for it."""
    outcome: StepOutcome
    exit_status: int | msgspec.UnsetType = msgspec.UNSET
    """Exit status of a command that ended, negative for a signal."""

    def __post_init__(self) -> None:
        if self.executed != (self.outcome is not StepOutcome.NOT_SPAWNED):
            raise ValueError("field 'executed' is false exactly if the outcome is 'not_spawned'")
        if self.exit_status is not msgspec.UNSET and self.outcome is not StepOutcome.COMPLETED:
            raise ValueError("field 'exit_status' goes with the outcome 'completed' and no other")


class TrialReport(Document, frozen=True, kw_only=True):
    """What came of one trial."""

    kind: str
    """Always ``trial-report``."""
    report_version: int
    drill: _Name
    """Name of the drill."""
    tool: _Name
    """Name of the tool that the drill is about."""
    status: TrialStatus
    checks: Annotated[tuple[CheckOutcome, ...], msgspec.Meta(min_length=1)]
    """One for each check that the drill declares, whatever came of it."""
    bounds: Bounds

    level: _Level | msgspec.UnsetType = msgspec.UNSET
    """0: static, 1: replay of an authored trajectory, 2: a live model. If it is left out, a row
    with a model is of level 2."""
    model: str = ""
    """Id of the model that produced the trajectory, verbatim; level 2 always has it."""
    repetition: _Count | msgspec.UnsetType = msgspec.UNSET
    """From 0 for each drill and model; level 2 always has it."""
    instead_of: str = ""
    """The model that was configured for this cell, where another stood in for it."""

    bound_reached: BoundName | msgspec.UnsetType = msgspec.UNSET
    """The bound at which the trial was stopped; the stop itself is nobody's fault."""
    fault: TrialFault | msgspec.UnsetType = msgspec.UNSET
    """Given exactly if the status is ``invalid_output``."""
    retry_delays_s: tuple[_Seconds, ...] = ()
    """What was waited before each retry after an answer 429, in seconds."""
    steps: tuple[Step, ...] = ()
    """Every action, in order."""
    estimated_tokens: _Count | msgspec.UnsetType = msgspec.UNSET
    """What the trial came to by the heuristic of its bound."""
    usage: StatedUsage | msgspec.UnsetType = msgspec.UNSET
    """Tokens as far as the provider stated them."""

    contrived: bool = False
    """Whether the drill's failures are injected or contrived."""
    stress_test: bool = False
    """Whether the drill tests a channel and derives from no failure that was observed."""
    failure_source: str = ""
    """The observed failure that the drill derives from: an entry, a note or a ticket."""
    tool_version: str = ""
    harness: Revision | msgspec.UnsetType = msgspec.UNSET
    """The code that ran the trial."""
    wall_s: _Seconds = 0.0
    """Wall time of the trial in seconds."""
    finished: str = ""
    """When it was finished, as a label only: ISO 8601 in UTC."""

    @property
    def live(self) -> bool:
        """Whether a live model acted: level 2."""
        return self.level == 2 if self.level is not msgspec.UNSET else bool(self.model)

    def __post_init__(self) -> None:
        for fault in _contradictions(self):
            raise ValueError(fault)


def agent_codes(report: TrialReport) -> Iterator[tuple[str, Code]]:
    """Every code in a report, with the field that it stands in."""
    if report.fault is not msgspec.UNSET:
        yield "fault.code", report.fault.code
    for index, check in enumerate(report.checks):
        if check.code is not msgspec.UNSET:
            yield f"checks[{index}].code", check.code


def write_trial(report: TrialReport, path: Path) -> None:
    """Store a report, whole or not at all; errors as in ``write_whole``."""
    write_whole(path, encode(report))


def read_trial(path: Path, codes: Iterable[str]) -> TrialReport:
    """The trial report in a file.

    Args:
        path: the file.
        codes: the codes that are known, as the catalog gives them.

    Raises:
        DeclarationError: the file cannot be read.
        DataError: it holds no trial report, one of a newer version, one that contradicts itself,
            or one with a code that is not known; the field is named.
    """
    source = str(path)
    report = decode_kind(
        read_bounded(path),
        TrialReport,
        kind=TRIAL_KIND,
        newest=TRIAL_VERSION,
        source=source,
        version="report_version",
    )
    known = set(codes)
    for field, code in agent_codes(report):
        if code not in known:
            why = UnknownNameError("fault code", code, sorted(known))
            raise DataError(f"{source}: field '{field}': {why}; install the plug-in that brings it")
    return report


def _contradictions(report: TrialReport) -> Iterator[str]:
    """What a report says that cannot be true together."""
    names = Counter(check.check for check in report.checks)
    for name, times in names.items():
        if times > 1:
            yield f"field 'checks' has {name!r} twice"
    yield from _by_status(report)
    yield from _by_level(report)
    if report.instead_of and report.instead_of == report.model:
        yield "field 'instead_of': a model does not stand in for itself"
    if report.stress_test and report.failure_source:
        yield "a drill has a 'failure_source' or is a 'stress_test', not both"
    if any(delay < LEAST_RETRY_DELAY_S for delay in report.retry_delays_s):
        yield f"field 'retry_delays_s': a retry waits at least {LEAST_RETRY_DELAY_S:g} s"


def _by_status(report: TrialReport) -> Iterator[str]:
    found = {check.status for check in report.checks}
    all_passed = found == {CheckStatus.PASSED}
    stopped = report.bound_reached is not msgspec.UNSET
    if (report.status is TrialStatus.INVALID_OUTPUT) != (report.fault is not msgspec.UNSET):
        yield "field 'fault' goes with the status 'invalid_output' and no other"
    if report.status is TrialStatus.PASSED and not all_passed:
        yield "a trial that passed has passed every check"
    if report.status is TrialStatus.FAILED and all_passed and not stopped:
        yield "a trial that failed has a check that did not pass, or a bound that it reached"
    if report.status is TrialStatus.RATE_LIMITED:
        if CheckStatus.FAILED in found:
            yield "a trial that was rate limited has no fault, so no check of it failed"
        if not report.retry_delays_s:
            yield "field 'retry_delays_s': a trial is rate limited after a retry, with its delay"
    if report.bound_reached is not msgspec.UNSET:
        if report.status is not TrialStatus.FAILED:
            yield "a trial that was stopped at a bound has failed"
        if report.bounds.value(report.bound_reached) is msgspec.UNSET:
            yield f"field 'bound_reached': 'bounds' has no value of {report.bound_reached}"


def _by_level(report: TrialReport) -> Iterator[str]:
    if not report.live:
        return
    if not report.model:
        yield "field 'model': a row of level 2 names its model"
    if report.repetition is msgspec.UNSET:
        yield "field 'repetition': a row of level 2 has its repetition, from 0"
    for bound in BoundName:
        if report.bounds.value(bound) is msgspec.UNSET:
            yield f"field 'bounds': a row of level 2 has the bound of {bound}"
    if report.status is TrialStatus.PASSED and not any(step.executed for step in report.steps):
        yield "a trial of level 2 without an executed step has not passed"
