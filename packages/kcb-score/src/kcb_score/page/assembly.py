"""Puts a page together: sections asked, figures drawn, one HTML file with nothing from elsewhere.

The content security policy lets run the one script and the one style sheet that are in the file,
by their digests, and lets nothing be loaded. Text is escaped by the template, and what the script
shows is embedded as JSON in which no character can end the element that it stands in.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import resources

from kcb_core.errors import KcbError, MachineError
from kcb_core.page import Block, Figure, PageData, TaskTable
from kcb_core.provenance import revision
from kcb_core.roles import ReportSection
from kcb_score.page.details import Room, details, room_for
from kcb_score.page.drawing import drawn
from kcb_score.page.palette import VARIABLES
from kcb_score.page.table_of_tasks import table_of_tasks
from kcb_score.page.task_rows import TaskRow, task_rows
from kcb_score.page.visible import shown
from kcb_score.page.wording import subject_name
from kcb_score.text import tierless, totals_text, which_set

EVIDENCE_BYTES = 1_900_000
"""Bytes that the evidence of all tasks of a page may take."""

_LEAST_ROOM = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """One section, its blocks asked for once."""

    name: str
    anchor: str
    blocks: tuple[Block, ...]

    @property
    def figures(self) -> Iterator[Figure]:
        """The figures among its blocks."""
        return (block for block in self.blocks if isinstance(block, Figure))


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
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415 - an extra
    from markupsafe import Markup  # noqa: PLC0415 - an extra

    style, script = _text("page.css"), _text("page.js")
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    rows = task_rows(data)
    html = environment.from_string(_text("page.html.jinja")).render(
        policy=_policy(style, script),
        style=Markup(style),
        script=Markup(script),
        data=Markup(_embedded(rows, data)),
        generator=f"kcb-score {revision('kcb-score').version}",
        title=" and ".join(_names(data)) if len(data.score.subjects) <= 3 else "Comparison",
        subtitle=_subtitle(data),
        sections=[
            {
                "name": shown(section.name, 60),
                "anchor": section.anchor,
                "blocks": [_prepared(block, rows, data, Markup) for block in section.blocks],
            }
            for section in sections
        ],
    )
    return bytes(html.encode())


def _prepared(
    block: Block, rows: Sequence[TaskRow], data: PageData, markup: type[str]
) -> tuple[str, object]:
    """A block as the template takes it: its kind, and itself or what is drawn of it."""
    kind = type(block).__name__
    if isinstance(block, TaskTable):
        return kind, table_of_tasks(rows, _names(data))
    if isinstance(block, Figure):
        return kind, {
            "name": re.sub(r"[^A-Za-z0-9-]", "-", block.name),
            "caption": block.caption,
            "legend": [
                (text, f"var({VARIABLES[c]})" if c in VARIABLES else c) for text, c in block.legend
            ],
            "panels": [(panel.title, markup(drawn(block, panel))) for panel in block.panels],
            "table": block.table,
        }
    return kind, block


def _embedded(rows: Iterable[TaskRow], data: PageData) -> str:
    """What the script shows, as JSON; the more there is, the less of each project."""
    held = tuple(rows)
    room = room_for(sourced.report for sourced in data.reports)
    while True:
        text = _inert_json({"subjects": _names(data), "projects": _projects(held, room)})
        if len(text) <= EVIDENCE_BYTES or room.characters <= _LEAST_ROOM:
            return text
        room = Room(max(_LEAST_ROOM, room.characters * EVIDENCE_BYTES // len(text) * 4 // 5))


def _projects(rows: Iterable[TaskRow], room: Room) -> dict[str, list[dict[str, object]]]:
    return {
        row.task_id: [details(s, room) for cell in row.cells for s in cell.reports] for row in rows
    }


def _inert_json(value: object) -> str:
    """JSON of ASCII alone in which no character means anything to HTML."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _text(name: str) -> str:
    return resources.files("kcb_score.page").joinpath(name).read_text("utf-8")


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
