"""Drafts in Markdown: tickets for a tool's tracker, and work on an output channel.

A draft depends on the reports alone, so the same command gives the same files. It ends with the
digest of its own text: a draft that a person has edited since is never written over.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import UNSET

from kcb_core.claims import claims_of
from kcb_core.codec import canonical, digest
from kcb_core.roles import TicketDraft
from kcb_core.storage import read_bounded, write_whole
from kcb_core.trial import TrialReport
from kcb_score.trials.inert import block, link, slug, span
from kcb_score.trials.routing import AgentFault, ToolFault
from kcb_score.trials.rows import Row

TICKETS = "tickets"
CHANNEL_WORK = "channel-work"

_STAMP = re.compile(rb"(.*\n)<!-- draft ([0-9a-f]{64}) -->\n", re.DOTALL)


class FileSink:
    """Keeps each ticket draft as a Markdown file, in a folder of its own."""

    name = "files"

    def put(self, draft: TicketDraft, folder: Path) -> str:
        """Write the draft; one that a person has edited is left as it is.

        Raises:
            MachineError: it cannot be written.
        """
        return place_draft(folder / TICKETS / f"{draft.name}.md", draft.title, draft.body)


def place_draft(path: Path, title: str, body: str) -> str:
    """Write a draft unless it is there already or was edited, and say where it is.

    Raises:
        DeclarationError: what stands there cannot be read.
        MachineError: it cannot be written.
    """
    text = f"# {title}\n\n{body}\n".encode()
    data = text + f"<!-- draft {digest(text)} -->\n".encode()
    if path.exists():
        there = read_bounded(path)
        if there == data:
            return str(path)
        if not _untouched(there):
            return f"{path} (edited since, and left as it is)"
    write_whole(path, data)
    return str(path)


def draft_ticket(fault: ToolFault, folder: Path) -> TicketDraft:
    """The ticket for one fault of a tool, its links seen from the folder of tickets."""
    rows = _distinct(row for row, _ in fault.seen)
    channels = sorted({str(check.channel) for _, check in fault.seen if check.channel})
    probed = f", which probes {', '.join(map(span, channels))}" if channels else ""
    body = [
        f"Check {span(fault.check)} of drill {span(fault.drill)}{probed}, failed in {len(rows)} of "
        f"{fault.trials} trials by a fault of the tool, {span(fault.tool)}.",
        *_observed(((row, check.reason) for row, check in fault.seen), folder / TICKETS),
        *_limits(rows),
    ]
    return TicketDraft(
        tool=fault.tool,
        name=_name(fault.tool, fault.drill, fault.check),
        title=f"{span(fault.tool)}: check {span(fault.check)} of drill {span(fault.drill)} fails",
        body="\n\n".join(body),
        reports=tuple(row.path for row in rows),
    )


def draft_channel_work(fault: AgentFault, folder: Path) -> tuple[Path, str, str]:
    """Path, title and body of the draft for one fault of agents that is work on its channel."""
    rows = _distinct(row for row, _ in fault.seen)
    drills = sorted({(row.report.tool, row.report.drill) for row in rows})
    body = [
        f"The fault {span(fault.code)} of agents was seen in the channel {span(fault.channel)}: "
        f"{fault.rule}. So the channel misleads or is missed, and not one weak model.",
        "\n".join(["Models:", "", *(f"- {span(model)}" for model in fault.models)]),
        "\n".join(["Drills:", "", *(f"- {span(d)} of {span(tool)}" for tool, d in drills)]),
        *_observed(fault.seen, folder / CHANNEL_WORK),
        *_limits(rows),
    ]
    path = folder / CHANNEL_WORK / f"{_name(fault.code, fault.channel)}.md"
    return path, f"{span(fault.code)} in the channel {span(fault.channel)}", "\n\n".join(body)


def _observed(seen: Iterable[tuple[Row, str]], start: Path) -> Iterator[str]:
    """Each distinct reason once, with a link to every report that gives it."""
    by_reason: dict[str, list[Row]] = defaultdict(list)
    for row, reason in seen:
        by_reason[reason].append(row)
    yield "## What was observed"
    for reason, rows in by_reason.items():
        yield block(reason)
        yield "\n".join(
            f"- {link(row.path, start=start)}: {_circumstances(row.report)}"
            for row in _distinct(rows)
        )


def _circumstances(report: TrialReport) -> str:
    level = report.level if report.level is not UNSET else ("2" if report.live else "not stated")
    parts = [f"level {level}"]
    if report.model:
        parts.append(f"model {span(report.model)}")
    if report.repetition is not UNSET:
        parts.append(f"repetition {report.repetition}")
    if report.tool_version:
        parts.append(f"version {span(report.tool_version)}")
    return ", ".join(parts)


def _limits(rows: Iterable[Row]) -> Iterator[str]:
    yield "## What this shows, and what not"
    yield "\n".join(f"- {claim}" for claim in claims_of(row.report for row in rows))


def _distinct(rows: Iterable[Row]) -> list[Row]:
    return list({row.path: row for row in rows}.values())


def _name(*words: str) -> str:
    """A file name that tells faults apart even if their words look the same in it."""
    return "-".join([*map(slug, words), digest(canonical(list(words)))[:8]])


def _untouched(data: bytes) -> bool:
    """Whether a file is a draft as it was written."""
    stamped = _STAMP.fullmatch(data)
    return stamped is not None and digest(stamped[1]) == stamped[2].decode()
