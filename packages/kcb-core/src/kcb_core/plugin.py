"""What kcb-core itself brings: commands that need no other package, fault codes, documents."""

from __future__ import annotations

from collections.abc import Iterable

from kcb_core import hookimpl
from kcb_core.roles import Command
from kcb_core.schemas import Published
from kcb_core.trial import FORMAT_VIOLATION, TOOL_HALLUCINATION, FaultCode

_HERE = "kcb_core.commands"


@hookimpl
def kcb_register_fault_codes() -> Iterable[FaultCode]:
    """The codes that the contract of trial reports itself speaks of."""
    return (
        FaultCode(
            code=FORMAT_VIOLATION,
            summary="Two replies in a row were no action, the second in spite of the format error.",
        ),
        FaultCode(
            code=TOOL_HALLUCINATION,
            summary="The agent claims that a command ran for which no process was started.",
        ),
    )


@hookimpl
def kcb_register_documents() -> Iterable[Published]:
    """The documents that several packages read or write."""
    # Imported when schemas are asked for: no other command has to wait for all of them.
    from kcb_core.documents import DOCUMENTS  # noqa: PLC0415

    return DOCUMENTS


@hookimpl
def kcb_register_commands() -> Iterable[Command]:
    """The commands over datasets, reports, plug-ins and this machine."""
    return (
        Command(name="list", summary="List tasks.", target=f"{_HERE}.list:list_tasks"),
        Command(
            name="show", summary="Show a task, a report or a run record.",
            target=f"{_HERE}.show:show",
        ),
        Command(
            name="prepare",
            summary="Make a workspace: the prompt and an empty project folder.",
            target=f"{_HERE}.prepare:prepare",
        ),
        Command(
            name="plugins", summary="List plug-ins, broken ones too.",
            target=f"{_HERE}.plugins:plugins",
        ),
        Command(
            name="schema", summary="Print the JSON Schema of a stored document.",
            target=f"{_HERE}.schema:schema",
        ),
        Command(
            name="doctor", summary="Check this machine.", target=f"{_HERE}.doctor:doctor"
        ),
    )  # fmt: skip
