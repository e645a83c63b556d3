"""When two JSON values are the same answer.

Array order matters and member order does not. Booleans are never numbers. An expected integer is
met only by an equal JSON integer; an expected float by any number within an absolute and relative
1e-9. Strings are equal code point by code point.
"""

from __future__ import annotations

import math

from kcb_core.codec import Json, compact

TOLERANCE = 1e-9
"""Absolute and relative tolerance between an expected float and a number."""


def same(expected: Json, received: Json) -> bool:
    """Whether a received JSON value is the expected one."""
    return difference(expected, received) is None


def difference(expected: Json, received: Json, path: str = "$") -> str | None:
    """The first place at which a received JSON value differs from the expected one.

    Args:
        expected: what the scenario holds.
        received: what the candidate printed.
        path: where in the answer the two values stand.

    Returns:
        One line such as ``$.result.total: expected 7, received 7.0``, or None if they are the same.
    """
    if isinstance(expected, dict) and isinstance(received, dict):
        return _object_difference(expected, received, path)
    if isinstance(expected, list) and isinstance(received, list):
        return _array_difference(expected, received, path)
    if _scalar_same(expected, received):
        return None
    return f"{path}: expected {_brief(expected)}, received {_brief(received)}"


def _object_difference(
    expected: dict[str, Json], received: dict[str, Json], path: str
) -> str | None:
    for name in expected:
        if name not in received:
            return f"{path}: member {_brief(name)} is missing"
    for name in received:
        if name not in expected:
            return f"{path}: member {_brief(name)} is not expected"
    for name, value in expected.items():
        found = difference(value, received[name], f"{path}{_member(name)}")
        if found:
            return found
    return None


def _array_difference(expected: list[Json], received: list[Json], path: str) -> str | None:
    for index, (left, right) in enumerate(zip(expected, received, strict=False)):
        found = difference(left, right, f"{path}[{index}]")
        if found:
            return found
    if len(expected) != len(received):
        return f"{path}: expected {len(expected)} elements, received {len(received)}"
    return None


def _scalar_same(expected: Json, received: Json) -> bool:
    if isinstance(expected, float):
        if not isinstance(received, int | float) or isinstance(received, bool):
            return False
        try:
            return math.isclose(expected, received, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
        except OverflowError:  # an integer beyond every double
            return False
    return type(expected) is type(received) and bool(expected == received)


def _member(name: str) -> str:
    """A name as a part of a path, on one line whatever it holds."""
    return f".{name}" if name.isascii() and name.isidentifier() else f"[{_brief(name)}]"


def _brief(value: Json) -> str:
    """A value as short JSON on one line: what cannot be seen or stored stands as an escape."""
    text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in compact(value))
    return text if len(text) <= 80 else text[:77] + "..."
