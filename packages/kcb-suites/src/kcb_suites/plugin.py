"""What kcb-suites brings: commands, kinds of manifests, suites as tasks, and their verifier."""

from __future__ import annotations

from collections.abc import Iterable

from kcb_core import hookimpl
from kcb_core.execution import Verifier
from kcb_core.roles import Command
from kcb_core.schemas import Published
from kcb_core.tasksets import TaskSource


@hookimpl
def kcb_register_documents() -> Iterable[Published]:
    """The four kinds of manifests."""
    # Every command loads every plug-in, and few of them ask for schemas.
    from kcb_suites.documents import DOCUMENTS  # noqa: PLC0415

    return DOCUMENTS


@hookimpl
def kcb_register_task_sources() -> Iterable[TaskSource]:
    """Suites, as the tasks of experiments."""
    from kcb_suites.running.suite_tasks import Suites  # noqa: PLC0415 - as above

    return (Suites(),)


@hookimpl
def kcb_register_verifiers() -> Iterable[Verifier]:
    """The graders of suites."""
    from kcb_suites.running.grader_verifier import GraderVerifier  # noqa: PLC0415 - as above

    return (GraderVerifier(),)


@hookimpl
def kcb_register_commands() -> Iterable[Command]:
    """The group of commands around suites."""
    return (
        Command(
            name="suite",
            summary="Run and prove tasks that start from a repository.",
            target="kcb_suites.suite_command:suite",
        ),
    )
