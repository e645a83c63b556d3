"""The roles that plug-ins fill: what a host may ask of each, and nothing of how it is done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from kcb_core.limits import LIMITS, Limits, TaskBudget
from kcb_core.page import Block, PageData
from kcb_core.report import Confinement, TaskReport
from kcb_core.score import Measure, Samples
from kcb_core.submission import Submission
from kcb_core.task import Task
from kcb_core.transcript_file import TranscriptWriter


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetSource:
    """A dataset that an installed distribution brings along."""

    name: str
    """Name of the dataset, the first part of its task ids."""
    folder: Path
    """Where its manifest and files lie."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A known-good answer to one family: the domain half of a solution in every tier."""

    family: str
    """Name of the family among all, such as ``kcb/word-frequency``."""
    domain: Path
    """A standard-library module with one function ``answer(fields)``.

    It gives ``{"result": …}`` or ``{"error": {"code": …}}``, the latter with ``field`` for
    ``missing_field`` and ``invalid_field``.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchRequest:
    """One process to start for one session."""

    argv: tuple[str, ...]
    """The command, its first word an absolute path; no shell is involved."""
    cwd: Path
    """The session's own copy of the project, as the candidate sees it."""
    environment: Mapping[str, str]
    """All of the process's environment."""
    limits: Limits = LIMITS
    fresh: bool = True
    """Whether it has to be a new interpreter, even where the slot has a quicker way."""


class Launched(Protocol):
    """A candidate's process that was started for one session.

    Its three pipes are raw file descriptors, so that one loop can wait for all of them.
    """

    stdin: int
    stdout: int
    stderr: int

    @property
    def exit_fd(self) -> int | None:
        """A descriptor that becomes readable when the process has ended, where there is such."""
        ...

    def poll(self) -> int | None:
        """The exit status if the process has ended, negative for a signal; else None."""
        ...

    def close_stdin(self) -> None:
        """End the process's input; a second time does nothing."""
        ...

    def usage(self) -> tuple[int, int]:
        """Resident bytes, and processes and threads, of the whole session at this moment."""
        ...

    def stop(self) -> float:
        """Kill all that the session started and give back what it held.

        Returns:
            CPU time of the session's processes in seconds, as far as it is known.

        Raises:
            MachineError: something could not be killed in time.
        """
        ...

    @property
    def survivors(self) -> int:
        """How many other processes of the session were alive when the first had ended."""
        ...


class Slot(Protocol):
    """A place where one session is played at a time, over three folders in a box.

    The evaluator fills and empties them: ``project``, ``home`` and ``state``, for all sessions the
    same.
    """

    @property
    def outside(self) -> Path:
        """The box as the evaluator sees it."""
        ...

    @property
    def inside(self) -> Path:
        """The box as the candidate sees it."""
        ...

    @property
    def owner(self) -> int | None:
        """User and group id to whom all in the box has to belong; None for the evaluator's own."""
        ...

    @property
    def python(self) -> str | None:
        """Absolute path of the interpreter as the candidate sees it; None for the evaluator's."""
        ...

    @property
    def quick(self) -> frozenset[str] | None:
        """None if every process is a new interpreter.

        Else the top-level modules that are loaded already when one starts: a project with a file of
        such a name is to be started fresh.
        """
        ...

    @property
    def quick_sessions(self) -> int:
        """How many sessions of one scenario may be started in the quick way, from the first on."""
        ...

    def launch(self, request: LaunchRequest) -> Launched:
        """Start one process; the one before has been stopped.

        Raises:
            MachineError: it could not be started.
        """
        ...


@runtime_checkable
class Launcher(Protocol):
    """A way to start a candidate's processes. It judges nothing."""

    @property
    def name(self) -> str:
        """Its name for ``--launch``."""
        ...

    def confinement(self) -> Confinement:
        """What it keeps a candidate from on this machine.

        Raises:
            MachineError: it cannot start anything here.
        """
        ...

    def at_level(self, level: str) -> Launcher:
        """The same way to start, confining at this level and at no other.

        Raises:
            DeclarationError: it has no such level.
        """
        ...

    def slot(self) -> AbstractContextManager[Slot]:
        """A slot for one try at a task; leaving it gives it back.

        Raises:
            MachineError: there is none to be had.
        """
        ...

    def close(self) -> None:
        """Give back whatever is kept between slots; a second time does nothing."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """What an agent is asked for: one project, from nothing or from what is there at the start."""

    prompt: str
    """All that it is told of the task."""
    project: Path
    """The empty folder that it may write into."""
    start: Path | None = None
    """A folder with what lies in its workspace at first, a git repository among it.

    It works on a copy, and hands in the whole workspace; None if it starts from nothing."""
    budget: TaskBudget | None = None
    """What the task allows, in the place of the agent's usual bounds; options go before it."""
    tokens: int | None = None
    """Most tokens, of requests and replies together, that it may use of a model: it sends no
    request that might pass them. None if nobody bounds them."""
    transcript: TranscriptWriter
    """Where it records whatever it asks, is answered and does; the caller writes the end."""
    name: str = ""
    """What is made, such as a task id: for records and file names, and for no model."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """What the caller set of the model: endpoint, id, sampling."""
    options: Mapping[str, str] = field(default_factory=dict)
    """What the caller set of the agent, by ``--agent-option NAME=VALUE``; it decodes them."""
    tell: Callable[[str], None] = lambda line: None
    """Told in one line of whatever makes the caller wait, such as a retry, before it begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated:
    """What came of one generation."""

    stop_reason: str
    """Why it ended, such as ``done``, ``output_limit`` or ``no_project``; it decides nothing."""
    files: int
    """Files written into the project."""
    record: Mapping[str, Any] = field(default_factory=dict)
    """What is to stand in the generation's record: model, sampling, usage, totals."""


@runtime_checkable
class Agent(Protocol):
    """What writes a project."""

    @property
    def name(self) -> str:
        """Its name for ``--agent``."""
        ...

    @property
    def version(self) -> str:
        """Raised whenever it asks or reads in another way, so that projects are not mixed."""
        ...

    @property
    def asks_model(self) -> bool:
        """Whether it asks the model that the caller names; if not, it gets no settings."""
        ...

    def generate(self, generation: Generation) -> Generated:
        """Write one project.

        Raises:
            DeclarationError: a setting is missing or wrong.
            MachineError: the endpoint or this machine failed; nothing is said of the model.
        """
        ...


@runtime_checkable
class PreflightingAgent(Agent, Protocol):
    """An agent that can try out, before the first task, whether it would work."""

    def preflight(
        self, prompt: str, settings: Mapping[str, Any], tell: Callable[[str], None]
    ) -> tuple[str, ...]:
        """Warnings for the caller, one line each.

        Args:
            prompt: the longest one of the run.
            settings: as in a generation.
            tell: as in a generation.

        Raises:
            DeclarationError: it would not work; the message holds the remedy.
            MachineError: it would not work now, since nobody answers.
        """
        ...


EGRESS_RECORD = "egress.jsonl"
"""Beside a transcript: what a program with a network asked of its proxy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """What an agent uses beside the settings and options that it was told."""

    variables: Mapping[str, str] | None = field(default_factory=dict)
    """Environment variables by the setting or option that names each, such as
    ``settings.api_key_env``; empty where that names none. None if it may use any."""
    files: Mapping[str, Path] = field(default_factory=dict)
    """Files that count like an option, by the option that names each, such as ``script``; where
    that names a folder, with the name of the file in it, such as ``script/kcb-easy-001-x.toml``."""


@runtime_checkable
class CheckingAgent(Agent, Protocol):
    """An agent that can check what it is told, before anything is asked, started or paid.

    An experiment is refused by it when it is planned, and its files are frozen with it. An agent
    without this finds its mistakes when it works.
    """

    def check_told(
        self, settings: Mapping[str, Any], options: Mapping[str, str], names: Sequence[str]
    ) -> Needs:
        """What it would use besides, if all that it is told is right.

        It asks nobody, starts nothing, and does not look into the environment.

        Args:
            settings: as in a generation.
            options: as in a generation.
            names: of all that is to be made, as in a generation.

        Raises:
            DeclarationError: a setting or option is missing, unknown or wrong, or a file that one
                names is not there.
            DataError: such a file is malformed.
        """
        ...


@runtime_checkable
class NetworkedAgent(Agent, Protocol):
    """An agent whose program can have a network: by a proxy that filters, and in no other way.

    It takes the options ``egress_proxy``, the proxy with its version, and ``egress_blocked``, names
    that the proxy refuses besides, with commas between. When the program has ended it leaves a
    record of what that asked, whole or not at all, as :data:`EGRESS_RECORD`.
    """

    def preflight_egress(self, proxy: str, blocked: Sequence[str]) -> None:
        """See whether its program can be kept to such a proxy here; nothing of a trial is started.

        Args:
            proxy: as in the option.
            blocked: names that the proxy is to refuse besides.

        Raises:
            DeclarationError: it cannot; what is missing is named.
        """
        ...


@runtime_checkable
class InstalledAgent(Agent, Protocol):
    """An agent that runs a program which is installed on this machine, and may be pinned."""

    def preflight_installation(self, options: Mapping[str, str]) -> None:
        """See whether what is installed is what was pinned; nothing is started.

        Args:
            options: as in a generation.

        Raises:
            DeclarationError: it is not there, or nothing is pinned.
            DataError: it is not what was pinned.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """A prepared place in which an agent acts; it is the caller's before and after."""

    folder: Path
    """Where its commands start, and all that they can write to; what is there then stays."""
    show: tuple[Path, ...] = ()
    """What else its commands can read, such as the folder of a tool."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables of its commands besides, or in place of, the usual ones."""


@runtime_checkable
class ActingAgent(Agent, Protocol):
    """An agent that can be put into a prepared place, and acts there by one command line a turn."""

    def act(self, generation: Generation, ground: Ground) -> Generated:
        """Act until it is done or a bound is reached; nothing that it started is left running.

        It is told the prompt and the path of the place, and nothing else of either. What it did is
        in the transcript, as actions and their outcomes. ``record`` of what comes back holds at
        least the ``bounds`` that were applied, by the names of the options; and as ``attempts`` the
        HTTP ``status`` of each request with what was waited after it, ``wait_s``.

        Args:
            generation: its project stays empty. Its options hold the bounds of the trial:
                ``turns``, ``seconds``, ``tokens`` by the heuristic, and ``command_s`` for one
                command; and as ``confine`` the level at which commands are confined, at least.
            ground: the place.

        Raises:
            DeclarationError: a setting is missing or wrong.
            MachineError: the endpoint or this machine failed; nothing is said of the model.
        """
        ...


@runtime_checkable
class Scorer(Protocol):
    """What turns reports into numbers."""

    @property
    def name(self) -> str:
        """Its name, such as ``resolve@1``."""
        ...

    def score(self, samples: Samples) -> Mapping[str, Measure]:
        """The numbers by name, in the order in which they are to be shown.

        It is asked for every subject and repetition, once for each tier and once for all tiers
        together, and gives the same names each time. A number that is not defined, such as a rate
        over no report, is a ``Measure`` with a reason and no value.

        Where a subject has several repetitions it is asked once more for all of them together
        (``samples.repetition`` is ``None``); a scorer of single projects then gives nothing.

        Args:
            samples: what one subject's reports come to, in no order that means anything; they agree
                in dataset, protocol and evaluator, and none is of a run with the public examples
                only.
        """
        ...


@runtime_checkable
class ReportSection(Protocol):
    """A part of the HTML page on a run or a comparison."""

    @property
    def name(self) -> str:
        """Its heading, which no other section has."""
        ...

    @property
    def order(self) -> int:
        """Where it stands: the page's own stand at 100, 200, and so on."""
        ...

    def render(self, data: PageData) -> Iterable[Block]:
        """What it shows, as blocks of text, tables and charts; no block, no section.

        Args:
            data: the score, the reports behind it, and further documents. Text in reports comes
                from candidates; a block makes it harmless, whatever it is.
        """
        ...


@runtime_checkable
class Runner(Protocol):
    """What plays tasks."""

    @property
    def name(self) -> str:
        """Its name for ``--runner``."""
        ...

    def evaluate(self, task: Task, submission: Submission) -> TaskReport:
        """Judge one project by one task."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command of ``klein-bench``, loaded only when it is called."""

    name: str
    """The word on the command line."""
    summary: str
    """One line for the list of commands."""
    target: str
    """Where the click command is, as ``module:attribute``."""
    group: str = "Commands"
    """Heading under which ``--help`` lists it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketDraft:
    """What the people of one tool are to be told: one fault of it, in all reports that show it."""

    tool: str
    """Name of the tool."""
    name: str
    """The same for the same fault, so that a sink can see that it has it already; small letters,
    digits and hyphens."""
    title: str
    """One line of Markdown."""
    body: str
    """Markdown in which whatever programs and models wrote is inert."""
    reports: tuple[Path, ...]
    """The trial reports in which the fault stands."""


@runtime_checkable
class TicketSink(Protocol):
    """Where ticket drafts go, such as a folder or a tool's tracker."""

    @property
    def name(self) -> str:
        """Its name for ``--sink``."""
        ...

    def put(self, draft: TicketDraft, folder: Path) -> str:
        """File one draft; a second time the same draft changes nothing.

        Args:
            draft: the ticket.
            folder: the folder that the caller named, for whatever a sink keeps in files.

        Returns:
            Where it is now: a path or an address.

        Raises:
            MachineError: it could not be filed.
        """
        ...
