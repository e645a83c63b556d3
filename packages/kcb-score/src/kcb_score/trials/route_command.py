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
from kcb_score.trials.drafts import channel_work, place_draft, ticket
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
        tickets=tuple(_ticket(fault, sink, output) for fault in tool_faults(rows)),
        agent_faults=tuple(_agents(fault, output) for fault in agent_faults(rows, configured)),
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


def _ticket(fault: ToolFault, sink: TicketSink, output: Path) -> Ticket:
    draft = ticket(fault, output)
    return Ticket(
        tool=fault.tool,
        drill=fault.drill,
        check=fault.check,
        name=draft.name,
        reports=tuple(map(str, draft.reports)),
        place=sink.put(draft, output),
    )


def _agents(fault: AgentFault, output: Path) -> AgentFaults:
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
        place=place_draft(*channel_work(fault, output)) if fault.routed else "",
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
    if routing.tickets:
        columns: tuple[str, ...] = ("tool", "drill", "check", "reports", "ticket draft")
        console.table(columns, map(_ticket_cells, routing.tickets), right="reports")
    if routing.agent_faults:
        columns = ("code", "channel", "models", "faults", "goes to", "since")
        console.table(columns, map(_fault_cells, routing.agent_faults), right="models,faults")


def _ticket_cells(one: Ticket) -> tuple[str, ...]:
    number = str(len(one.reports))
    return tuple(map(one_line, (one.tool, one.drill, one.check, number, one.place)))


def _fault_cells(one: AgentFaults) -> tuple[str, ...]:
    goes_to = one.place if one.routed else "the record alone"
    return tuple(
        map(
            one_line,
            (one.code, one.channel, str(len(one.models)), str(one.faults), goes_to, one.rule),
        )
    )
