"""A workspace that is not empty at first: what lies in it, and what the task itself allows."""

from __future__ import annotations

import shutil
from pathlib import Path

from kcb_core.errors import DeclarationError, MachineError
from kcb_core.roles import Generation
from kcb_core.submission import Submission
from kcb_runner.snapshot import Rejected, take


def furnish(folder: Path, start: Path | None) -> None:
    """Copy what a subject starts from into its empty folder, a git repository among it.

    Raises:
        MachineError: it cannot be copied.
    """
    if start is None:
        return
    try:
        shutil.copytree(start, folder, symlinks=True, dirs_exist_ok=True)
    except (OSError, shutil.Error) as error:
        raise MachineError(f"{start}: cannot be copied: {error}") from error


def files_at_start(start: Path) -> Submission:
    """The files that a subject starts from, without the history.

    Raises:
        MachineError: they cannot be read, or are more than a workspace may hold.
    """
    try:
        return take(start)
    except (Rejected, DeclarationError) as error:
        raise MachineError(f"{start}: {error}") from None


def options_within(generation: Generation, *names: str) -> dict[str, str]:
    """The options that the caller set, with what the task allows where the caller set nothing.

    Args:
        generation: may have a budget.
        names: options of the agent that are bounds of a budget.
    """
    budget = generation.budget
    allowed = {} if budget is None else {name: f"{getattr(budget, name):g}" for name in names}
    return {**allowed, **generation.options}
