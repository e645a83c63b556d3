"""Fenced code blocks of a Markdown text, and the line that stands before each.

By CommonMark, with three mercies: a fence may be indented by any amount, the last block may lack
its end, and a block of Markdown may hold blocks. Lines end at ``\\n`` and nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_FENCE = re.compile(r"([ \t]*)(`{3,}(?=[^`]*$)|~{3,})(.*)")
_MARKDOWN = frozenset({"md", "markdown"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One fenced block."""

    info: str
    """What stands behind its opening fence."""
    before: tuple[str, ...]
    """The lines that are not blank since the block before it."""
    adjacent: bool
    """Whether the last of these stands right above it, or with one blank line between."""
    text: str
    """Its lines, each with its end."""
    closed: bool
    """Whether it has a closing fence."""

    @property
    def language(self) -> str:
        """The first word of its info, if that looks like the name of a language."""
        word = re.match(r"\{?\.?([A-Za-z][A-Za-z0-9+#]*)(?=[\s:{}]|$)", self.info.strip())
        return word[1].lower() if word else ""


def fenced_blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a text, in order."""
    lines = text.replace("\r\n", "\n").split("\n")
    at = 0
    before: list[str] = []
    blanks = 0
    while at < len(lines):
        opening = _FENCE.fullmatch(lines[at])
        at += 1
        if opening is None:
            line = lines[at - 1]
            blanks = 0 if line.strip() else blanks + 1
            before += [line] if line.strip() else []
            continue
        inside, at, closed = _inside(lines, at, opening)
        yield Block(
            info=opening[3].strip(),
            before=tuple(before),
            adjacent=bool(before) and blanks <= 1,
            text="".join(f"{line}\n" for line in inside),
            closed=closed,
        )
        before, blanks = [], 0


def _inside(lines: list[str], at: int, opening: re.Match[str]) -> tuple[list[str], int, bool]:
    """The lines of the block that was opened, the index after it, and whether it was closed."""
    indent, fence, info = len(opening[1]), opening[2], opening[3].strip()
    nests = info.partition(" ")[0].lower() in _MARKDOWN
    inside: list[str] = []
    depth = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        found = _FENCE.fullmatch(line)
        if found and found[2].startswith(fence) and len(found[1]) <= indent + 3:
            if not found[3].strip():
                if depth == 0:
                    return inside, at, True
                depth -= 1
            elif nests:
                depth += 1
        inside.append(line[min(indent, len(line) - len(line.lstrip(" \t"))) :])
    while inside and not inside[-1].strip():
        inside.pop()
    return inside, at, False
