"""Text from candidates, made safe to show: nothing in it is hidden, endless or reordered."""

from __future__ import annotations

from kcb_core import console


def shown(text: str, room: int | None = None) -> str:
    """Text whose control, bidirectional and other invisible characters stand as escapes.

    Args:
        text: anything, lone surrogates among it.
        room: characters that are kept; the rest is a number.
    """
    kept = text if room is None else text[:room]
    safe = kept if kept.isprintable() else console.plain(kept)
    rest = len(text) - len(kept)
    return f"{safe} … {rest} more characters" if rest else safe


def around(text: str, place: int, room: int) -> str:
    """As :func:`shown`, but what is kept is around one place, such as the first difference."""
    start = max(0, min(place - room // 3, len(text) - room))
    if start == 0:
        return shown(text, room)
    return f"{start} characters … {shown(text[start:], room)}"
