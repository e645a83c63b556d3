"""What kcb-suites brings: suites as tasks with their verifier, and batteries of drills."""

from __future__ import annotations

from collections.abc import Iterable

from kcb_core import hookimpl
from kcb_core.execution import Verifier
from kcb_core.roles import Command
from kcb_core.schemas import Published
from kcb_core.tasksets import TaskSource
from kcb_core.trial import FaultCode


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
def kcb_register_fault_codes() -> Iterable[FaultCode]:
    """The codes that the shipped batteries use."""
    from kcb_suites.drills.fault_codes import FAULT_CODES  # noqa: PLC0415 - as above

    return FAULT_CODES


@hookimpl
def kcb_register_commands() -> Iterable[Command]:
    """The groups of commands around suites, and around batteries of drills."""
    return (
        Command(
            name="suite",
            summary="Run and prove tasks that start from a repository.",
            target="kcb_suites.suite_command:suite",
        ),
        Command(
            name="drill",
            summary="Drill agents in situations that go wrong: list, check, run.",
            target="kcb_suites.drills.drill_command:drill",
        ),
    )
