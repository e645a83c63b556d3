"""Where the tasks of experiments come from: sets of tasks, and the kinds of them.

A set is a dataset of programs to be written from nothing, a suite of repositories to be worked on,
or whatever else a plug-in brings. Who runs an experiment knows none of these kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, runtime_checkable

from kcb_core.limits import TaskBudget
from kcb_core.report import DatasetStamp
from kcb_core.roles import DatasetSource


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """One task as an agent gets it; nothing by which it is judged is in it."""

    task_id: str
    prompt: str
    """All that the agent is told of it."""
    lay_out: Callable[[Path], None] | None = None
    """Makes a new folder with what lies in the workspace at first; None if that is empty.

    It raises DataError where what is stored is not what was pinned, and MachineError."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Options of the agent that come with the task, such as the script that plays it."""


class TaskSet(Protocol):
    """A set of tasks that is open."""

    @property
    def stamp(self) -> DatasetStamp:
        """Which set, with the denominators of its score."""
        ...

    @property
    def task_ids(self) -> tuple[str, ...]:
        """Ids of all its tasks, in order."""
        ...

    @property
    def verifier(self) -> str:
        """Name of the verifier that judges its tasks."""
        ...

    @property
    def scripted(self) -> bool:
        """Whether only agents that ask no model may work on it."""
        ...

    def members(self, subset: str) -> tuple[str, ...]:
        """Ids of the tasks in a part of it that has a name.

        Raises:
            UnknownNameError: there is no such part.
        """
        ...

    def brief(self, task_id: str) -> Brief:
        """One task.

        Raises:
            UnknownNameError: there is none of this id.
            DataError: what is stored of it is not what was pinned, or malformed.
        """
        ...

    def budgets(self, task_ids: Sequence[str]) -> Mapping[str, TaskBudget]:
        """What these tasks allow an agent, by id, as far as they say it themselves."""
        ...

    def options(self, task_ids: Sequence[str]) -> Mapping[str, Mapping[str, str]]:
        """The options of the agent that come with these tasks, by id, as in their briefs."""
        ...

    def pins(self, task_ids: Sequence[str]) -> Mapping[str, str]:
        """Digests of what these tasks' results depend on beside the manifest, by name."""
        ...

    def unmet(self, task_ids: Sequence[str]) -> tuple[str, ...]:
        """What this machine lacks for these tasks, one line each."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Whereabouts:
    """Where a source looks for sets."""

    path: Path | None = None
    """Only here, if somebody says where."""
    datasets: Sequence[DatasetSource] = ()
    """What installed distributions hold."""


@runtime_checkable
class TaskSource(Protocol):
    """One kind of sets of tasks."""

    @property
    def name(self) -> str:
        """What a set of its kind is called, such as ``dataset``."""
        ...

    def sets(self, at: Whereabouts) -> Mapping[str, Callable[[], TaskSet]]:
        """The sets that are there by name, each to be opened; no two kinds share a name.

        Raises:
            DeclarationError: a path was named, and holds no set of this kind.
            DataError: what is there is malformed.
        """
        ...
