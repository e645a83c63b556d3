# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Compares two texts line by line and writes the changes as unified hunks."""

from collections.abc import Callable
from typing import Any

_MAX_PAIRS = 40000

# A step of a script: its mark (a space, `-` or `+`) and its line.
_Step = tuple[str, str]


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Compare the lines of two texts.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    old: list[str] = fields["old"]
    new: list[str] = fields["new"]
    if any("\n" in line or "\r" in line for line in old + new):
        return {"error": {"code": "newline_in_line"}}
    if len(old) * len(new) > _MAX_PAIRS:
        return {"error": {"code": "too_large"}}
    steps = _script(old, new, fields.get("ignore_trailing_space", False))
    marks = [mark for mark, _ in steps]
    return {
        "result": {
            "lcs": marks.count(" "),
            "added": marks.count("+"),
            "removed": marks.count("-"),
            "hunks": _hunks(steps, fields.get("context", 3)),
        }
    }


def _script(old: list[str], new: list[str], ignore_trailing_space: bool) -> list[_Step]:
    """Give the steps that make the new lines of the old ones."""
    old_keys, new_keys = old, new
    if ignore_trailing_space:
        old_keys = [line.rstrip(" \t") for line in old]
        new_keys = [line.rstrip(" \t") for line in new]
    lengths = _common_lengths(old_keys, new_keys)
    steps: list[_Step] = []
    i = j = 0
    while i < len(old) or j < len(new):
        if i < len(old) and j < len(new) and old_keys[i] == new_keys[j]:
            steps.append((" ", old[i]))
            i, j = i + 1, j + 1
        elif i < len(old) and (j == len(new) or lengths[i + 1][j] >= lengths[i][j + 1]):
            steps.append(("-", old[i]))
            i += 1
        else:
            steps.append(("+", new[j]))
            j += 1
    return steps


def _common_lengths(old: list[str], new: list[str]) -> list[list[int]]:
    """Give the table L of the contract; `table[i][j]` is L(i, j)."""
    below = [0] * (len(new) + 1)
    table = [below]
    for line in reversed(old):
        row = [0] * (len(new) + 1)
        for j in range(len(new) - 1, -1, -1):
            if line == new[j]:
                row[j] = below[j + 1] + 1
            else:
                row[j] = max(below[j], row[j + 1])
        table.append(row)
        below = row
    return table[::-1]


def _hunks(steps: list[_Step], context: int) -> list[dict[str, Any]]:
    """Cut the hunks from a script."""
    hunks: list[dict[str, Any]] = []
    old_before = new_before = 0
    done = 0
    for first, last in _spans(steps, context):
        start, stop = max(first - context, 0), min(last + context + 1, len(steps))
        skipped, inside = steps[done:start], steps[start:stop]
        old_before += _count(skipped, " -")
        new_before += _count(skipped, " +")
        old_count, new_count = _count(inside, " -"), _count(inside, " +")
        old_range, new_range = _range(old_before, old_count), _range(new_before, new_count)
        lines = [mark + line for mark, line in inside]
        hunks.append({"header": f"@@ -{old_range} +{new_range} @@", "lines": lines})
        old_before += old_count
        new_before += new_count
        done = stop
    return hunks


def _spans(steps: list[_Step], context: int) -> list[tuple[int, int]]:
    """Give the positions of the first and of the last change of each hunk."""
    spans: list[tuple[int, int]] = []
    for position, (mark, _) in enumerate(steps):
        if mark == " ":
            continue
        # The changes of one run have no step between them, so the test holds for them too.
        if spans and position - spans[-1][1] - 1 <= 2 * context:
            spans[-1] = (spans[-1][0], position)
        else:
            spans.append((position, position))
    return spans


def _count(steps: list[_Step], marks: str) -> int:
    """Count the steps that have one of the marks."""
    return sum(mark in marks for mark, _ in steps)


def _range(before: int, count: int) -> str:
    """Write the lines of a hunk for its header."""
    return f"{before + 1 if count else before},{count}"


def _are_lines(value: Any) -> bool:
    """Tell whether a value is an array of lines that the contract allows."""
    return (
        isinstance(value, list)
        and len(value) <= 300
        and all(isinstance(line, str) and len(line) <= 200 for line in value)
    )


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "old": _are_lines,
    "new": _are_lines,
    # A boolean is no integer.
    "context": lambda value: type(value) is int and 0 <= value <= 10,
    "ignore_trailing_space": lambda value: isinstance(value, bool),
}
_REQUIRED = ("old", "new")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
