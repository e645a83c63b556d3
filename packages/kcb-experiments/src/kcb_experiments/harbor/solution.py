"""Projects that resolve tasks, which Harbor's agent ``oracle`` hands in."""

from __future__ import annotations

from pathlib import Path

from kcb_core.errors import DeclarationError
from kcb_core.submission import Submission
from kcb_runner.intake import submission_of
from kcb_runner.snapshot import Rejected


def solution_of(task_id: str, folder: Path) -> Submission:
    """The project of a task.

    Args:
        task_id: the task's.
        folder: holds one project for each task, named by its id.

    Raises:
        DeclarationError: there is none, or its files break a rule.
    """
    project = folder / task_id
    if not project.is_dir():
        raise DeclarationError(f"{project}: there is no solution of this task")
    try:
        return submission_of(project)
    except Rejected as error:
        raise DeclarationError(f"{project}: {error.reason}") from None
