"""The roles that run the cells of experiments: what runs a subject once, and what judges it.

An executor prepares, starts one subject, and says what it saw; a verifier turns what the subject
left into a score. Neither knows of attempts, budgets or logs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from kcb_core.limits import TaskBudget
from kcb_core.report import DatasetStamp
from kcb_core.roles import Agent
from kcb_core.run_record import Making, RunRecord, Usage
from kcb_core.tasksets import Brief, TaskSet


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What an executor or a verifier is opened with, for one run."""

    tasks: TaskSet
    """Where the tasks are from."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """What the spec sets; it decodes them strictly."""
    egress_proxy: str = ""
    """The proxy, with its version, that all traffic of subjects must take; empty for none. Only
    executors that say that they enforce it are given one."""
    agents: Sequence[Agent] = ()
    """The agents that plug-ins bring."""
    plugins: Mapping[str, str] = field(default_factory=dict)
    """Distributions that bring plug-ins, with their versions, for reports."""
    third_party: bool = True
    """Whether another process that loads plug-ins is to load those of others too."""
    at_once: int = 1
    """Most cells at once."""
    tell: Callable[[str], None] = lambda line: None
    """Told in one line of what makes the caller wait."""
    stopped: Callable[[], bool] = lambda: False
    """Whether the run is to end; whoever waits asks it again and again."""


class Observer(Protocol):
    """Whoever follows one execution. Any thread may call it."""

    def asked(self) -> None:
        """The subject's model is asked."""
        ...

    def answered(self, usage: Usage | None, dollars: float | None) -> None:
        """The model has answered, with what the provider counted, as far as it did."""
        ...

    def told(self, line: str) -> None:
        """The subject says in one line what makes it wait."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Casting:
    """Who is a subject, and what it is told: the same for all of its cells."""

    subject: str
    """What it is called."""
    agent: str
    """Name of its agent."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Endpoint, model, sampling."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Options of the agent."""
    credentials: tuple[str, ...] = ()
    """Environment variables that it receives; it receives no other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """One subject at one task, once."""

    name: str
    """Names it in records, such as the id of a cell."""
    task: Brief
    dataset: DatasetStamp
    casting: Casting
    folder: Path
    """A new folder; whatever is left there is kept."""
    seconds: float
    """Working time after which the subject is cut off, without what it waited for an endpoint."""
    budget: TaskBudget | None = None
    """What the task allows by itself, for the agent to keep to."""
    tokens: int | None = None
    """Most tokens that the agent may use of a model, for it to keep to as well."""
    observer: Observer
    used_up: Callable[[], str]
    """Which other bound the subject goes beyond, in a few words; empty as long as it does not."""
    stopped: Callable[[], bool]
    """Whether it is to end at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """What an executor saw of a subject, and what the subject left."""

    started: bool = True
    """Whether the subject's execution was called at all."""
    cancelled: bool = False
    """Whether it ended because it was to stop."""
    raised: bool = False
    """Whether the execution call itself failed."""
    timed_out: bool = False
    """Whether it was cut off when its time, or another bound, was used up."""
    killed: bool = False
    """Whether it died in the middle, by no doing of the executor."""
    returned: bool = False
    """Whether it came back."""
    stop_reason: str = ""
    """What it says of why it ended; empty if it said nothing."""
    reason: str = ""
    """One line for people: what went wrong."""
    project: Path | None = None
    """The folder of the project; None if there is none to be judged."""
    record: Path | None = None
    """A file that says how the project was made."""
    run_record: RunRecord = field(default_factory=RunRecord)
    waited_s: float = 0.0
    """How long it waited for an endpoint that others used."""
    deployment: Mapping[str, str] = field(default_factory=dict)
    """What it ran in, such as the name of an image: labels of a machine, and no digests."""


class OpenExecutor(Protocol):
    """An executor that is open for a run; any thread may use it."""

    def preflight(self, castings: Sequence[Casting], prompt: str) -> tuple[str, ...]:
        """See whether every subject can be run here; installs and starts nothing of a trial.

        Args:
            castings: the subjects.
            prompt: the longest one of the run.

        Returns:
            Warnings, one line each.

        Raises:
            DeclarationError: something is missing; it is named, with what has to be there.
        """
        ...

    def run(self, errand: Errand) -> Left:
        """Run one subject once, and end whatever did not end by itself when it was cut off.

        Raises:
            MachineError: nothing more can be run here at all.
        """
        ...


@runtime_checkable
class Executor(Protocol):
    """What runs the subject of a cell."""

    @property
    def name(self) -> str:
        """Its name in a spec."""
        ...

    @property
    def version(self) -> str:
        """Version of what it runs subjects with, which a spec may ask for."""
        ...

    @property
    def enforces_proxy(self) -> bool:
        """Whether it can keep all traffic of a subject to one proxy."""
        ...

    def open(self, setup: Setup) -> AbstractContextManager[OpenExecutor]:
        """Ready it for a run.

        Raises:
            DeclarationError: a setting is wrong.
            MachineError: what it needs has failed.
        """
        ...


@runtime_checkable
class CheckingPart(Protocol):
    """An executor or verifier that can say, before it is opened, whether it takes a setup."""

    def check_setup(self, setup: Setup) -> None:
        """See whether it could be opened so; nothing is started, looked for or made.

        Raises:
            DeclarationError: a setting is wrong, or the tasks are of another kind than it takes.
            DataError: a setting is unknown, or of a wrong type.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """One project, or workspace, that is to be judged by a task of the set."""

    task_id: str
    project: Path | None
    """Its folder; None if the subject left none."""
    report: Path
    """A new file, for all that is to be kept of the judgement."""
    subject: str
    repetition: int
    record: Path | None = None
    """The file in which its maker says how the project was made."""
    making: Making
    """How it was made, by that file and by whoever had it made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a verifier says of a project."""

    score: float | None
    """From 0 to 1; None if nothing can be said of the project."""
    reason: str = ""
    """Why there is no score, in one line."""


class OpenVerifier(Protocol):
    """A verifier that is open for a run; any thread may use it."""

    @property
    def stamp(self) -> str:
        """What judges, with its version."""
        ...

    def preflight(self) -> tuple[str, ...]:
        """See whether projects are judged rightly here, by ones of which it is known.

        Returns:
            Warnings, one line each.

        Raises:
            DeclarationError: less confinement than is asked for.
            MachineError: nothing can be judged here.
        """
        ...

    def verify(self, verification: Verification) -> Verdict:
        """Judge one project."""
        ...

    def stop(self) -> None:
        """End whatever is being judged; a second time does nothing."""
        ...


@runtime_checkable
class Verifier(Protocol):
    """What turns the files that a subject left into a score."""

    @property
    def name(self) -> str:
        """Its name in a spec."""
        ...

    def open(self, setup: Setup) -> AbstractContextManager[OpenVerifier]:
        """Ready it for a run.

        Raises:
            DeclarationError: a setting is wrong.
            MachineError: what it needs has failed.
        """
        ...
