"""What programs that break one rule are made of; several test modules share it.

A program over tables of operations breaks a rule in one operation or one parameter; a program over
lines changes what comes in or goes out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from kcb_core.codec import Json, compact
from kcb_core.family import Family
from kcb_core.testing.toy import AMOUNTS
from kcb_core.tier import Service
from kcb_tasks.tiers import durable, hard, intermediate
from kcb_tasks.tiers.layer import ServiceTier
from kcb_tasks.tiers.protocol import Failure, Operation, Operations, Oracle, Parameter, Run
from kcb_tasks.tiers.state import State

T = TypeVar("T")

Request = dict[str, Json]
Outcome = tuple[State, Json]
Change = Callable[[Operations], Operations]
"""How the table of a wrong program comes from a right one."""

WrongRun = Callable[[Run, State, Request], Outcome]
"""What an operation does in a wrong program, given what it does in a right one."""

BAD_JSON = {"id": None, "ok": False, "error": {"code": "bad_json"}}


@dataclass(frozen=True, slots=True)
class Wrong:
    """A wrong program in one tier."""

    name: str
    """The rule that it breaks."""
    tier: ServiceTier
    start: Callable[[], Service]
    """Makes one without state."""

    def __str__(self) -> str:
        return f"{self.tier.name}: {self.name}"


def in_tiers(
    tiers: Iterable[ServiceTier],
    wrong: Mapping[str, T],
    start: Callable[[ServiceTier, T], Service],
) -> list[Wrong]:
    """Wrong programs, each in some tiers.

    Args:
        tiers: where each is wrong.
        wrong: what is wrong in each, by name.
        start: makes a program of one of them for a tier.
    """
    return [
        Wrong(name, tier, partial(start, tier, change))
        for tier in tiers
        for name, change in wrong.items()
    ]


class WrongTables(dict[str, Change]):
    """Wrong programs by name."""

    def in_op(self, name: str) -> Callable[[WrongRun], WrongRun]:
        """Enter a program in which an operation is another function, under that one's name."""

        def enter(run: WrongRun) -> WrongRun:
            self[run.__name__] = on_op(name, run)
            return run

        return enter


def as_it_is(table: Operations) -> Operations:
    """No change: what is right."""
    return table


def on_op(name: str, run: WrongRun) -> Change:
    """A table in which one operation does something else."""
    return lambda table: {
        **table,
        name: replace(table[name], run=lambda s, r: run(table[name].run, s, r)),
    }


def on_parameter(
    name: str, allows: Callable[[Json], bool], *ops: str, required: bool | None = None
) -> Change:
    """A table in which a parameter of some operations, or of all, allows other values."""

    def changed(found: Parameter) -> Parameter:
        if found.name != name:
            return found
        return Parameter(name, allows, found.required if required is None else required)

    return lambda table: {
        op: replace(found, parameters=tuple(map(changed, found.parameters)))
        if not ops or op in ops
        else found
        for op, found in table.items()
    }


def on_member(name: str, change: Callable[[Json], Json]) -> Change:
    """A table whose operations take one value of a member for another."""

    def changed(operation: Operation) -> Operation:
        def run(state: State, request: Request) -> Outcome:
            if name in request:
                request = {**request, name: change(request[name])}
            return operation.run(state, request)

        return replace(operation, run=run)

    return lambda table: {op: changed(operation) for op, operation in table.items()}


def program(
    tier: ServiceTier,
    elements: Change = as_it_is,
    table: Change = as_it_is,
    oracle: type[Oracle] = Oracle,
) -> Oracle:
    """A program of a tier above easy.

    Args:
        tier: the tier.
        elements: changes the operations that may stand in a batch.
        table: changes all operations, before tokens are laid over them.
        oracle: the program itself.
    """
    if tier is intermediate.INTERMEDIATE:
        return oracle(table(elements(intermediate.operations(AMOUNTS))))
    if tier is hard.HARD:
        return oracle(table(hard.with_transactions(elements(hard.elements(AMOUNTS)))))
    inner = table(hard.with_transactions(elements(durable.elements(AMOUNTS))))
    return oracle(durable.with_tokens(inner), durable=True)


class Kept(Exception):
    """A failure that leaves a state behind."""

    def __init__(self, state: State, failure: Failure) -> None:
        self.state = state
        self.failure = failure
        super().__init__(str(failure))


class Leaky(Oracle):
    """An oracle in which a failure can leave a state behind."""

    def answer(self, line: str) -> Json:
        before = self._state
        table = self._operations
        left: list[State] = []

        def caught(operation: Operation) -> Operation:
            def run(state: State, request: Request) -> Outcome:
                try:
                    return operation.run(state, request)
                except Kept as kept:
                    left.append(kept.state)
                    raise kept.failure from None

            return replace(operation, run=run)

        self._operations = {name: caught(operation) for name, operation in table.items()}
        answered = super().answer(line)
        self._operations = table
        if left and self._state == before:
            self._state = left[-1]
        return answered


Memory = dict[str, Any]
Answer = Callable[[Service, str, Memory], Json]
"""How a wrong program answers a line, given the oracle and a memory of its own."""


class WrongAnswers(Service):
    """An oracle whose answers to lines are changed on their way."""

    def __init__(self, oracle: Service, change: Answer) -> None:
        self._oracle = oracle
        self._change = change
        self._memory: Memory = {}

    def answer(self, line: str) -> Json:
        return self._change(self._oracle, line, self._memory)

    def kill(self) -> None:
        self._oracle.kill()


def answering(tier: ServiceTier, change: Answer) -> Service:
    """A program of a tier that answers as the oracle does but for a change."""
    return WrongAnswers(tier.service(AMOUNTS), change)


def on_lines(change: Callable[[str], str]) -> Answer:
    """A program that takes one line for another."""
    return lambda oracle, line, memory: oracle.answer(change(line))


def on_requests(change: Callable[[dict[str, Json]], Json]) -> Answer:
    """A program that takes one request for another, where a line holds a request at all."""

    def changed(oracle: Service, line: str, memory: Memory) -> Json:
        request = loaded(line)
        if not isinstance(request, dict):
            return oracle.answer(line)
        after = oracle.answer(compact(change(dict(request))))
        return {**after, "id": request.get("id")} if "id" in after else after

    return changed


def on_answers(change: Callable[[Json, Json], Json]) -> Answer:
    """A program that gives one answer for another; it sees the request too, or None."""
    return lambda oracle, line, memory: change(oracle.answer(line), loaded(line))


def on_codes(**codes: str) -> Answer:
    """A program that takes one error code for another."""

    def change(answered: Json, request: Json) -> Json:
        code = answered.get("error", {}).get("code")
        if code not in codes:
            return answered
        return {**answered, "error": {**answered["error"], "code": codes[code]}}

    return on_answers(change)


def on_input(change: Callable[[Json], Json]) -> Answer:
    """A program that takes one input for another."""

    def changed(request: dict[str, Json]) -> Json:
        return {**request, "input": change(request["input"])} if "input" in request else request

    return on_requests(changed)


def on_contract(judge: Callable[[Family, dict[str, Json]], dict[str, Json]]) -> Answer:
    """A program that evaluates inputs in another way."""

    def changed(oracle: Service, line: str, memory: Memory) -> Json:
        right, request = oracle.answer(line), loaded(line)
        if not isinstance(request, dict) or request.get("op") != "evaluate":
            return right
        if not isinstance(request.get("input"), dict):
            return right
        judged = judge(AMOUNTS, request["input"])
        return {"id": right["id"], "ok": "result" in judged, **judged}

    return changed


def loaded(line: str) -> Json:
    """The JSON value of a line, None if there is none."""
    try:
        return json.loads(line)
    except ValueError:
        return None


def error(code: str, **members: Json) -> dict[str, Json]:
    """A judgement that is an error."""
    return {"error": {"code": code, **members}}
