"""The envelope of every tier: lines, ids, operations and their parameters, the order of errors.

Nothing here knows any single operation; the tiers bring tables of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from kcb_core.codec import Json, parse
from kcb_core.errors import MalformedJson
from kcb_core.tier import Service
from kcb_tasks.tiers.state import State

Run = Callable[[State, dict[str, Json]], tuple[State, Json]]
"""What an operation does: the state afterwards and the result, or a :class:`Failure` raised."""


class Failure(Exception):
    """The error that answers a request; part of the protocol and no fault of this program.

    Attributes:
        error: the value of ``error`` in the answer.
    """

    def __init__(self, code: str, **members: Json) -> None:
        self.error: dict[str, Json] = {"code": code, **members}
        super().__init__(code)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A member that an operation looks at."""

    name: str
    """The member's name."""
    allows: Callable[[Json], bool]
    """Whether a value may stand there."""
    required: bool = False
    """Whether it may not be left out."""

    def fits(self, request: Mapping[str, Json]) -> bool:
        """Whether the request has an allowed value for it, or may go without."""
        if self.name not in request:
            return not self.required
        return self.allows(request[self.name])


@dataclass(frozen=True, slots=True)
class Operation:
    """One ``op`` of a tier."""

    parameters: tuple[Parameter, ...]
    """The members that it looks at; all others are ignored."""
    run: Run
    """What it does once its parameters are known to be allowed."""


Operations = Mapping[str, Operation]
"""The operations of a tier by the name that a request gives as ``op``."""


def carry_out(operations: Operations, state: State, request: Json) -> tuple[State, Json]:
    """The state after a request and its result: steps 2 to 5 of the order of errors.

    Args:
        operations: what may be asked for here.
        state: the state before.
        request: any JSON value.

    Raises:
        Failure: the request is answered with an error, and the state before is still the state.
    """
    if not isinstance(request, dict) or not isinstance(request.get("op"), str):
        raise Failure("bad_request")
    operation = operations.get(request["op"])
    if operation is None:
        raise Failure("unknown_op")
    if not all(parameter.fits(request) for parameter in operation.parameters):
        raise Failure("bad_request")
    return operation.run(state, request)


class Oracle(Service):
    """A program that answers as the protocol says, over one table of operations."""

    def __init__(self, operations: Operations, *, durable: bool = False) -> None:
        """An oracle with an empty state.

        Args:
            operations: what the tier offers.
            durable: whether there is a state directory, which a kill leaves in place.
        """
        self._operations = operations
        self._durable = durable
        self._state = State()

    def answer(self, line: str) -> Json:
        try:
            request = parse(line.encode())
        except MalformedJson:
            return {"id": None, "ok": False, "error": {"code": "bad_json"}}
        echoed = request.get("id") if isinstance(request, dict) else None
        try:
            self._state, result = carry_out(self._operations, self._state, request)
        except Failure as failure:
            return {"id": echoed, "ok": False, "error": failure.error}
        return {"id": echoed, "ok": True, "result": result}

    def kill(self) -> None:
        self._state = self._state.settled if self._durable else State()


def anything(value: Json) -> bool:
    """Every JSON value is allowed."""
    return True


def is_object(value: Json) -> bool:
    """A JSON object."""
    return isinstance(value, dict)


def is_string(value: Json) -> bool:
    """A string of any length."""
    return isinstance(value, str)


def is_name(value: Json) -> bool:
    """A string of 1 to 128 code points: a key or a token."""
    return isinstance(value, str) and 1 <= len(value) <= 128


def is_revision(value: Json) -> bool:
    """An integer from 0 up; a boolean is none."""
    return type(value) is int and value >= 0


def is_limit(value: Json) -> bool:
    """An integer from 1 to 100; a boolean is none."""
    return type(value) is int and 1 <= value <= 100


def is_batch(value: Json) -> bool:
    """An array of 0 to 100 values of any kind."""
    return isinstance(value, list) and len(value) <= 100
