# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Finds the best starts for a meeting."""

from collections.abc import Callable
from typing import Any

_MAX_TIME = 10080


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Find the slots.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    people: list[dict[str, Any]] = fields["participants"]
    if len({person["name"] for person in people}) < len(people):
        return {"error": {"code": "duplicate_participant"}}
    intervals = [fields["window"], *(busy for person in people for busy in person.get("busy", []))]
    if any(start >= end for start, end in intervals):
        return {"error": {"code": "bad_interval"}}
    low, high = fields["window"]
    duration = fields["duration"]
    starts = range(low, high - duration + 1, fields.get("step", 15))
    blocked = [_blocked(person, starts, duration, fields.get("buffer", 0)) for person in people]
    ranking = _ranking(people, starts, blocked)
    if not ranking:
        return {"error": {"code": "no_slot"}}
    limit = fields.get("limit", 3)
    slots = _disjoint(ranking, duration, limit) if fields.get("disjoint", False) else ranking
    return {
        "result": {
            "slots": [_slot(start, duration, people, blocked) for start in slots[:limit]],
            "valid": len(ranking),
        }
    }


def _blocked(person: dict[str, Any], starts: range, duration: int, buffer: int) -> set[int]:
    """Give the starts at which a participant is blocked.

    Args:
        person: The participant.
        starts: The candidates.
        duration: The length of the meeting.
        buffer: The free time needed before and after it.

    Returns:
        Those of the candidates.
    """
    blocked: set[int] = set()
    for start, end in person.get("busy", []):
        # The two conditions of the contract, solved for the start of the meeting.
        first, stop = start - duration - buffer + 1, end + buffer
        low = max(0, -(-(first - starts.start) // starts.step))
        high = max(0, -(-(stop - starts.start) // starts.step))
        blocked.update(starts[low:high])
    return blocked


def _ranking(people: list[dict[str, Any]], starts: range, blocked: list[set[int]]) -> list[int]:
    """Give the valid candidates, the best first.

    Args:
        people: The participants.
        starts: The candidates.
        blocked: For each participant the candidates at which they are blocked.

    Returns:
        The candidates at which no required participant is blocked.
    """
    impossible: set[int] = set()
    absent = dict.fromkeys(starts, 0)
    for person, times in zip(people, blocked, strict=True):
        if person.get("required", True):
            impossible |= times
        else:
            for start in times:
                absent[start] += 1
    valid = [start for start in starts if start not in impossible]
    return sorted(valid, key=lambda start: (absent[start], start))


def _disjoint(ranking: list[int], duration: int, limit: int) -> list[int]:
    """Give the first candidates whose meetings do not overlap that of a better one kept."""
    kept: list[int] = []
    for start in ranking:
        if len(kept) == limit:
            break
        if all(abs(start - other) >= duration for other in kept):
            kept.append(start)
    return kept


def _slot(
    start: int, duration: int, people: list[dict[str, Any]], blocked: list[set[int]]
) -> dict[str, Any]:
    """Make the object for a slot in the result."""
    absences = [
        (person["name"], start in times) for person, times in zip(people, blocked, strict=True)
    ]
    return {
        "start": start,
        "end": start + duration,
        "attending": [name for name, absent in absences if not absent],
        "missing": [name for name, absent in absences if absent],
    }


def _is_integer(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is an integer in a range; a boolean is none."""
    return type(value) is int and low <= value <= high


def _is_interval(value: Any) -> bool:
    """Tell whether a value is an array of two times."""
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(_is_integer(time, 0, _MAX_TIME) for time in value)
    )


def _are_intervals(value: Any) -> bool:
    """Tell whether a value is an array of at most 50 intervals."""
    return isinstance(value, list) and len(value) <= 50 and all(map(_is_interval, value))


def _is_participant(value: Any) -> bool:
    """Tell whether a value is a participant that the contract allows."""
    return (
        isinstance(value, dict)
        and isinstance(value.get("name"), str)
        and 1 <= len(value["name"]) <= 40
        and isinstance(value.get("required", True), bool)
        and _are_intervals(value.get("busy", []))
    )


def _are_participants(value: Any) -> bool:
    """Tell whether a value is an array of 1 to 20 participants."""
    return isinstance(value, list) and 1 <= len(value) <= 20 and all(map(_is_participant, value))


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "participants": _are_participants,
    "window": _is_interval,
    "duration": lambda value: _is_integer(value, 1, 1440),
    "step": lambda value: _is_integer(value, 5, 1440),
    "buffer": lambda value: _is_integer(value, 0, 240),
    "limit": lambda value: _is_integer(value, 1, 50),
    "disjoint": lambda value: isinstance(value, bool),
}
_REQUIRED = ("participants", "window", "duration")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
