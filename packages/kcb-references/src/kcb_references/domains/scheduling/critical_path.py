# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Schedules tasks that depend on each other, and finds the critical path."""

from collections import deque
from collections.abc import Callable
from typing import Any

_MAX_TIME = 1_000_000


class _Task:
    """A task, its place among the others, and its times, once they are set."""

    es: int
    lf: int

    def __init__(self, task: dict[str, Any]) -> None:
        self.id: str = task["id"]
        self.duration: int = task["duration"]
        self.before: list[tuple[_Task, int]] = []  # what it depends on, with the lags
        self.after: list[tuple[_Task, int]] = []  # what depends on it, with the lags

    @property
    def ef(self) -> int:
        """The earliest finish."""
        return self.es + self.duration

    @property
    def ls(self) -> int:
        """The latest start."""
        return self.lf - self.duration

    @property
    def slack(self) -> int:
        """The time by which the task can be late."""
        return self.ls - self.es


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Schedule the tasks.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    given: list[dict[str, Any]] = fields["tasks"]
    tasks = {task["id"]: _Task(task) for task in given}
    if len(tasks) < len(given):
        return {"error": {"code": "duplicate_task"}}
    if any(dep["on"] not in tasks for task in given for dep in task.get("deps", [])):
        return {"error": {"code": "unknown_dependency"}}
    _link(tasks, given)
    order = _order(list(tasks.values()))
    if len(order) < len(tasks):
        return {"error": {"code": "cycle"}}
    duration = _schedule(order)
    critical = [task for task in tasks.values() if task.slack == 0]
    return {
        "result": {
            "duration": duration,
            "tasks": [_report(task) for task in tasks.values()],
            "critical": [task.id for task in critical],
            "path": _path(critical),
        }
    }


def _link(tasks: dict[str, _Task], given: list[dict[str, Any]]) -> None:
    """Give each task its dependencies, and those that others have on it."""
    for task in given:
        own = tasks[task["id"]]
        for dep in task.get("deps", []):
            other, lag = tasks[dep["on"]], dep.get("lag", 0)
            own.before.append((other, lag))
            other.after.append((own, lag))


def _order(tasks: list[_Task]) -> list[_Task]:
    """Put tasks after those that they depend on; tasks on a cycle or behind one are left out."""
    missing = {task.id: len(task.before) for task in tasks}
    ready = deque(task for task in tasks if not task.before)
    order: list[_Task] = []
    while ready:
        task = ready.popleft()
        order.append(task)
        for other, _ in task.after:
            missing[other.id] -= 1
            if missing[other.id] == 0:
                ready.append(other)
    return order


def _schedule(order: list[_Task]) -> int:
    """Set the times of all tasks.

    Args:
        order: The tasks, each after those that it depends on.

    Returns:
        The time that all of them take together.
    """
    for task in order:
        task.es = max((other.ef + lag for other, lag in task.before), default=0)
    duration = max((task.ef for task in order), default=0)
    for task in reversed(order):
        task.lf = min((other.ls - lag for other, lag in task.after), default=duration)
    return duration


def _path(critical: list[_Task]) -> list[str]:
    """Give the ids on the critical path.

    Args:
        critical: The critical tasks.

    Returns:
        The ids, in the order of the path.
    """
    path: list[str] = []
    choices = [task for task in critical if not task.before]
    while choices:
        task = min(choices, key=lambda choice: choice.id)
        path.append(task.id)
        choices = [
            other for other, lag in task.after if other.slack == 0 and other.es == task.ef + lag
        ]
    return path


def _report(task: _Task) -> dict[str, Any]:
    """Make the object for a task in the result."""
    return {
        "id": task.id,
        "es": task.es,
        "ef": task.ef,
        "ls": task.ls,
        "lf": task.lf,
        "slack": task.slack,
    }


def _is_id(value: Any) -> bool:
    """Tell whether a value is a string of 1 to 40 code points."""
    return isinstance(value, str) and 1 <= len(value) <= 40


def _is_time(value: Any) -> bool:
    """Tell whether a value is an integer that the contract allows; a boolean is none."""
    return type(value) is int and 0 <= value <= _MAX_TIME


def _is_dependency(value: Any) -> bool:
    """Tell whether a value is a dependency that the contract allows."""
    return isinstance(value, dict) and _is_id(value.get("on")) and _is_time(value.get("lag", 0))


def _is_array(value: Any, high: int, allows: Callable[[Any], bool]) -> bool:
    """Tell whether a value is an array of limited length whose elements are all allowed."""
    return isinstance(value, list) and len(value) <= high and all(map(allows, value))


def _is_task(value: Any) -> bool:
    """Tell whether a value is a task that the contract allows."""
    return (
        isinstance(value, dict)
        and _is_id(value.get("id"))
        and _is_time(value.get("duration"))
        and _is_array(value.get("deps", []), 50, _is_dependency)
    )


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "tasks": lambda value: _is_array(value, 200, _is_task),
}
_REQUIRED = ("tasks",)


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
