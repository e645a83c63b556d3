"""How a project was made: one file for each, with all that was asked and answered."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec

from kcb_agents.endpoint.retry import Attempt
from kcb_agents.endpoint.server import Server
from kcb_agents.preamble import PreambleStamp
from kcb_core.codec import decode, encode
from kcb_core.errors import DataError
from kcb_core.provenance import Revision
from kcb_core.report import DatasetStamp, SourceStamp
from kcb_core.run_record import RunRecord, Usage
from kcb_core.storage import read_bounded, write_whole

RECORD_KIND = "generation"
RECORD_FORMAT = 1


class StopReason(StrEnum):
    """Why a generation ended. It explains, and decides nothing but whether there is a project."""

    DONE = "done"
    """There is a project, and the model ended by itself."""
    TURNS = "turns"
    """A bound on turns ended it; what is there is the project."""
    TIME = "time"
    """A bound on time ended it while the model was at work; what is there is the project."""
    TOKENS = "tokens"
    """A bound on tokens ended it; what is there is the project."""
    DOLLARS = "dollars"
    """A bound on cost ended it; what is there is the project."""
    OUTPUT_LIMIT = "output_limit"
    """An output limit cut the reply; what is whole of it is the project."""
    CONTEXT_CUT = "context_cut"
    """The server left out a part of the prompt, by its own count; nothing is known of the model."""
    REASONING_ONLY = "reasoning_only"
    """The model thought, and said nothing."""
    REPETITION = "repetition"
    """The model said the same over and over; what is there is the project."""
    PROGRAM_FAILED = "program_failed"
    """An external program said that it failed, or was ended for what it used of this machine; what
    is there is the project."""
    NO_PROJECT = "no_project"
    """The reply, or the folder, holds no files, or none that may be a project."""
    INVALID_OUTPUT = "invalid_output"
    """The reply holds text that no file can hold, or two in a row are no action."""
    RATE_LIMITED = "rate_limited"
    """The endpoint put us off; nothing is known of the model."""
    CANCELLED = "cancelled"
    """The user stopped it; nothing is known of the model."""

    @property
    def finished(self) -> bool:
        """Whether the model had its turn, so that the task is not asked again."""
        return self not in _VOID


_VOID = frozenset({StopReason.CONTEXT_CUT, StopReason.RATE_LIMITED, StopReason.CANCELLED})


class ModelIds(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Which model, verbatim."""

    asked: str
    """The id that was asked for."""
    answered: str = ""
    """The id that the endpoint says has answered."""


class EndpointStamp(msgspec.Struct, frozen=True, kw_only=True):
    """Where a model answered."""

    api: str
    """The form in which it was asked, such as ``openai``."""
    base_url: str
    """Its address, without credentials."""


class TranscriptStamp(msgspec.Struct, frozen=True, kw_only=True):
    """Which transcript."""

    file: str
    """Path of it below the folder of records."""
    sha256: str


class ProgramStamp(msgspec.Struct, frozen=True, kw_only=True):
    """Which external program, as it was declared."""

    name: str
    sha256: str
    """SHA-256 of its declaration as canonical JSON."""
    argv: tuple[str, ...]
    """Its command line, with placeholders."""
    result: str
    """How it says whether it completed."""
    effort: str = ""
    """Reasoning effort that it was told, in its own words; empty if it was told none."""


class GenerationRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How one project was made. Everything behind ``stop_reason`` depends on the agent."""

    kind: str
    """Always ``generation``."""
    format: int
    task_id: str
    dataset: DatasetStamp
    generator: Revision
    """The code that asked the agent."""
    agent: str
    """Name of the agent."""
    agent_version: str
    options: dict[str, str] = msgspec.field(default_factory=dict)
    """Options of the agent that the caller set."""
    settings: dict[str, Any]
    """What the caller set; parameters that stand here were sent, and no others."""
    prompt_sha256: str
    """SHA-256 of the prompt."""
    started: str
    """When it began, as a label only: ISO 8601 in UTC."""
    wall_s: float
    """Wall time in seconds, waits included."""
    stop_reason: StopReason
    reason: str = ""
    """What the stop reason leaves open, in one line."""
    fault: str = ""
    """Code of a fault of the agent, such as ``ERR_ACTION_FORMAT_VIOLATION``."""
    project: SourceStamp | msgspec.UnsetType = msgspec.UNSET
    """The files in the project's folder; left out if there is no folder."""
    run_record: RunRecord
    """What ``evaluate --record`` takes of it."""

    model: ModelIds | msgspec.UnsetType = msgspec.UNSET
    endpoint: EndpointStamp | msgspec.UnsetType = msgspec.UNSET
    server: Server | msgspec.UnsetType = msgspec.UNSET
    """What the server says of itself and of the model."""
    preamble: PreambleStamp | msgspec.UnsetType = msgspec.UNSET
    program: ProgramStamp | msgspec.UnsetType = msgspec.UNSET
    """The program that wrote the project, if it was an external one."""
    finish_reason: str = ""
    """Why the model ended, in the endpoint's own word."""
    usage: Usage | msgspec.UnsetType = msgspec.UNSET
    """Tokens as far as the endpoint stated them."""
    attempts: tuple[Attempt, ...] = ()
    """Every request, with what was waited after it."""
    waited_s: float = 0.0
    """Wall time of the waits between requests, in seconds."""
    reply: str = ""
    """What the model said, verbatim."""
    reasoning: str = ""
    """What it thought, where the endpoint gives that apart."""
    notes: tuple[str, ...] = ()
    """What else a reader should know, one line each."""
    totals: dict[str, Any] = msgspec.field(default_factory=dict)
    """What was used of each bound, and what it cost."""
    bounds: dict[str, Any] = msgspec.field(default_factory=dict)
    """What the trial was limited by."""
    confinement: dict[str, Any] = msgspec.field(default_factory=dict)
    """What the agent's commands were kept from."""
    egress: dict[str, Any] = msgspec.field(default_factory=dict)
    """By which proxy the program reached the network, and what the record of that comes to."""
    transcript: TranscriptStamp | msgspec.UnsetType = msgspec.UNSET
    """Where all stands that was asked, answered and done."""


def write_record(record: GenerationRecord, path: Path) -> None:
    """Store a record, whole or not at all; errors as in ``write_whole``."""
    write_whole(path, encode(record))


def read_record(path: Path) -> GenerationRecord:
    """The record in a file.

    Raises:
        DeclarationError: the file cannot be read.
        DataError: it holds no record, or one of a newer format; the field is named.
    """
    source = str(path)
    record = decode(read_bounded(path), GenerationRecord, source=source)
    if record.kind != RECORD_KIND:
        raise DataError(f"{source}: field 'kind': {record.kind!r} is not {RECORD_KIND!r}")
    if not 1 <= record.format <= RECORD_FORMAT:
        raise DataError(
            f"{source}: field 'format': {record.format} is not known, this version reads "
            f"{RECORD_FORMAT}; upgrade kcb-agents"
        )
    return record
