"""What kcb-score brings: the command ``score`` and the scorer behind it."""

from __future__ import annotations

from collections.abc import Iterable

from kcb_core import hookimpl
from kcb_core.roles import Command, Scorer
from kcb_score.resolve import ResolveAtOne


@hookimpl
def kcb_register_scorers() -> Iterable[Scorer]:
    """resolve@1."""
    return (ResolveAtOne(),)


@hookimpl
def kcb_register_commands() -> Iterable[Command]:
    """The command that turns report files into scores."""
    return (
        Command(
            name="score",
            summary="Score report files: resolve@1 for each tier.",
            target="kcb_score.cli:score",
        ),
    )
