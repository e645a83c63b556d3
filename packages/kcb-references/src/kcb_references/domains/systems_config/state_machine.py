# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Runs events through a state machine and finds the states that it cannot reach."""

from collections.abc import Callable
from typing import Any, NamedTuple

_ANY = "*"
_WAYS = ("error", "ignore", "stop")


class _Step(NamedTuple):
    """What a transition does."""

    to: str
    emit: str | None


# The steps under the pairs of `from` and `on`.
_Table = dict[tuple[str, str], _Step]


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Run all events and report what happened.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields) or _machine_error(fields)
    if error is not None:
        return {"error": error}
    table: _Table = {
        (transition["from"], transition["on"]): _Step(transition["to"], transition.get("emit"))
        for transition in fields["transitions"]
    }
    result = _run(table, fields)
    if result is None:
        return {"error": {"code": "undefined_transition"}}
    return {"result": result}


def _machine_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of a machine that is none, or `None` if it is one."""
    states: list[str] = fields["states"]
    transitions: list[dict[str, Any]] = fields["transitions"]
    known = set(states)
    if len(known) < len(states) or _ANY in known:
        return {"code": "duplicate_state"}
    named = {fields["initial"], *fields.get("finals", [])}
    named.update(transition["to"] for transition in transitions)
    # `*` is allowed as a `from` only, and it cannot be among the known states.
    named.update(transition["from"] for transition in transitions if transition["from"] != _ANY)
    if not named <= known:
        return {"code": "unknown_state"}
    pairs = {(transition["from"], transition["on"]) for transition in transitions}
    if len(pairs) < len(transitions):
        return {"code": "nondeterministic"}
    return None


def _run(table: _Table, fields: dict[str, Any]) -> dict[str, Any] | None:
    """Run the events.

    Args:
        table: The transitions of the machine.
        fields: Valid fields of a valid machine.

    Returns:
        The result of the contract, or `None` if a transition is missing that may not be.
    """
    way = fields.get("on_undefined", "error")
    trace: list[str] = [fields["initial"]]
    emitted: list[str] = []
    ignored = 0
    for event in fields["events"]:
        step = _step(table, trace[-1], event)
        if step is not None:
            trace.append(step.to)
            if step.emit is not None:
                emitted.append(step.emit)
        elif way == "ignore":
            ignored += 1
        elif way == "stop":
            break
        else:
            return None
    reachable = _reachable(table, fields["initial"])
    return {
        "final": trace[-1],
        "accepted": trace[-1] in fields.get("finals", []),
        "trace": trace,
        "emitted": emitted,
        "ignored": ignored,
        "consumed": len(trace) - 1 + ignored,
        "unreachable": [state for state in fields["states"] if state not in reachable],
    }


def _step(table: _Table, state: str, event: str) -> _Step | None:
    """Give the step of the transition that applies, if any."""
    return table.get((state, event)) or table.get((_ANY, event))


def _reachable(table: _Table, initial: str) -> set[str]:
    """Give the reachable states."""
    # Other events than these lead nowhere.
    events = {event for _, event in table}
    reachable = {initial}
    waiting = [initial]
    while waiting:
        state = waiting.pop()
        steps = (_step(table, state, event) for event in events)
        found = {step.to for step in steps if step is not None} - reachable
        reachable |= found
        waiting.extend(found)
    return reachable


def _is_string(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is a string whose length is in a range."""
    return isinstance(value, str) and low <= len(value) <= high


def _is_name(value: Any) -> bool:
    """Tell whether a value is a string of 1 to 40 code points."""
    return _is_string(value, 1, 40)


def _are_names(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is an array of names whose length is in a range."""
    return isinstance(value, list) and low <= len(value) <= high and all(map(_is_name, value))


def _is_transition(value: Any) -> bool:
    """Tell whether a value is a transition that the contract allows."""
    if not isinstance(value, dict):
        return False
    emit = value.get("emit")
    return all(_is_name(value.get(name)) for name in ("from", "on", "to")) and (
        emit is None or _is_string(emit, 0, 100)
    )


def _are_transitions(value: Any) -> bool:
    """Tell whether a value is an array of transitions that the contract allows."""
    return isinstance(value, list) and len(value) <= 500 and all(map(_is_transition, value))


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "states": lambda value: _are_names(value, 1, 100),
    "initial": _is_name,
    "finals": lambda value: _are_names(value, 0, 100),
    "transitions": _are_transitions,
    "events": lambda value: _are_names(value, 0, 1000),
    "on_undefined": lambda value: value in _WAYS,
}
_REQUIRED = ("states", "initial", "transitions", "events")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
