"""Says which files were passed over: all of them in one line."""

from __future__ import annotations

from collections.abc import Sequence

from kcb_core import console
from kcb_score.reading import Skipped

_NAMED = 3


def say_passed_over(found: Sequence[Skipped], noun: str) -> None:
    """Name the first few files that are other documents of the house, and count them.

    Args:
        found: the files.
        noun: what they are not, such as ``report``.
    """
    if not found:
        return
    named = ", ".join(f"{one.path} ({one.kind})" for one in found[:_NAMED])
    rest = len(found) - _NAMED
    count = "1 file is" if len(found) == 1 else f"{len(found)} files are"
    more = f" and {rest} more" if rest > 0 else ""
    console.note(f"{count} no {noun} and skipped: {named}{more}")
