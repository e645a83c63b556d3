"""The command line."""

import argparse
import sys
from pathlib import Path

from dayplan.agenda import agenda_lines, list_lines
from dayplan.errors import PlanError
from dayplan.ical import calendar, selected
from dayplan.planfile import parse_date, parse_plan


def build_parser():
    parser = argparse.ArgumentParser(prog="dayplan", description="Reads your plan to you.")
    commands = parser.add_subparsers(dest="command", required=True)
    listing = commands.add_parser("list", help="all events")
    agenda = commands.add_parser("agenda", help="what happens on some days")
    export = commands.add_parser("export", help="the plan as an iCalendar file")
    for command in (listing, agenda, export):
        command.add_argument("file")
    agenda.add_argument("--from", dest="first", required=True, metavar="DATE")
    agenda.add_argument("--to", dest="last", required=True, metavar="DATE")
    export.add_argument("--from", dest="first", metavar="DATE")
    export.add_argument("--to", dest="last", metavar="DATE")
    export.add_argument("--tag", dest="tags", action="append", default=[])
    export.add_argument("--name", default="")
    export.add_argument("--domain", default="dayplan")
    export.add_argument("-o", dest="out")
    return parser


def run(options):
    """The lines that a command prints."""
    events = parse_plan(Path(options.file).read_text("utf-8"), options.file)
    if options.command == "list":
        return list_lines(events)
    if options.command == "export":
        return export(events, options)
    return agenda_lines(events, parse_date(options.first), parse_date(options.last))


def export(events, options):
    """Write the calendar; what there is to say about it."""
    first = parse_date(options.first) if options.first is not None else None
    last = parse_date(options.last) if options.last is not None else None
    if first and last and last < first:
        raise PlanError("--to lies before --from")
    events = selected(events, first, last, options.tags)
    data = calendar(events, options.name, options.domain)
    if options.out is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return []
    Path(options.out).write_bytes(data)
    noun = "event" if len(events) == 1 else "events"
    return [f"{len(events)} {noun} written to {options.out}"]


def main(argv):
    """Run one command; the exit status."""
    options = build_parser().parse_args(argv)
    try:
        lines = run(options)
    except PlanError as error:
        print(error, file=sys.stderr)
        return 1
    for line in lines:
        print(line)
    return 0
