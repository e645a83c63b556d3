"""Where it was resolved and where not: every family in every tier, category by category."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from kcb_core.page import Block, Figure, PageData, Panel, Paragraph, Tone
from kcb_score.page.drawing import panel_spec
from kcb_score.page.palette import FAILED, LINE, MISSING, NEAR, RESOLVED, SOME, VOID
from kcb_score.page.task_rows import State, TaskRow, task_rows
from kcb_score.page.wording import subject_name
from kcb_score.text import tierless

COLOURS = {
    State.RESOLVED: RESOLVED,
    State.SOME: SOME,
    State.NEAR: NEAR,
    State.FAILED: FAILED,
    State.VOID: VOID,
    State.MISSING: MISSING,
}

_UNKNOWN = "no project, so category not known"
_CAPTION = "Every family in every tier"
_LEGEND = (
    "Each square is a task and leads to what is known of it. A near miss got at least 95 % of the "
    "assertions right; it counts as not resolved, like any other failure."
)


class Families:
    """The heat map."""

    name = "Families and tiers"
    order = 300

    def render(self, data: PageData) -> Iterable[Block]:
        """One small map for each category; a suite has neither families nor tiers."""
        rows = task_rows(data)
        subjects = [subject_name(subject.subject) for subject in data.score.subjects]
        tiers = list(data.score.dataset.totals) if data.score.dataset else []
        if not rows or tierless(tiers):
            return
        used = {cell.state for row in rows for cell in row.cells}
        yield Figure(
            name="families-by-tier",
            caption=_CAPTION,
            panels=tuple(
                Panel(title=category, spec=_map(held, tiers, subjects))
                for category, held in _by_category(rows).items()
            ),
            legend=tuple((str(state), COLOURS[state]) for state in State if state in used),
        )
        order = f" Of the marks of one task, from the left: {', '.join(subjects)}."
        yield Paragraph(text=_LEGEND + (order if len(subjects) > 1 else ""), tone=Tone.NOTE)


def _by_category(rows: Iterable[TaskRow]) -> dict[str, list[TaskRow]]:
    """The tasks of each category, in the order of their first families; only reports name it."""
    found: dict[str, list[TaskRow]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: (not row.category, row.number)):
        found[row.category or _UNKNOWN].append(row)
    return found


def _map(rows: list[TaskRow], tiers: list[str], subjects: list[str]) -> Mapping[str, Any]:
    values = [
        {
            "family": row.family,
            "tier": row.tier,
            "subject": place,
            "colour": COLOURS[cell.state],
            "link": f"#{row.task_id}",
            "told": f"{row.family}, {row.tier}, {subjects[place]}: {cell.state}",
        }
        for row in rows
        for place, cell in enumerate(row.cells)
    ]
    families = list(dict.fromkeys(row.family for row in rows))
    several = len(subjects) > 1
    return panel_spec(
        width={"step": max(9, 34 // len(subjects)), "for": "offset"} if several else {"step": 34},
        height={"step": 19},
        data={"values": values},
        mark={"type": "rect", "stroke": LINE, "strokeWidth": 0.5, "cornerRadius": 2},
        encoding={
            "x": _TIERS | {"sort": tiers},
            "y": _FAMILIES | {"sort": families},
            **({"xOffset": {"field": "subject", "type": "ordinal"}} if several else {}),
            "color": {"field": "colour", "type": "nominal", "scale": None},
            "href": {"field": "link"},
            "description": {"field": "told"},
        },
    )


_TIERS: dict[str, Any] = {
    "field": "tier",
    "type": "nominal",
    "title": None,
    "axis": {"orient": "top", "labelAngle": 0, "labelExpr": "slice(datum.label, 0, 5)"},
    "scale": {"paddingInner": 0.12, "paddingOuter": 0.05},
}
"""Their names are cut to what fits above a square."""

_FAMILIES: dict[str, Any] = {
    "field": "family",
    "type": "nominal",
    "title": None,
    "axis": {"labelLimit": 150, "minExtent": 132},
    "scale": {"padding": 0.12},
}
