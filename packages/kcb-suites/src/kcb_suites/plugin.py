"""What kcb-suites brings: the group of commands around suites, and the kinds of manifests."""

from __future__ import annotations

from collections.abc import Iterable

from kcb_core import hookimpl
from kcb_core.roles import Command
from kcb_core.schemas import Published


@hookimpl
def kcb_register_documents() -> Iterable[Published]:
    """The four kinds of manifests."""
    # Every command loads every plug-in, and few of them ask for schemas.
    from kcb_suites.documents import DOCUMENTS  # noqa: PLC0415

    return DOCUMENTS


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
