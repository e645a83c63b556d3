"""What kcb-references brings: its answers, and the commands that use them."""

from __future__ import annotations

from collections.abc import Iterable

from kcb_core import hookimpl
from kcb_core.roles import Command, Reference
from kcb_references.catalogue import shipped


@hookimpl
def kcb_register_references() -> Iterable[Reference]:
    """The references of the shipped families."""
    return shipped()


@hookimpl
def kcb_register_commands() -> Iterable[Command]:
    """The commands that need answers."""
    return (
        Command(
            name="reference",
            summary="Export the reference solution of a task, for audit.",
            target="kcb_references.cli:reference",
        ),
        Command(
            name="validate",
            summary="Validate the benchmark: references resolve, empty projects fail.",
            target="kcb_references.cli:validate",
        ),
    )
