"""Members of a JSON value that a stranger wrote: what is not there, or of another type, is not."""

from __future__ import annotations

from collections.abc import Mapping

from kcb_core.codec import Json


def text(holder: Json, *names: str) -> str:
    """The first of some members that is text and not empty; empty if none is."""
    found = (holder.get(name) for name in names) if isinstance(holder, dict) else ()
    return next((value for value in found if isinstance(value, str) and value), "")


def count(holder: Json, *path: str) -> int | None:
    """The whole number from 0 up at the end of a path of names."""
    for name in path:
        holder = holder.get(name) if isinstance(holder, dict) else None
    return holder if type(holder) is int and holder >= 0 else None


def number(holder: Json, name: str) -> float | None:
    """A member that is a number."""
    value = holder.get(name) if isinstance(holder, dict) else None
    return value if type(value) in (int, float) else None


def items(holder: Json, name: str) -> list[dict[str, Json]]:
    """The objects in a member that is a list."""
    value = holder.get(name) if isinstance(holder, dict) else None
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def member(holder: Json, name: str) -> dict[str, Json]:
    """A member that is an object; an empty one if it is none."""
    value = holder.get(name) if isinstance(holder, dict) else None
    return value if isinstance(value, dict) else {}


def given(**members: Json) -> dict[str, Json]:
    """The members that are not None."""
    return {name: value for name, value in members.items() if value is not None}


def same_names(holder: Mapping[str, Json], names: Mapping[str, str]) -> dict[str, Json]:
    """The members of a mapping that are renamed in another, under their new names."""
    return {new: holder[old] for old, new in names.items() if old in holder}
