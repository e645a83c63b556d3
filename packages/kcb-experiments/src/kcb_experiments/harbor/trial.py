"""What Harbor stores of a trial, as far as it is read here: formats of version 0.26."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import msgspec

from kcb_core.codec import decode
from kcb_core.errors import DataError
from kcb_core.storage import read_bounded
from kcb_experiments.harbor.task_folder import PROJECT, name_of

RESULT_NAME = "result.json"

JOB_PLACE = Path("harbor", "job")
"""Folder of the job whose one trial an attempt is, in the attempt's folder."""

REPORT_PLACE = Path("verifier", "report.json")
"""The report of whoever judged inside the trial, in the trial's folder."""

PROJECT_PLACE = Path("artifacts", *Path(PROJECT).parts[1:])
"""The project that was brought home, in the trial's folder."""

LATE = "AgentTimeoutError"
"""What Harbor calls it when it has cut an agent off; it judges what is there by then."""

UNJUDGED = (
    *("RewardFileNotFoundError", "RewardFileEmptyError", "VerifierOutputParseError"),
    "VerifierTimeoutError",
)
"""What Harbor calls it when the agent had come to its end and nothing came of judging."""

_SCHEMA_VERSION = 1


class Span(msgspec.Struct, frozen=True):
    """A part of a trial."""

    started_at: datetime | None = None
    finished_at: datetime | None = None

    @property
    def seconds(self) -> float:
        """How long it took by Harbor's wall clock; 0 where that is not known."""
        if self.started_at is None or self.finished_at is None:
            return 0.0
        span = self.finished_at.replace(tzinfo=None) - self.started_at.replace(tzinfo=None)
        return max(0.0, span.total_seconds())


class AgentName(msgspec.Struct, frozen=True):
    """An agent as the trial was asked for it."""

    name: str


class Config(msgspec.Struct, frozen=True):
    """What the trial was asked for."""

    agent: AgentName


class AgentInfo(msgspec.Struct, frozen=True):
    """An agent as it was played."""

    version: str = ""


class Fault(msgspec.Struct, frozen=True):
    """Why a trial did not come to its end in order."""

    exception_type: str
    exception_message: str = ""

    def __str__(self) -> str:
        return f"{self.exception_type}: {self.exception_message}".rstrip(": ")


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """``result.json`` of a trial; fields that are not read here are left out."""

    schema_version: int
    task_name: str
    config: Config
    agent_info: AgentInfo
    exception_info: Fault | None
    agent_execution: Span | None = None


@dataclass(frozen=True, slots=True)
class Trial:
    """A trial that is over."""

    folder: Path
    result: Result

    @property
    def project(self) -> Path | None:
        """The project as it was brought home; None if there is no such folder."""
        place = self.folder / PROJECT_PLACE
        inside = place.resolve() == self.folder.resolve() / PROJECT_PLACE
        return place if inside and place.is_dir() else None

    @property
    def agent_s(self) -> float:
        """How long the agent worked, in seconds."""
        return self.result.agent_execution.seconds if self.result.agent_execution else 0.0


def find_trial(attempt: Path) -> Path:
    """The folder of the one trial that an attempt was.

    Raises:
        DataError: there is none, or more than one.
    """
    found = sorted((attempt / JOB_PLACE).glob(f"*/{RESULT_NAME}"))
    if len(found) != 1:
        raise DataError(f"Harbor left results of {len(found)} trials, where one was asked for")
    return found[0].parent


def read_trial(attempt: Path, task_id: str, agent: str) -> Trial:
    """The one trial that an attempt was.

    Args:
        attempt: the attempt's folder.
        task_id: the task that was asked for.
        agent: the agent that was.

    Raises:
        DataError: there is no such trial, its result is malformed, or it is of something else.
        DeclarationError: the result cannot be read.
    """
    folder = find_trial(attempt)
    result = decode(read_bounded(folder / RESULT_NAME), Result, source=f"Harbor's {RESULT_NAME}")
    if result.schema_version != _SCHEMA_VERSION:
        raise DataError(f"Harbor's {RESULT_NAME} is of version {result.schema_version}")
    if (result.task_name, result.config.agent.name) != (name_of(task_id), agent):
        raise DataError(
            f"Harbor's {RESULT_NAME} is of agent {result.config.agent.name!r} at "
            f"{result.task_name!r}, and not of {agent!r} at {name_of(task_id)!r}"
        )
    return Trial(folder, result)
