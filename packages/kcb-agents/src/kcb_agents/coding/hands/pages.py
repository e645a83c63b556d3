"""A text as it is shown to a model: its lines with numbers, a page at a time."""

from __future__ import annotations

LINES = 2_000
"""Lines of a page where none are asked for."""

CHARACTERS = 60_000
"""Most characters of a page."""

LONGEST = 2_000
"""Most characters of one line."""


def page(text: str, offset: int = 1, limit: int = LINES) -> str:
    """Lines of a text from one on, and a last line that says what is left.

    Args:
        text: the whole; lines end at the line feed and nowhere else.
        offset: number of the first line, from 1 on.
        limit: most lines.
    """
    lines = text.removesuffix("\n").split("\n") if text else []
    if not lines:
        return "(empty)"
    first = max(1, offset)
    if first > len(lines):
        return f"(there are only {len(lines)} lines)"
    out: list[str] = []
    room = CHARACTERS
    for number in range(first, min(len(lines), first + max(1, limit) - 1) + 1):
        line = f"{number:6}\t{_cut(lines[number - 1])}"
        room -= len(line) + 1
        if room < 0 and out:
            break
        out.append(line)
    left = len(lines) - (first + len(out) - 1)
    return "\n".join([*out, f"({left} more lines)"] if left else out)


def _cut(line: str) -> str:
    if len(line) <= LONGEST:
        return line
    return f"{line[:LONGEST]} ({len(line) - LONGEST} more characters)"
