"""One problem as a value: its prompt, and the sessions that judge a solution of it."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import msgspec

from kcb_core.canary import CANARY
from kcb_core.codec import Json, compact
from kcb_core.errors import DataError, DeclarationError
from kcb_core.ids import TaskId
from kcb_core.limits import LIMITS

PROTOCOL_VERSION = "1.0"
"""Version of the wire protocol and the evaluation rules."""

STATE_DIR = "{state_dir}"
"""Stands in a start command for the absolute path of the scenario's state directory."""

PYTHON = "{python}"
"""Stands in a start command for the interpreter that the evaluator provides."""


class Tag(StrEnum):
    """What a scenario is about; a profile of strengths is drawn by these."""

    CORE = "core"
    FIELD_ERRORS = "field-errors"
    PRECEDENCE = "precedence"
    RECOVERY = "recovery"
    UNICODE = "unicode"
    ATOMICITY = "atomicity"
    ROLLBACK = "rollback"
    DURABILITY = "durability"
    TOKENS = "tokens"
    PAGING = "paging"


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """One life of the candidate's process: requests, and the one response that each must get."""

    requests: tuple[Any, ...]
    """JSON objects, or strings that are sent as they stand, malformed or not."""
    expected: tuple[Any, ...]
    """The JSON response to each request."""

    def __post_init__(self) -> None:
        if not self.requests or len(self.requests) != len(self.expected):
            raise ValueError("requests and expected must be equally long and not empty")
        for request in self.requests:
            if not isinstance(request, str | dict):
                raise ValueError("a request must be an object or a string")
            _check_line(line_of(request))


class Scenario(msgspec.Struct, frozen=True, kw_only=True):
    """Sessions over one state directory, played one after the other."""

    name: str
    """Unique in its task."""
    tags: tuple[str, ...] = ()
    """What it is about, the main point first."""
    sessions: tuple[Session, ...]
    """At least one; more than one only where state outlives a kill."""

    def __post_init__(self) -> None:
        if not self.sessions:
            raise ValueError(f"scenario {self.name!r} has no session")

    @property
    def assertions(self) -> int:
        """How many responses it judges."""
        return sum(len(session.requests) for session in self.sessions)


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """One problem: what the model is told, and what its program must answer."""

    task_id: str
    """Its name, such as ``kcb-easy-001-word-frequency``."""
    subset: str
    """Name of its tier."""
    family: str
    """Slug of its family."""
    category: str
    """Slug of the family's category."""
    title: str
    """Name for people."""
    target_model_parameters: str
    """Size of the models that the tier is designed for, such as ``2-8B``; not calibrated."""
    language: str
    """Programming language, ``Python``."""
    entrypoint: str
    """The file that the start command runs, ``main.py``."""
    start: tuple[str, ...]
    """The start command as words, with :data:`PYTHON` and :data:`STATE_DIR` as placeholders."""
    protocol_version: str
    """Version of the wire protocol."""
    prompt: str
    """All that a model is told."""
    public_tests: tuple[Scenario, ...]
    """The two examples of the prompt."""
    acceptance_tests: tuple[Scenario, ...]
    """What a solution is judged by, in this order."""
    timeout_seconds: float
    """Limit for one session in seconds."""
    canary: str = CANARY
    """Marks the record as test data."""

    @property
    def id(self) -> TaskId:
        """The task's name in its parts."""
        return TaskId.parse(self.task_id)

    @property
    def durable(self) -> bool:
        """Whether state outlives the process, so that sessions end in a kill."""
        return any(STATE_DIR in word for word in self.start)

    @property
    def scenarios(self) -> int:
        """How many scenarios judge a solution."""
        return len(self.acceptance_tests)

    @property
    def assertions(self) -> int:
        """How many responses judge a solution."""
        return sum(scenario.assertions for scenario in self.acceptance_tests)

    def __post_init__(self) -> None:
        _check_id(self.task_id)
        names = [scenario.name for scenario in self.acceptance_tests]
        if len(set(names)) != len(names):
            raise ValueError("two scenarios have the same name")
        if not self.durable and any(len(s.sessions) > 1 for s in self.acceptance_tests):
            raise ValueError("only a task with a state directory can have several sessions")


def line_of(request: Json) -> str:
    """The line that is sent for a request, without its line end, the same from every runner.

    Raises:
        DataError: the request cannot be written as JSON.
    """
    if isinstance(request, str):
        return request
    try:
        return compact(request)
    except (ValueError, TypeError) as error:
        raise DataError(f"a request cannot be written as JSON: {error}") from None


def _check_line(line: str) -> None:
    if "\n" in line or "\r" in line:
        raise ValueError("a request must be one line")
    try:
        size = len(line.encode())
    except UnicodeEncodeError:
        raise ValueError("a request must not hold half of a surrogate pair") from None
    if size > LIMITS.line_bytes:
        raise ValueError(f"a request must not be longer than {LIMITS.line_bytes} bytes")


def _check_id(task_id: str) -> None:
    try:
        TaskId.parse(task_id)
    except DeclarationError as error:
        raise ValueError(str(error)) from None
