"""The recorder: plays requests against an oracle and keeps what it answered.

A script is what plays; a scenario is what comes of it. Scripts never state an expected response.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kcb_core.codec import Json, ascii_line, compact, parse
from kcb_core.errors import DeclarationError
from kcb_core.family import Family
from kcb_core.task import Scenario, Session, Tag, line_of
from kcb_core.tier import Service
from kcb_tasks.scenarios.material import Material
from kcb_tasks.scenarios.sendable import check_line

MAX_OUTPUT_BYTES = 1 << 18
"""Most that the answers of one session may hold, far below the limit of a run."""

_WORDS = ("q", "req", "№", "é", "任", "😀", "Ω", "a b", "x/y", "-")


@dataclass(frozen=True, kw_only=True)
class Stage:
    """What all scripts of one task are played on."""

    service: Callable[[], Service]
    """Makes an oracle with an empty state."""
    operations: frozenset[str]
    """The operations that the tier offers."""
    durable: bool
    """Whether state outlives a kill."""
    material: Material
    """The inputs of the task's family."""

    @property
    def family(self) -> Family:
        """The task's family."""
        return self.material.family


class Play:
    """One performance of a script: every request is answered by the oracle and recorded."""

    def __init__(self, stage: Stage, name: str) -> None:
        """A performance with an empty state.

        Args:
            stage: what is played on.
            name: name of the scenario; ids are drawn by it, so that they tell nothing of answers.
        """
        self.stage = stage
        self.material = stage.material
        self.rng = stage.material.rng("play", name)
        self._service = stage.service()
        self._sessions: list[Session] = []
        self._requests: list[Json] = []
        self._expected: list[Json] = []
        self._size = 0

    def send(self, request: Json) -> Json:
        """Send a request as it stands.

        Args:
            request: an object, or a string that is the raw line.

        Returns:
            The answer as it is recorded, to be read only.

        Raises:
            DeclarationError: the line may not be sent.
        """
        line = line_of(request)
        check_line(line)
        text = compact(self._service.answer(line))
        answer = parse(text.encode())
        self._size += len(text if text.isascii() else ascii_line(answer)) + 1
        self._requests.append(line if isinstance(request, str) else parse(line.encode()))
        self._expected.append(answer)
        return answer

    def ask(self, op: str, /, **members: Json) -> Json:
        """Send a request with an id of its own.

        Args:
            op: the operation.
            members: the other members of the request.

        Returns:
            The result, None where the answer is an error.
        """
        return self.send(self.identified({"op": op, **members})).get("result")

    def identified(self, request: dict[str, Json]) -> dict[str, Json]:
        """A request with an id before or behind its other members."""
        drawn = self.rng.randint(1, 9_999)
        name: Json = drawn if self.rng.random() < 0.6 else f"{self.rng.choice(_WORDS)}{drawn}"
        if self.rng.random() < 0.2:
            return {**request, "id": name}
        return {"id": name, **request}

    def kill(self) -> None:
        """End the session; the next request goes to a new process on the same state.

        Raises:
            DeclarationError: nothing outlives a kill in this tier, or nothing was sent.
        """
        if not self.stage.durable:
            raise DeclarationError("only a tier with a state directory has several sessions")
        self._end_session()
        self._service.kill()

    def scenario(self, name: str, tags: tuple[Tag, ...]) -> Scenario:
        """What was played, as a scenario; the performance ends with it."""
        self._end_session()
        return Scenario(name=name, tags=tags, sessions=tuple(self._sessions))

    def _end_session(self) -> None:
        if self._size > MAX_OUTPUT_BYTES:
            raise DeclarationError(f"the answers of a session take {self._size} bytes")
        self._sessions.append(
            Session(requests=tuple(self._requests), expected=tuple(self._expected))
        )
        self._requests, self._expected, self._size = [], [], 0

    def evaluate(self, fields: Json) -> None:
        """Ask for the evaluation of an input."""
        self.ask("evaluate", input=fields)

    def put(self, key: Json, value: Json, **members: Json) -> int:
        """Ask to store a value, and give the revision, 0 where there is none."""
        return _revision(self.ask("put", key=key, value=value, **members))

    def get(self, *keys: Json) -> None:
        """Ask for the value under each of some keys."""
        for key in keys:
            self.ask("get", key=key)

    def delete(self, key: Json, **members: Json) -> int:
        """Ask to delete a key, and give the revision, 0 where there is none."""
        return _revision(self.ask("delete", key=key, **members))

    def list(self, **members: Json) -> None:
        """Ask for keys."""
        self.ask("list", **members)

    def evaluate_stored(self, key: Json) -> None:
        """Ask for the evaluation of a stored value."""
        self.ask("evaluate_stored", key=key)

    def batch(self, *elements: Json, **members: Json) -> Json:
        """Ask for several operations that apply wholly or not at all, and give the result."""
        return self.ask("batch", ops=[*elements], **members)

    def begin(self) -> None:
        """Ask to open a transaction."""
        self.ask("begin")

    def commit(self) -> None:
        """Ask to commit the latest transaction."""
        self.ask("commit")

    def rollback(self) -> None:
        """Ask to roll back the latest transaction."""
        self.ask("rollback")

    def history(self, key: Json, **members: Json) -> None:
        """Ask for the changes of a key."""
        self.ask("history", key=key, **members)


@dataclass(frozen=True, slots=True)
class Script:
    """What is played, and under which name it is recorded."""

    name: str
    """Name of the scenario."""
    tags: tuple[Tag, ...]
    """What it is about, the main point first."""
    parts: tuple[Callable[[Play], None], ...]
    """What is played, one after the other on one state."""


def _revision(result: Json) -> int:
    return 0 if result is None else int(result["revision"])


def record(stage: Stage, played: Script) -> Scenario:
    """The scenario that comes of a script.

    Args:
        stage: what it is played on.
        played: the script.

    Raises:
        DeclarationError: the script sends what may not be sent.
    """
    play = Play(stage, played.name)
    for part in played.parts:
        part(play)
    return play.scenario(played.name, played.tags)
