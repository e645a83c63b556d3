"""One HTML file with nothing from elsewhere: what the pages on a run and on one project share.

The content security policy lets run the one script and the one style sheet that are in the file,
by their digests, and lets nothing be loaded. Text is escaped by the template, and what the script
shows is embedded as JSON in which no character can end the element that it stands in.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from kcb_core.page import Block, Figure, TaskTable
from kcb_core.provenance import revision
from kcb_score.page.drawing import drawn
from kcb_score.page.palette import VARIABLES
from kcb_score.page.table_of_tasks import TableOfTasks
from kcb_score.page.visible import shown


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


def document(
    *,
    title: str,
    subtitle: str,
    sections: Sequence[Rendered],
    data: str,
    tasks: TableOfTasks | None = None,
) -> bytes:
    """The whole file in UTF-8.

    Args:
        title: its heading.
        subtitle: what it is about, in one line.
        sections: what it holds.
        data: what its script shows, as :func:`inert_json` gives it.
        tasks: what stands where a section has a table of tasks.

    Raises:
        DeclarationError: a figure cannot be drawn.
    """
    from markupsafe import Markup  # noqa: PLC0415 - an extra

    style, script = _text("page.css"), _text("page.js")
    html = _template().render(
        policy=_policy(style, script),
        style=Markup(style),
        script=Markup(script),
        data=Markup(data),
        generator=f"kcb-score {revision('kcb-score').version}",
        title=title,
        subtitle=subtitle,
        has_tasks=tasks is not None,
        sections=[
            {
                "name": shown(section.name, 60),
                "anchor": section.anchor,
                "blocks": [_prepared(block, tasks, Markup) for block in section.blocks],
            }
            for section in sections
        ],
    )
    return bytes(html.encode())


def inert_json(value: object) -> str:
    """JSON of ASCII alone in which no character means anything to HTML."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _prepared(block: Block, tasks: TableOfTasks | None, markup: type[str]) -> tuple[str, object]:
    """A block as the template takes it: its kind, and itself or what is drawn of it."""
    kind = type(block).__name__
    if isinstance(block, TaskTable):
        return kind, tasks
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


@cache
def _template() -> Any:
    """The template, which only whoever has the extra can compile."""
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415 - an extra

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    return environment.from_string(_text("page.html.jinja"))


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def _text(name: str) -> str:
    return resources.files("kcb_score.page").joinpath(name).read_text("utf-8")
