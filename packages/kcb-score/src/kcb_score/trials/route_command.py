"""``klein-bench report route``: faults in trial reports to those who can mend them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from kcb_core import console
from kcb_core.catalog import Catalog
from kcb_core.codec import encode
from kcb_core.commands.options import FILE, json_option
from kcb_core.errors import DataError
from kcb_core.findings import ROUTING_FORMAT, ROUTING_KIND, AgentFaults, Routing, Ticket
from kcb_core.roles import TicketSink
from kcb_core.storage import read_bounded, write_whole
from kcb_score.text import one_line
from kcb_score.trials.drafts import draft_channel_work, draft_ticket, place_draft
from kcb_score.trials.routing import (
    AgentFault,
    ToolFault,
    agent_faults,
    live_models,
    tool_faults,
)
from kcb_score.trials.rows import Row, read_rows

RECORD_NAME = "routing.json"


@click.command()
@click.argument("paths", nargs=-1, type=FILE, metavar="[FILE|FOLDER]...")
@click.option("-o", "--output", type=FILE, required=True, metavar="DIR", help="Where drafts and "
              "the record of all faults go.")  # fmt: skip
@click.option("--model", "named", multiple=True, metavar="ID", help="A model that is configured; "
              "can be given several times. Default: those in the reports.")  # fmt: skip
@click.option("--models", "listed", type=FILE, metavar="FILE", help="A file with the ids of the "
              "configured models, one a line.")  # fmt: skip
@click.option("--sink", "sink_name", default="files", metavar="NAME", help="Where ticket drafts "
              "go. Default: files, Markdown in DIR.")  # fmt: skip
@json_option
@click.pass_obj
def route(
    catalog: Catalog,
    paths: tuple[Path, ...],
    output: Path,
    named: tuple[str, ...],
    listed: Path | None,
    sink_name: str,
    as_json: bool,
) -> None:
    """Turn tool faults into ticket drafts, and agent faults into work on output channels.

    An agent's fault is work on a channel if three models show it there, or all of two configured
    ones. Below that it is recorded, and nothing is done.
    """
    sink = catalog.find("ticket sink", sink_name, catalog.ticket_sinks(), lambda one: one.name)
    rows = read_rows(catalog, paths)
    present = live_models(row.report for row in rows)
    configured = {*named, *(read_models(listed) if listed else ())} or set(present)
    for model in sorted(set(present) - configured):
        console.warn(one_line(f"model {model!r} is in the reports and not configured"))
    routing = send(rows, configured, sink, output)
    if as_json:
        console.emit_json(routing)
    else:
        _show(routing)


def send(rows: Sequence[Row], configured: set[str], sink: TicketSink, output: Path) -> Routing:
    """Write every draft, and the record of all faults; a second time nothing changes.

    Raises:
        MachineError: something cannot be written.
    """
    routing = Routing(
        kind=ROUTING_KIND,
        format=ROUTING_FORMAT,
        reports=len(rows),
        configured=tuple(sorted(configured)),
        tickets=tuple(_filed(fault, sink, output) for fault in tool_faults(rows)),
        agent_faults=tuple(_weighed(fault, output) for fault in agent_faults(rows, configured)),
    )
    write_whole(output / RECORD_NAME, encode(routing))
    return routing


def read_models(path: Path) -> tuple[str, ...]:
    """The ids in a file, one a line; empty lines and those that start with ``#`` are skipped.

    Raises:
        DeclarationError: the file cannot be read.
        DataError: it is not UTF-8, or names no model.
    """
    try:
        lines = read_bounded(path).decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: invalid UTF-8 at byte {error.start}") from None
    ids = tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))
    if not ids:
        raise DataError(f"{path}: names no model")
    return ids


def _filed(fault: ToolFault, sink: TicketSink, output: Path) -> Ticket:
    draft = draft_ticket(fault, output)
    return Ticket(
        tool=fault.tool,
        drill=fault.drill,
        check=fault.check,
        name=draft.name,
        reports=tuple(map(str, draft.reports)),
        place=sink.put(draft, output),
    )


def _weighed(fault: AgentFault, output: Path) -> AgentFaults:
    rows = [row for row, _ in fault.seen]
    return AgentFaults(
        code=fault.code,
        channel=fault.channel,
        models=fault.models,
        faults=len(fault.seen),
        tools=_each(row.report.tool for row in rows),
        drills=_each(row.report.drill for row in rows),
        reports=_each(str(row.path) for row in rows),
        routed=fault.routed,
        rule=fault.rule,
        place=place_draft(*draft_channel_work(fault, output)) if fault.routed else "",
    )


def _each(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(words)))


def _show(routing: Routing) -> None:
    routed = sum(fault.routed for fault in routing.agent_faults)
    console.say(
        f"trial reports {routing.reports}, configured models {len(routing.configured)}, "
        f"ticket drafts {len(routing.tickets)}, work on channels {routed}, "
        f"recorded alone {len(routing.agent_faults) - routed}"
    )
    for line in (*map(_ticket_line, routing.tickets), *map(_fault_line, routing.agent_faults)):
        console.say(one_line(line))


def _ticket_line(one: Ticket) -> str:
    times = f"{len(one.reports)} report{'' if len(one.reports) == 1 else 's'}"
    return f"ticket: {one.tool}, drill {one.drill}, check {one.check}, {times}: {one.place}"


def _fault_line(one: AgentFaults) -> str:
    fault = f"{one.code} in {one.channel or 'no channel'}, {one.rule}"
    return f"work on a channel: {fault}: {one.place}" if one.routed else f"recorded: {fault}"
