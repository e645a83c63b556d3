"""What passes between the experiment's process and the one that runs a subject."""

from __future__ import annotations

from typing import Any

import msgspec

from kcb_core.limits import TaskBudget
from kcb_core.report import DatasetStamp
from kcb_core.run_record import RunRecord, StatedUsage

GENERATION_KIND = "attempt"
GENERATION_FORMAT = 1
GENERATION_NAME = "generation.json"
PROJECT_NAME = "project"
START_NAME = "start"
"""Beside it, while the subject works: what lay in its workspace at first."""


class WorkOrder(msgspec.Struct, frozen=True, kw_only=True):
    """One line on a worker's standard input: what it is to do."""

    name: str
    """Names the cell in records."""
    folder: str
    """The attempt's own folder."""
    dataset: DatasetStamp
    prompt: str
    task_id: str
    start: str
    """A folder with what lies in the workspace at first; empty for an empty workspace."""
    budget: TaskBudget | None
    """What the task allows by itself."""
    tokens: int | None
    """Most tokens that the agent may use of a model."""
    agent: str
    settings: dict[str, Any]
    options: dict[str, str]
    credentials: tuple[str, ...]
    """Variables of its environment whose values are secret."""
    third_party: bool


class Signal(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line on a worker's standard output."""

    event: str
    """``alive``, ``asked``, ``answered`` or ``told``."""
    waited_s: float = 0.0
    """How long it has waited so far for an endpoint that others use."""
    usage: StatedUsage | msgspec.UnsetType = msgspec.UNSET
    dollars: float | msgspec.UnsetType = msgspec.UNSET
    line: str = ""


class GenerationRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """``generation.json``: how one attempt's project was made, as a worker stores it."""

    kind: str
    """Always ``attempt``."""
    format: int
    cell: str
    task_id: str
    dataset: DatasetStamp
    agent: str
    agent_version: str = ""
    settings: dict[str, Any] = msgspec.field(default_factory=dict)
    options: dict[str, str] = msgspec.field(default_factory=dict)
    prompt_sha256: str
    started: str
    """When it began, as a label only: ISO 8601 in UTC."""
    wall_s: float = 0.0
    waited_s: float = 0.0
    """The part of it for which it waited for an endpoint that others use."""
    stop_reason: str = ""
    """Left out if the agent failed."""
    reason: str = ""
    error: str = ""
    """Why the agent failed; nothing is then said of the model."""
    run_record: RunRecord
    """What is known of how the project was made; it may be nothing."""
    said: dict[str, Any] = msgspec.field(default_factory=dict)
    """Whatever else the agent says."""
