"""Finding files by name and lines by pattern; no link is followed."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator

from kcb_agents.coding.hands.place import Refused, below, read_text, shown

MOST_FILES = 1_000
"""Most paths that are told."""

MOST_LINES = 200
"""Most lines that are told."""

MOST_ENTRIES = 100_000
"""Most files and folders that are looked at."""

LONGEST = 300
"""Most characters of a line that is told."""


def find_files(pattern: str, folder: str) -> str:
    """Paths that match a pattern, one a line; ``**`` stands for any folders."""
    matches = _matcher(pattern)
    found = [path for path in _files(folder) if matches(os.path.relpath(path, below(folder)))]
    return _told([shown(path) for path in found], MOST_FILES, "files")


def find_lines(pattern: str, folder: str, names: str) -> str:
    """Lines that match a regular expression, as ``path:number:line``."""
    try:
        expression = re.compile(pattern)
    except re.error as error:
        raise Refused(f"the pattern is no regular expression: {error}") from None
    matches = _matcher(names)
    out: list[str] = []
    for path in _files(folder):
        if not matches(os.path.basename(path)) and not matches(shown(path)):
            continue
        try:
            lines = read_text(path).split("\n")
        except Refused:
            continue
        for number, line in enumerate(lines, 1):
            if expression.search(line):
                out.append(f"{shown(path)}:{number}:{line[:LONGEST]}")
                if len(out) > MOST_LINES:
                    return _told(out, MOST_LINES, "lines")
    return _told(out, MOST_LINES, "lines")


def _files(place: str) -> Iterator[str]:
    """Plain files below a folder, in order; or the one file itself."""
    real = below(place)
    if os.path.isfile(real):
        yield real
        return
    looked_at = 0
    for folder, folders, files in os.walk(real, followlinks=False):
        folders.sort()
        for name in sorted(files):
            looked_at += 1
            if looked_at > MOST_ENTRIES:
                raise Refused(f"there are more than {MOST_ENTRIES:,} files; name a folder")
            path = os.path.join(folder, name)
            if os.path.isfile(path) and not os.path.islink(path):
                yield path


def _matcher(pattern: str) -> Callable[[str], re.Match[str] | None]:
    """A test of paths: ``*`` and ``?`` stay within a part, ``**`` does not."""
    if not pattern:
        raise Refused("a pattern is needed")
    parts = pattern.removeprefix("./").split("/")
    out = ""
    for place, part in enumerate(parts):
        last = place == len(parts) - 1
        if part == "**":
            out += ".*" if last else "(?:[^/]+/)*"
        else:
            out += _part(part) + ("" if last else "/")
    return re.compile(out, re.DOTALL).fullmatch


def _part(part: str) -> str:
    """One part of a path's pattern as a regular expression."""
    tokens = re.findall(r"\[[!^]?\]?[^\]]*\]|.", part, re.DOTALL)
    return "".join(_token(token) for token in tokens)


def _token(token: str) -> str:
    if token == "*":
        return "[^/]*"
    if token == "?":
        return "[^/]"
    if len(token) == 1:
        return re.escape(token)
    inside = token[1:-1].replace("\\", "\\\\").replace("[", "\\[")
    return f"[^{inside[1:]}]" if inside[:1] in ("!", "^") else f"[{inside}]"


def _told(lines: list[str], most: int, what: str) -> str:
    if not lines:
        return f"(no {what})"
    more = [f"(more than {most} {what}; narrow it down)"] if len(lines) > most else []
    return "\n".join(lines[:most] + more)
