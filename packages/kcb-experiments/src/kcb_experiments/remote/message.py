"""What travels between an experiment and the workers of a cluster."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import msgspec

from kcb_core.execution import Casting, Left
from kcb_core.limits import TaskBudget
from kcb_core.report import DatasetStamp
from kcb_core.run_record import RunRecord, StatedUsage, Usage
from kcb_core.tasksets import Brief
from kcb_experiments.remote.parcel import Parcel


@dataclass(frozen=True, slots=True, kw_only=True)
class Commission:
    """One cell, as it travels to a worker. Credentials do not: they are the worker's own."""

    token: str
    """Names this try at the cell and no other."""
    topic: str
    """Where the experiment hears of it."""
    name: str
    task: Brief
    """Without what lays out its workspace, which only the experiment's machine has."""
    start: Parcel | None
    """What lies in the workspace at first."""
    budget: TaskBudget | None
    tokens: int | None
    dataset: DatasetStamp
    casting: Casting
    seconds: float
    third_party: bool


class Word(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a worker says of a cell while it is there."""

    token: str
    number: int
    """From 0 on, which is when it asks to begin."""
    event: str
    """``here``, ``asked``, ``answered``, ``told`` or ``over``."""
    address: str = ""
    """The worker's own."""
    usage: StatedUsage | None = None
    dollars: float | None = None
    line: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Homecoming:
    """What comes back of a cell."""

    words: tuple[Word, ...]
    """All that was said, since what is said while it runs may be lost."""
    left: dict[str, Any]
    """What the executor saw, but for places of files."""
    run_record: bytes
    """As JSON."""
    host: str
    parcel: Parcel
    project: bool
    """Whether there is a project."""
    record: str = ""
    """Name of the file that says how it was made."""
    refused: str = ""
    """Why nothing was begun, if so."""


_CARRIED = (
    *("started", "cancelled", "raised", "timed_out", "killed", "returned"),
    *("stop_reason", "reason", "waited_s"),
)


def carried(left: Left) -> dict[str, Any]:
    """What an executor saw, as it travels."""
    return {name: getattr(left, name) for name in _CARRIED}


def usage_of(usage: Usage | None) -> StatedUsage | None:
    """A usage as it travels."""
    if usage is None:
        return None
    return msgspec.convert(msgspec.to_builtins(usage), StatedUsage)


def run_record_of(home: Homecoming) -> RunRecord:
    """What is known of how the project was made."""
    return msgspec.json.decode(home.run_record, type=RunRecord)


@dataclass(slots=True, kw_only=True)
class Standing:
    """What a worker was told of one cell; whoever runs it looks here."""

    may_begin: bool | None = None
    """None as long as nobody has said anything."""
    stop: bool = False
    used_up: str = ""
    renewed: float = field(default=0.0)
    """When the experiment was last heard of, on the monotonic clock."""
