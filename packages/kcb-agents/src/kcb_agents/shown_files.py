"""Files of a workspace as text in a message, for a model that cannot look at them by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kcb_core.errors import DeclarationError
from kcb_core.submission import Submission, SubmittedFile

MOST_CHARACTERS = 400_000
"""Of all files together, by the estimate 100,000 tokens; whoever has more is not asked."""

_TICKS = re.compile("`+")


def shown_files(files: Submission) -> str:
    """Every file with its path and its text, in the form in which a model gives files back.

    Raises:
        DeclarationError: they are longer than a message may be.
    """
    text = "".join(_shown(files))
    if len(text) > MOST_CHARACTERS:
        raise DeclarationError(
            f"the files of the workspace come to {len(text):,} characters, and an agent that "
            f"answers once is shown at most {MOST_CHARACTERS:,}; take one that reads files by "
            "itself, such as 'coding'"
        )
    return text


def _shown(files: Submission) -> Iterator[str]:
    for file in files.files:
        yield f"\n\n### {file.path}\n{_block(file)}"


def _block(file: SubmittedFile) -> str:
    """The text in a fence that is longer than any in it; what is no text is named as such."""
    try:
        text = file.data.decode("utf-8")
    except UnicodeDecodeError:
        return f"({len(file.data)} bytes that are no text)"
    longest = max((len(ticks) for ticks in _TICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    end = "" if text.endswith("\n") or not text else "\n"
    return f"{fence}\n{text}{end}{fence}"
