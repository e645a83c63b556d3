"""What a run record says, as a page tells it; a record is whatever the caller wrote."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kcb_core.codec import compact


def held(record: Mapping[str, Any], *path: str) -> Any:
    """What a run record holds at a place, or nothing."""
    value: Any = record
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def number(record: Mapping[str, Any], *path: str) -> float | None:
    """A number that a run record states, or nothing."""
    value = held(record, *path)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def setting(value: Any) -> str:
    """One field of a run record in words."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return ", ".join(f"{name} {setting(inner)}" for name, inner in value.items())
    if isinstance(value, list):
        return ", ".join(map(setting, value)) or "none"
    return compact(value)
