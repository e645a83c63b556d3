"""What differs between two JSON values, in one bounded line for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from kcb_core.codec import Json, ascii_line, canonical

MOST = 8
"""Most differences that are told one by one."""

_LONGEST = 60
"""Most characters of a name or a value that are shown."""

_NOTHING = object()


def told_differences(old: Json, new: Json) -> str:
    """All differences between two objects, such as ``settings.temperature: 0.2 → 0.3``.

    Beyond :data:`MOST` only their number is told, and what is long is cut. The order of an object's
    members makes no difference; that of an array does.
    """
    found = list(_differences(old, new, ""))
    more = [f"and {len(found) - MOST} more"] if len(found) > MOST else []
    return "; ".join([*found[:MOST], *more])


def _differences(old: Json, new: Json, path: str) -> Iterator[str]:
    if isinstance(old, dict) and isinstance(new, dict):
        for name in dict.fromkeys([*old, *new]):
            place = f"{path}.{_cut(ascii_line(name)[1:-1])}".removeprefix(".")
            yield from _differences(old.get(name, _NOTHING), new.get(name, _NOTHING), place)
    elif old is _NOTHING or new is _NOTHING or canonical(old) != canonical(new):
        both = isinstance(old, list) and isinstance(new, list)
        yield f"{path}: {_between(old, new) if both else f'{_shown(old)} → {_shown(new)}'}"


def _between(old: list[Json], new: list[Json]) -> str:
    """What one array has and another has not."""
    before, after = Counter(map(ascii_line, old)), Counter(map(ascii_line, new))
    sides = ((after - before, "more"), (before - after, "fewer"))
    told = [f"{side.total()} {word} ({_cut(min(side))})" for side, word in sides if side]
    return ", ".join(told) or "the same in another order"


def _shown(value: Json) -> str:
    return "left out" if value is _NOTHING else _cut(ascii_line(value))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
