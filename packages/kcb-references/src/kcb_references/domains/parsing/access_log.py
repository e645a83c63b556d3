# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Reads the lines of a web access log and sums them up."""

import re
from collections import Counter
from collections.abc import Callable
from datetime import date
from itertools import pairwise
from typing import Any, NamedTuple

# `[0-9]` and not `\d`, which also takes the digits of other scripts.
_LINE = re.compile(
    r"(?P<host>[^ ]+) [^ ]+"
    r" \[(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"T(?P<hour>[01][0-9]|2[0-3]):(?P<minute>[0-5][0-9]):(?P<second>[0-5][0-9])\]"
    r' "[A-Z]{1,10} (?P<target>(?:[^ "\\]|\\["\\])+)"'
    r" (?P<status>[1-5][0-9]{2}) (?P<bytes>[0-9]{1,12}|-) (?P<ms>[0-9]{1,9})"
)
_ESCAPE = re.compile(r"\\(.)")
_END_OF_PATH = re.compile(r"[?#]")


class _Request(NamedTuple):
    """What counts of a valid line; `hour` is the start of its stamp, `time` is in seconds."""

    host: str
    hour: str
    time: int
    path: str
    status: int
    bytes: int
    ms: int


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Sum up an access log.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    requests: list[_Request] = []
    bad: list[int] = []
    for number, line in enumerate(fields["lines"], 1):
        if not line.strip(" "):
            continue
        request = _request(line)
        if request is None:
            bad.append(number)
        else:
            requests.append(request)
    if len(bad) > fields.get("max_bad", 2000):
        return {"error": {"code": "too_many_bad"}}
    if not requests:
        return {"error": {"code": "no_valid_lines"}}
    gap, top = fields.get("session_gap", 1800), fields.get("top", 5)
    return {
        "result": {
            "ok": len(requests),
            "bad": bad,
            "status": _status(requests),
            "bytes": sum(request.bytes for request in requests),
            "hosts": len({request.host for request in requests}),
            "sessions": _sessions(requests, gap),
            "busiest_hour": _busiest_hour(requests),
            "paths": _paths(requests)[:top],
        }
    }


def _request(line: str) -> _Request | None:
    """Read a line, or give `None` if it is bad."""
    found = _LINE.fullmatch(line)
    if found is None:
        return None
    try:
        day = date.fromisoformat(found["date"])
    except ValueError:
        return None
    if not 1900 <= day.year <= 2199:
        return None
    minutes = (day.toordinal() * 24 + int(found["hour"])) * 60 + int(found["minute"])
    target = _ESCAPE.sub(r"\1", found["target"])
    return _Request(
        host=found["host"],
        hour=f"{found['date']}T{found['hour']}",
        time=minutes * 60 + int(found["second"]),
        path=_END_OF_PATH.split(target, maxsplit=1)[0],
        status=int(found["status"]),
        bytes=0 if found["bytes"] == "-" else int(found["bytes"]),
        ms=int(found["ms"]),
    )


def _status(requests: list[_Request]) -> dict[str, int]:
    """Count the requests of each class of status."""
    counts = Counter(request.status // 100 for request in requests)
    return {f"{digit}xx": counts[digit] for digit in range(1, 6)}


def _sessions(requests: list[_Request], gap: int) -> int:
    """Count the sessions of all hosts."""
    visits = sorted((request.host, request.time) for request in requests)
    # The first of all visits has no visit before it, and starts a session.
    return 1 + sum(
        later[0] != earlier[0] or later[1] - earlier[1] > gap for earlier, later in pairwise(visits)
    )


def _busiest_hour(requests: list[_Request]) -> dict[str, Any]:
    """Find the hour with most requests, the earliest of several."""
    counts = Counter(request.hour for request in requests)
    # Hours of this form are in the order of their texts.
    hour, hits = min(counts.items(), key=lambda item: (-item[1], item[0]))
    return {"hour": hour, "hits": hits}


def _paths(requests: list[_Request]) -> list[dict[str, Any]]:
    """Sum up each path, those with most requests first."""
    by_path: dict[str, list[_Request]] = {}
    for request in requests:
        by_path.setdefault(request.path, []).append(request)
    ranking = sorted(by_path.items(), key=lambda item: (-len(item[1]), item[0]))
    return [_path_summary(path, of_path) for path, of_path in ranking]


def _path_summary(path: str, requests: list[_Request]) -> dict[str, Any]:
    """Sum up the requests of a path."""
    hits = len(requests)
    times = sorted(request.ms for request in requests)
    rank = -(-95 * hits // 100)
    return {
        "path": path,
        "hits": hits,
        "errors": sum(request.status >= 500 for request in requests),
        "p95": times[rank - 1],
        "max": times[-1],
    }


def _is_integer(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is an integer in a range; a boolean is none."""
    return type(value) is int and low <= value <= high


def _are_lines(value: Any) -> bool:
    """Tell whether a value is an array of lines that the contract allows."""
    return (
        isinstance(value, list)
        and len(value) <= 2000
        and all(isinstance(line, str) and len(line) <= 500 for line in value)
    )


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "lines": _are_lines,
    "top": lambda value: _is_integer(value, 1, 100),
    "session_gap": lambda value: _is_integer(value, 0, 86_400),
    "max_bad": lambda value: _is_integer(value, 0, 2000),
}
_REQUIRED = ("lines",)


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
