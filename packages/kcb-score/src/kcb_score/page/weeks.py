"""The same subjects week after week, beside a control arm: a history on the page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kcb_core.page import Block, Figure, PageData, Panel, Paragraph, Table, Tone
from kcb_core.score import Interval
from kcb_score.compare.history import Change, History, HistoryEntry
from kcb_score.page.drawing import panel_spec
from kcb_score.page.palette import INK, subject_colour
from kcb_score.page.visible import shown
from kcb_score.page.wording import NOT_KNOWN, interval, percent

_NOTE = (
    "The control arm is held fixed, so what moves it, such as another judge or a slower machine, "
    "moves all. 'Beyond drift' is what an arm gained less what the control gained. All else on "
    "this page is of the last week."
)
_NAMED_AT_MOST = 12


class Weeks:
    """A history."""

    name = "Week by week"
    order = 250

    def render(self, data: PageData) -> Iterable[Block]:
        """Rates over the weeks, the numbers, and the tasks that flipped."""
        for document in data.beside:
            if isinstance(document, History):
                yield from _blocks(document)


def _blocks(history: History) -> Iterable[Block]:
    yield Figure(
        name="history",
        caption=f"Share resolved, week by week; the control is {shown(history.control, 60)}",
        panels=(Panel(spec=_chart(history)),),
        legend=tuple(
            (shown(arm, 60), subject_colour(place)) for place, arm in enumerate(history.arms)
        ),
    )
    columns = ("rate", "95 % interval", "against control", "change", "beyond drift")
    yield Table(
        caption="Weeks and arms",
        columns=("week", "arm", *columns),
        rows=tuple(_row(entry) for entry in history.entries),
        numeric=frozenset(columns),
    )
    flips = tuple(
        (entry.week, shown(entry.arm, 60), word, _named(tasks))
        for entry in history.entries
        for word, tasks in (("gained", entry.gained), ("lost", entry.lost))
        if tasks
    )
    if flips:
        yield Table(
            caption="Tasks that flipped", columns=("week", "arm", "how", "tasks"), rows=flips
        )
    yield Paragraph(text=_NOTE, tone=Tone.NOTE)


def _row(entry: HistoryEntry) -> tuple[str, ...]:
    return (
        entry.week,
        shown(entry.arm, 60),
        NOT_KNOWN if entry.rate is None else percent(entry.rate),
        interval(entry.interval),
        _points(entry.against_control),
        _points(entry.change),
        _points(entry.beyond_drift),
    )


def _points(change: Change | None) -> str:
    if change is None:
        return NOT_KNOWN
    told = f"{100 * change.difference:+.1f}"
    return f"{told} ({_signed(change.interval)})" if change.interval else told


def _signed(bounds: Interval) -> str:
    return f"{100 * bounds.low:+.1f} to {100 * bounds.high:+.1f}"


def _named(tasks: tuple[str, ...]) -> str:
    rest = len(tasks) - _NAMED_AT_MOST
    return ", ".join(tasks[:_NAMED_AT_MOST]) + (f" and {rest} more" if rest > 0 else "")


def _chart(history: History) -> Mapping[str, Any]:
    places = {arm: place for place, arm in enumerate(history.arms)}
    values = [
        {
            "week": entry.week,
            "arm": entry.arm,
            "rate": entry.rate,
            "colour": subject_colour(places[entry.arm]),
            "told": f"{entry.arm}, {entry.week}: {percent(entry.rate)}",
            **({"low": i.low, "high": i.high} if (i := entry.interval) else {}),
        }
        for entry in history.entries
        if entry.rate is not None
    ]
    x = {"field": "week", "type": "ordinal", "sort": list(history.weeks), "title": None}
    offset = {"field": "arm", "type": "nominal", "sort": list(history.arms)}
    axis = {"format": "%", "values": [0, 0.25, 0.5, 0.75, 1]}
    y = {"type": "quantitative", "scale": {"domain": [0, 1]}, "axis": axis, "title": None}
    colour = {"field": "colour", "type": "nominal", "scale": None}
    both = {"x": {**x, "axis": {"labelAngle": 0}}, "color": colour, "xOffset": offset}
    return panel_spec(
        width={"step": max(14, 76 // len(history.arms)), "for": "offset"},
        height=220,
        data={"values": values},
        layer=[
            {
                "mark": {"type": "rule", "strokeWidth": 1.5, "aria": False, "color": INK},
                "transform": [{"filter": "isValid(datum.low)"}],
                "encoding": {**both, "y": {"field": "low", **y}, "y2": {"field": "high"}},
            },
            {
                "mark": {"type": "circle", "size": 60, "opacity": 1},
                "encoding": {
                    **both,
                    "y": {"field": "rate", **y},
                    "description": {"field": "told"},
                },
            },
        ],
    )
