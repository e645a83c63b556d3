"""What it took to write the projects, against what came of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from kcb_core.page import Block, Figure, PageData, Panel, Paragraph, Table, Tone
from kcb_core.report import Outcome, TaskReport
from kcb_score.page.drawing import panel_spec
from kcb_score.page.palette import INK, subject_colour
from kcb_score.page.recorded import held, number
from kcb_score.page.wording import NOT_KNOWN, percent, seconds, subject_name

_NOTHING = (
    "The reports hold no run record with a time or a cost, so nothing can be said of what the "
    "projects took. 'evaluate TASK --record FILE' takes one in, and "
    "'evaluate --all' those that 'generate' kept."
)
_NOTE = (
    "Means over the reports whose run record says it; a task without a project has neither cost "
    "nor time. Seconds are those of the machine that ran the model, and compare only between "
    "models on the same machine."
)

_SHAPES = ("circle", "square", "diamond", "triangle-up", "cross", "triangle-down")
"""Of points, by tier."""

_LEGEND = {
    "orient": "bottom",
    "columns": 4,
    "symbolFillColor": INK,
    "symbolStrokeColor": INK,
    "symbolSize": 70,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Expense:
    """What the projects of one subject in one tier took, where the records say it."""

    name: str
    place: int
    tier: str
    resolved: float
    """Share of the judged projects that resolved."""
    told: int
    """Reports whose record says the time or the cost."""
    dollars: float | None = None
    """Mean for each project."""
    at_least: bool = False
    """Whether a part of some project's cost has no known price, so that it was more."""
    wall_s: float | None = None
    """Mean for each project, in seconds."""
    tokens: float | None = None
    """Mean output tokens for each project."""
    speed: float | None = None
    """Output tokens for each second."""


class Costs:
    """Cost or time against success."""

    name = "Cost and success"
    order = 500

    def render(self, data: PageData) -> Iterable[Block]:
        """A chart of each tier, and the numbers."""
        expenses = list(_expenses(data))
        if not any(one.told for one in expenses):
            yield Paragraph(text=_NOTHING, tone=Tone.NOTE)
            return
        panel = _chart(expenses)
        if panel is not None:
            yield Figure(
                name="cost-and-success",
                caption="Share of projects that resolved, against what a project took",
                panels=(panel,),
                legend=tuple(
                    (subject_name(subject.subject), subject_colour(place))
                    for place, subject in enumerate(data.score.subjects)
                ),
            )
        yield _table(expenses)
        yield Paragraph(text=_NOTE, tone=Tone.NOTE)


def _expenses(data: PageData) -> Iterator[Expense]:
    tiers = list(data.score.dataset.totals) if data.score.dataset else []
    for place, subject in enumerate(data.score.subjects):
        for tier in tiers:
            reports = [
                s.report
                for s in data.reports
                if s.report.subject == subject.subject and s.report.subset == tier
            ]
            if reports:
                yield _expense(subject_name(subject.subject), place, tier, reports)


def _expense(name: str, place: int, tier: str, reports: Sequence[TaskReport]) -> Expense:
    dollars = [d for r in reports if (d := number(r.run_record, "cost", "dollars")) is not None]
    walls = [w for r in reports if (w := number(r.run_record, "wall_s")) is not None]
    pairs = [
        (tokens, number(r.run_record, "wall_s"))
        for r in reports
        if (tokens := number(r.run_record, "usage", "output_tokens")) is not None
    ]
    timed = [(tokens, wall) for tokens, wall in pairs if wall]
    judged = [r for r in reports if r.outcome is not Outcome.VOID]
    return Expense(
        name=name,
        place=place,
        tier=tier,
        resolved=fmean(r.outcome is Outcome.RESOLVED for r in judged) if judged else 0.0,
        told=max(len(dollars), len(walls)),
        dollars=fmean(dollars) if dollars else None,
        at_least=any(held(r.run_record, "cost", "lower_bound") is True for r in reports),
        wall_s=fmean(walls) if walls else None,
        tokens=fmean(tokens for tokens, _ in pairs) if pairs else None,
        speed=sum(t for t, _ in timed) / sum(w for _, w in timed) if timed else None,
    )


def _chart(expenses: list[Expense]) -> Panel | None:
    priced = all(one.dollars is not None for one in expenses)
    field, title = ("dollars", "dollars a project") if priced else ("wall_s", "seconds a project")
    values = [
        {
            "x": x,
            "resolved": one.resolved,
            "tier": one.tier,
            "colour": subject_colour(one.place),
            "told": f"{one.name}, {one.tier}: {percent(one.resolved)} for {x:.3g} {title}",
        }
        for one in expenses
        if (x := getattr(one, field)) is not None
    ]
    if not values:
        return None
    tiers = list(dict.fromkeys(one.tier for one in expenses))
    return Panel(spec=_scatter(values, tiers, title))


def _scatter(values: list[dict[str, Any]], tiers: list[str], title: str) -> Mapping[str, Any]:
    """Points whose shape is the tier: words beside close ones would hide each other."""
    share = {"domain": [0, 1]}
    axis = {"format": "%", "values": [0, 0.25, 0.5, 0.75, 1]}
    colour = {"field": "colour", "type": "nominal", "scale": None}
    shape = {"field": "tier", "type": "nominal", "title": None,
             "scale": {"domain": tiers, "range": list(_SHAPES)},
             "legend": _LEGEND if len(tiers) > 1 else None}  # fmt: skip
    return panel_spec(
        width=300,
        height=210,
        data={"values": values},
        encoding={
            "x": {"field": "x", "type": "quantitative", "title": title,
                  "axis": {"tickCount": 5}, "scale": {"nice": True, "zero": True}},
            "y": {"field": "resolved", "type": "quantitative", "title": "resolved",
                  "scale": share, "axis": axis},
        },
        layer=[
            {
                "mark": {"type": "line", "strokeWidth": 1, "opacity": 0.5, "aria": False},
                "encoding": {"color": colour, "order": {"field": "x"}},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1},
                "encoding": {"color": colour, "shape": shape, "description": {"field": "told"}},
            },
        ],
    )  # fmt: skip


def _table(expenses: list[Expense]) -> Table:
    priced = any(one.dollars is not None for one in expenses)
    columns = (
        *("tier", "told by", "resolved", *(("dollars",) if priced else ()), "time"),
        *("output tokens", "tokens a second", "time a resolved task"),
    )
    return Table(
        caption="What one project took, on average",
        columns=("subject", *columns),
        rows=tuple(tuple(_cells(one, priced)) for one in expenses),
        numeric=frozenset(columns[1:]),
    )


def _cells(one: Expense, priced: bool) -> Iterator[str]:
    yield from (one.name, one.tier, str(one.told), percent(one.resolved))
    if priced:
        bound = "≥ " if one.at_least else ""
        yield NOT_KNOWN if one.dollars is None else f"{bound}{one.dollars:.4f}"
    yield NOT_KNOWN if one.wall_s is None else seconds(one.wall_s)
    yield NOT_KNOWN if one.tokens is None else f"{one.tokens:,.0f}"
    yield NOT_KNOWN if one.speed is None else f"{one.speed:.1f}"
    known = one.wall_s is not None and one.resolved
    yield seconds(one.wall_s / one.resolved) if known and one.wall_s else NOT_KNOWN
