# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Assigns workers to shifts, fairly and by their positions."""

from collections.abc import Callable
from itertools import combinations
from typing import Any

_MAX_NEED = 7

# The positions of the workers of a shift, ascending.
_Team = tuple[int, ...]


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Make the roster.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields) or _roster_error(fields)
    if error is not None:
        return {"error": error}
    workers: list[dict[str, Any]] = fields["workers"]
    shifts: list[dict[str, Any]] = fields["shifts"]
    teams = _fairest(workers, shifts, fields.get("min_rest", 0))
    if teams is None:
        return {"error": {"code": "infeasible"}}
    loads = [sum(position in team for team in teams) for position in range(len(workers))]
    return {
        "result": {
            "assignments": [
                {"shift": shift["id"], "workers": [workers[position]["name"] for position in team]}
                for shift, team in zip(shifts, teams, strict=True)
            ],
            "loads": [
                {"name": worker["name"], "shifts": load}
                for worker, load in zip(workers, loads, strict=True)
            ],
            "max_load": max(loads),
        }
    }


def _roster_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of valid fields that do not fit together, or `None` if they do."""
    workers, shifts = fields["workers"], fields["shifts"]
    ids = {shift["id"] for shift in shifts}
    if len({worker["name"] for worker in workers}) < len(workers):
        return {"code": "duplicate_worker"}
    if len(ids) < len(shifts):
        return {"code": "duplicate_shift"}
    if any(shift["start"] >= shift["end"] for shift in shifts):
        return {"code": "bad_shift"}
    if not ids.issuperset(name for worker in workers for name in worker.get("unavailable", [])):
        return {"code": "unknown_shift"}
    if sum(shift.get("need", 1) for shift in shifts) > _MAX_NEED:
        return {"code": "too_large"}
    return None


def _fairest(
    workers: list[dict[str, Any]], shifts: list[dict[str, Any]], min_rest: int
) -> list[_Team] | None:
    """Choose the assignment.

    Args:
        workers: The workers.
        shifts: The shifts.
        min_rest: The rest between two shifts of a worker.

    Returns:
        The team of each shift, or `None` if there is no allowed assignment.
    """
    choices = [_choices(workers, shift) for shift in shifts]
    clashes = [
        [other for other in range(number) if _clash(shifts[other], shift, min_rest)]
        for number, shift in enumerate(shifts)
    ]
    most = [worker.get("max_shifts", 7) for worker in workers]
    # The first limit for which there is an assignment is the smallest largest load, and the
    # search meets assignments in the order of the second rule.
    for limit in range(1, max(most) + 1):
        search = _Search(choices, clashes, [min(limit, own) for own in most])
        teams = search.first([])
        if teams is not None:
            return teams
    return None


def _choices(workers: list[dict[str, Any]], shift: dict[str, Any]) -> list[_Team]:
    """Give the teams that can do a shift if there were no other, in the order of the contract."""
    skill = shift.get("skill")
    able = [
        position
        for position, worker in enumerate(workers)
        if shift["id"] not in worker.get("unavailable", [])
        and (skill is None or skill in worker.get("skills", []))
    ]
    return list(combinations(able, shift.get("need", 1)))


def _clash(one: dict[str, Any], other: dict[str, Any], min_rest: int) -> bool:
    """Tell whether no worker can do both of two shifts."""
    return bool(one["start"] < other["end"] + min_rest and other["start"] < one["end"] + min_rest)


class _Search:
    """A search for the first assignment in the order of the contract.

    Args:
        choices: The teams that can do each shift.
        clashes: For each shift the numbers of those before it that have no worker in common
            with it.
        most: The number of shifts that each worker can have.
    """

    def __init__(
        self, choices: list[list[_Team]], clashes: list[list[int]], most: list[int]
    ) -> None:
        self._choices = choices
        self._clashes = clashes
        self._left = list(most)
        # How many workers the shifts from each number on need.
        needs = [len(teams[0]) if teams else 0 for teams in choices]
        self._needs = [sum(needs[number:]) for number in range(len(needs))]

    def first(self, teams: list[_Team]) -> list[_Team] | None:
        """Give the first assignment that begins with some teams, or `None` if there is none."""
        number = len(teams)
        if number == len(self._choices):
            return teams
        if sum(self._left) < self._needs[number]:
            return None
        busy = {position for other in self._clashes[number] for position in teams[other]}
        for team in self._choices[number]:
            if any(position in busy or self._left[position] == 0 for position in team):
                continue
            self._change(team, -1)
            found = self.first([*teams, team])
            self._change(team, 1)
            if found is not None:
                return found
        return None

    def _change(self, team: _Team, number: int) -> None:
        """Change the number of shifts that the workers of a team can still have."""
        for position in team:
            self._left[position] += number


def _is_integer(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is an integer in a range; a boolean is none."""
    return type(value) is int and low <= value <= high


def _is_name(value: Any) -> bool:
    """Tell whether a value is a string of 1 to 40 code points."""
    return isinstance(value, str) and 1 <= len(value) <= 40


def _is_array(value: Any, low: int, high: int, allows: Callable[[Any], bool]) -> bool:
    """Tell whether a value is an array of allowed elements whose length is in a range."""
    return isinstance(value, list) and low <= len(value) <= high and all(map(allows, value))


def _is_worker(value: Any) -> bool:
    """Tell whether a value is a worker that the contract allows."""
    return (
        isinstance(value, dict)
        and _is_name(value.get("name"))
        and _is_integer(value.get("max_shifts", 7), 0, 7)
        and _is_array(value.get("skills", []), 0, 10, _is_name)
        and _is_array(value.get("unavailable", []), 0, 7, _is_name)
    )


def _is_shift(value: Any) -> bool:
    """Tell whether a value is a shift that the contract allows."""
    return (
        isinstance(value, dict)
        and _is_name(value.get("id"))
        and _is_integer(value.get("start"), 0, 10000)
        and _is_integer(value.get("end"), 0, 10000)
        and _is_integer(value.get("need", 1), 1, 3)
        and (value.get("skill") is None or _is_name(value["skill"]))
    )


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "workers": lambda value: _is_array(value, 1, 5, _is_worker),
    "shifts": lambda value: _is_array(value, 1, 7, _is_shift),
    "min_rest": lambda value: _is_integer(value, 0, 10000),
}
_REQUIRED = ("workers", "shifts")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
