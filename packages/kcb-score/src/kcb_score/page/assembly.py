"""Puts the page on a run together: sections asked, the evidence of all tasks fitted into it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kcb_core.errors import KcbError, MachineError
from kcb_core.page import Block, PageData
from kcb_core.roles import ReportSection
from kcb_score.page.details import Room, details, room_for
from kcb_score.page.document import Rendered, document, inert_json
from kcb_score.page.table_of_tasks import table_of_tasks
from kcb_score.page.task_rows import TaskRow, task_rows
from kcb_score.page.visible import shown
from kcb_score.page.wording import subject_name
from kcb_score.text import tierless, totals_text, which_set

EVIDENCE_BYTES = 1_900_000
"""Bytes that the evidence of all tasks of a page may take."""

_LEAST_ROOM = 300


def ask(sections: Sequence[ReportSection], data: PageData) -> tuple[Rendered, ...]:
    """The blocks of every section that has any.

    Raises:
        MachineError: a section failed.
    """
    return tuple(
        Rendered(name=section.name, anchor=f"section-{number}", blocks=blocks)
        for number, section in enumerate(sections)
        if (blocks := _blocks(section, data))
    )


def _blocks(section: ReportSection, data: PageData) -> tuple[Block, ...]:
    try:
        blocks = tuple(section.render(data))
    except KcbError:
        raise
    except Exception as error:
        raise MachineError(
            f"report section {section.name!r} failed: {type(error).__name__}: {error}"
        ) from error
    for block in blocks:
        if not isinstance(block, Block):
            raise MachineError(f"report section {section.name!r} gave {block!r}, which is no block")
    return blocks


def page(sections: Sequence[Rendered], data: PageData) -> bytes:
    """The whole page as one HTML file in UTF-8.

    Raises:
        DeclarationError: a figure cannot be drawn.
    """
    rows = task_rows(data)
    names = _names(data)
    return document(
        title=" and ".join(names) if len(names) <= 3 else "Comparison",
        subtitle=_subtitle(data),
        sections=sections,
        data=_embedded(rows, data),
        tasks=table_of_tasks(rows, names),
    )


def _embedded(rows: Iterable[TaskRow], data: PageData) -> str:
    """What the script shows, as JSON; the more there is, the less of each project."""
    held = tuple(rows)
    room = room_for(sourced.report for sourced in data.reports)
    while True:
        text = inert_json({"subjects": _names(data), "projects": _projects(held, room)})
        if len(text) <= EVIDENCE_BYTES or room.characters <= _LEAST_ROOM:
            return text
        room = Room(max(_LEAST_ROOM, room.characters * EVIDENCE_BYTES // len(text) * 4 // 5))


def _projects(rows: Iterable[TaskRow], room: Room) -> dict[str, list[dict[str, object]]]:
    return {
        row.task_id: [details(s, room) for cell in row.cells for s in cell.reports] for row in rows
    }


def _names(data: PageData) -> list[str]:
    return [subject_name(subject.subject) for subject in data.score.subjects]


def _subtitle(data: PageData) -> str:
    score = data.score
    if score.dataset is None:
        return score.reason
    totals = ", ".join(f"{number} {tier}" for tier, number in score.dataset.totals.items())
    tasks = totals_text(score.dataset) if tierless(score.dataset.totals) else f"{totals} tasks"
    chosen = f", {score.selection.tasks} of them selected" if score.selection else ""
    days = sorted({s.report.finished[:10] for s in data.reports if s.report.finished})
    when = f", evaluated {' to '.join(dict.fromkeys((days[0], days[-1])))}" if days else ""
    what = which_set(score.dataset)
    return shown(f"{score.reports} reports on {what} ({tasks}{chosen}){when}", 400)
