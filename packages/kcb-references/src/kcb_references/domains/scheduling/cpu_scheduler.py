# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Simulates one processor that runs processes by one of several policies."""

from collections import deque
from collections.abc import Callable, Iterator
from itertools import pairwise
from math import gcd
from typing import Any

_POLICIES = ("fcfs", "sjf", "srtf", "priority", "rr")
_PREEMPTIVE = ("srtf", "priority")


class _Process:
    """A process, how much of it is left to do, and when it started and finished, once it has."""

    start: int
    completion: int

    def __init__(self, process: dict[str, Any]) -> None:
        self.id: str = process["id"]
        self.arrival: int = process["arrival"]
        self.burst: int = process["burst"]
        self.priority: int = process.get("priority", 0)
        self.left = self.burst


# A turn: a process runs for so many units, or the processor is idle if that is `None`.
_Turn = tuple[_Process | None, int]

# What decides before the arrival and the position.
_KEYS: dict[str, Callable[[_Process], int]] = {
    "fcfs": lambda process: process.arrival,
    "sjf": lambda process: process.burst,
    "srtf": lambda process: process.left,
    "priority": lambda process: process.priority,
}


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Simulate the processor until all processes are finished.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    processes = [_Process(process) for process in fields["processes"]]
    policy = fields["policy"]
    if not processes:
        return {"error": {"code": "no_processes"}}
    if len({process.id for process in processes}) < len(processes):
        return {"error": {"code": "duplicate_process"}}
    if policy == "rr" and "quantum" not in fields:
        return {"error": {"code": "missing_quantum"}}
    # Sorting is stable, so the order of the positions is kept in this one.
    arrivals = sorted(processes, key=lambda process: process.arrival)
    if policy == "rr":
        turns = _queue_turns(arrivals, fields["quantum"])
    else:
        turns = _ranked_turns(arrivals, _KEYS[policy], policy in _PREEMPTIVE)
    return {"result": _report(processes, _carry_out(turns))}


def _ranked_turns(
    arrivals: list[_Process], key: Callable[[_Process], int], preemptive: bool
) -> Iterator[_Turn]:
    """Choose what the processor does by any policy except `rr`.

    Args:
        arrivals: All processes in the order in which they arrive, equal ones by their positions.
        key: What has to be smallest.
        preemptive: Whether a process can be stopped before it is finished.

    Yields:
        The turns. What a turn does must be done before the next is asked for.
    """
    now = 0
    while unfinished := [process for process in arrivals if process.left]:
        ready = [process for process in unfinished if process.arrival <= now]
        coming = [process.arrival - now for process in unfinished if process.arrival > now]
        if not ready:
            chosen, units = None, min(coming)
        else:
            # Of several smallest ones `min` takes the first, which arrived first.
            chosen = min(ready, key=key)
            units = chosen.left
            # Only an arrival can change the choice: what runs only comes closer to its end.
            if preemptive:
                units = min([units, *coming])
        yield chosen, units
        now += units


def _queue_turns(arrivals: list[_Process], quantum: int) -> Iterator[_Turn]:
    """Choose what the processor does by the policy `rr`.

    Args:
        arrivals: All processes in the order in which they arrive, equal ones by their positions.
        quantum: The longest turn of a process.

    Yields:
        The turns. What a turn does must be done before the next is asked for.
    """
    now = 0
    coming, queue = deque(arrivals), deque[_Process]()
    stopped: _Process | None = None
    while True:
        while coming and coming[0].arrival <= now:
            queue.append(coming.popleft())
        if stopped is not None and stopped.left:
            queue.append(stopped)
        if queue:
            stopped = queue.popleft()
            units = min(quantum, stopped.left)
        elif coming:
            stopped, units = None, coming[0].arrival - now
        else:
            return
        yield stopped, units
        now += units


def _carry_out(turns: Iterator[_Turn]) -> list[dict[str, Any]]:
    """Run the processes, and record in them when they start and finish.

    Args:
        turns: What the processor does, one turn after the other.

    Returns:
        The entries of the chart.
    """
    gantt: list[dict[str, Any]] = []
    now = 0
    for process, units in turns:
        end = now + units
        name = None if process is None else process.id
        if gantt and gantt[-1]["id"] == name:
            gantt[-1]["end"] = end
        else:
            gantt.append({"id": name, "start": now, "end": end})
        if process is not None:
            if process.left == process.burst:
                process.start = now
            process.left -= units
            # The last turn of a process is the one that finishes it.
            process.completion = end
        now = end
    return gantt


def _report(processes: list[_Process], gantt: list[dict[str, Any]]) -> dict[str, Any]:
    """Make the result of the contract."""
    turnarounds = [process.completion - process.arrival for process in processes]
    waitings = [
        turnaround - process.burst
        for process, turnaround in zip(processes, turnarounds, strict=True)
    ]
    idles = [entry["id"] is None for entry in gantt]
    return {
        "gantt": gantt,
        "processes": [
            {
                "id": process.id,
                "start": process.start,
                "completion": process.completion,
                "turnaround": turnaround,
                "waiting": waiting,
            }
            for process, turnaround, waiting in zip(processes, turnarounds, waitings, strict=True)
        ],
        "avg_waiting": _average(waitings),
        "avg_turnaround": _average(turnarounds),
        "switches": sum(not before and not after for before, after in pairwise(idles)),
    }


def _average(numbers: list[int]) -> str:
    """Write the average of at least one number as a fraction in lowest terms."""
    total, count = sum(numbers), len(numbers)
    common = gcd(total, count)
    text = str(total // common)
    return text if count == common else f"{text}/{count // common}"


def _is_integer(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is an integer in a range; a boolean is none."""
    return type(value) is int and low <= value <= high


def _is_id(value: Any) -> bool:
    """Tell whether a value is a string of 1 to 40 code points."""
    return isinstance(value, str) and 1 <= len(value) <= 40


def _is_process(value: Any) -> bool:
    """Tell whether a value is a process that the contract allows."""
    return (
        isinstance(value, dict)
        and _is_id(value.get("id"))
        and _is_integer(value.get("arrival"), 0, 2000)
        and _is_integer(value.get("burst"), 1, 200)
        and _is_integer(value.get("priority", 0), 0, 100)
    )


def _are_processes(value: Any) -> bool:
    """Tell whether a value is an array of at most 20 processes."""
    return isinstance(value, list) and len(value) <= 20 and all(map(_is_process, value))


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "policy": lambda value: value in _POLICIES,
    "processes": _are_processes,
    "quantum": lambda value: _is_integer(value, 1, 200),
}
_REQUIRED = ("policy", "processes")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
