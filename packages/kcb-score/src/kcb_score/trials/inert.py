"""Text of programs and models in Markdown, so that it is shown and does nothing.

Names, reasons and paths come from whoever wrote a report. As code they cannot become a link, a
mention, a heading, HTML or a comment; control and direction characters are shown as escapes.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import quote

from kcb_core.console import plain
from kcb_score.text import one_line

LONGEST_BLOCK = 4_000
"""Characters of a block that are shown; the report has all of it."""


def span(text: str) -> str:
    """Text within a line, as code; an empty one is shown as such."""
    shown = one_line(plain(text))
    if not shown.strip():
        return f"(blank: {len(text)} characters)"
    fence = _fence(shown, 1)
    pad = " " if len(fence) > 1 else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def block(text: str) -> str:
    """Text as a block of code, cut if it is very long."""
    shown = plain(text[:LONGEST_BLOCK])
    rest = len(text) - LONGEST_BLOCK
    cut = f"\n… {rest} more characters" if rest > 0 else ""
    fence = _fence(shown, 3)
    return f"{fence}text\n{shown}{cut}\n{fence}"


def link(path: Path, *, start: Path) -> str:
    """A link to a file, as seen from a folder; its text is the file's name."""
    target = os.fsencode(os.path.relpath(path, start))
    return f"[{span(path.name)}]({quote(target)})"


def slug(text: str) -> str:
    """Text as a part of a file name: small letters, digits and hyphens, 40 characters at most."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:40].strip("-") or "x"


def _fence(text: str, least: int) -> str:
    """Backticks that are more than any in the text."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    return "`" * max(least, longest + 1)
