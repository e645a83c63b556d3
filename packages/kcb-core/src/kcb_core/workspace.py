"""A workspace: the prompt and an empty folder, and nothing else."""

from __future__ import annotations

from pathlib import Path

from kcb_core.errors import MachineError
from kcb_core.folder import require_new
from kcb_core.task import Task

PROMPT_NAME = "PROMPT.md"
PROJECT_NAME = "project"


def lay_out(task: Task, folder: Path) -> None:
    """Make a workspace for a task: exactly ``PROMPT.md`` and an empty ``project/``.

    Args:
        task: whose prompt it gets.
        folder: a path that does not exist yet, or an empty folder.

    Raises:
        DeclarationError: there is something at the path already.
        MachineError: it cannot be written.
    """
    require_new(folder)
    try:
        (folder / PROJECT_NAME).mkdir(parents=True)
        (folder / PROMPT_NAME).write_text(task.prompt, encoding="utf-8", newline="\n")
    except OSError as error:
        raise MachineError(f"{folder}: cannot be written: {error.strerror or error}") from error
