"""The result: resolve@1 for each tier with its interval, and what must be known to quote it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kcb_core.page import (
    Block,
    Fact,
    Facts,
    Figure,
    PageData,
    Panel,
    Paragraph,
    Table,
    Tone,
)
from kcb_core.score import Score, Tally
from kcb_score.page.drawing import panel_spec
from kcb_score.page.palette import INK, subject_colour
from kcb_score.page.visible import shown
from kcb_score.page.wording import (
    interval,
    interval_of,
    resolved_share,
    runs,
    subject_name,
    tier_name,
)
from kcb_score.text import other_dataset, tierless

_CAPTION = "Share of tasks resolved, by tier, with 95 % intervals"
_HOW_TO_READ = (
    "A task is resolved only if every response of its one project was right. Each share is over "
    "all tasks of the tier, those without a project among them; the interval says how far chance "
    "alone, in which tasks were drawn, may have moved it. A pale end of a bar is what void tasks "
    "leave open."
)


class Headline:
    """What the page is opened for."""

    name = "Result"
    order = 100

    def render(self, data: PageData) -> Iterable[Block]:
        """Flags, numbers, bars with intervals, and the same as a table."""
        score = data.score
        for line in _flags(score):
            yield Paragraph(text=shown(line, 600), tone=Tone.WARNING)
        if len(runs(score)) == 1:
            yield Facts(items=tuple(_facts(score)))
        yield Figure(
            name="resolved-by-tier",
            caption=_CAPTION,
            panels=(Panel(spec=_bars(score)),),
            legend=_legend(score),
        )
        yield _table(score)
        yield Paragraph(text=_HOW_TO_READ, tone=Tone.NOTE)


def _tallies(score: Score) -> Iterator[tuple[str, int, Tally]]:
    """Name, place of the subject, and tally, tier by tier and all together last.

    A suite has no tiers, so that all of it is one tally.
    """
    all_runs = runs(score)
    if not all_runs:
        return
    for index in range(len(all_runs[0][2].tiers)):
        yield from ((name, place, run.tiers[index]) for name, place, run in all_runs)
    if not tierless(tally.tier for tally in all_runs[0][2].tiers):
        yield from ((name, place, run.overall) for name, place, run in all_runs)


def _flags(score: Score) -> Iterator[str]:
    """What must be known before a number is quoted; which tasks lack, the table of tasks shows."""
    for name in score.mixed:
        values = ", ".join(
            f"{value} ({number})" for value, number in score.conditions[name].items()
        )
        yield f"The reports mix several of {name}: {values}."
    for name, _, run in runs(score):
        whole = run.overall
        counts = (("missing", whole.missing), ("void", whole.void), ("excluded", whole.excluded))
        if whole.corrected:
            yield f"{name}: {whole.corrected} corrected by hand, which count as not resolved."
        parts = [f"{number} {word}" for word, number in counts if number]
        if parts:
            yield f"{name} is incomplete: of {whole.total} tasks {' and '.join(parts)}."
        if whole.void:
            yield (
                f"{name} has no single result: it is a pair until the void tasks are evaluated "
                "again."
            )
    if not score.selection and any(run.overall.missing for _, _, run in runs(score)):
        yield "A missing project counts as not resolved; --selection measures by fewer tasks."
    if score.installed_manifest_sha256:
        told = other_dataset(score)
        yield f"{told[0].upper()}{told[1:]}."
    if score.outside:
        yield f"Tasks that are not selected and so not counted: {len(score.outside)}."
    for exclusion in score.excluded:
        yield f"{exclusion.task_id} counts as not resolved: {exclusion.reason}"
    if score.superseded:
        yield f"{len(score.superseded)} projects were void at first; the later report counts."


def _legend(score: Score) -> tuple[tuple[str, str], ...]:
    if len(score.subjects) == 1:
        return ()
    return tuple(
        (subject_name(subject.subject), subject_colour(place))
        for place, subject in enumerate(score.subjects)
    )


def _facts(score: Score) -> Iterator[Fact]:
    for _, _, tally in _tallies(score):
        possible = f"–{tally.resolved + tally.void}" if tally.void else ""
        yield Fact(
            name=tier_name(tally),
            value=resolved_share(tally),
            note=f"{tally.resolved}{possible} of {tally.total}",
        )


def _table(score: Score) -> Table:
    several = len(runs(score)) > 1
    excluded = any(tally.excluded for _, _, tally in _tallies(score))
    columns = ("resolve@1", "95 % interval", "resolved", "of", "missing", "void")
    last = ("excluded",) if excluded else ()
    rows = tuple(
        (
            tier_name(tally),
            *((name,) if several else ()),
            resolved_share(tally),
            interval(interval_of(tally)),
            str(tally.resolved),
            str(tally.total),
            str(tally.missing),
            str(tally.void),
            *((str(tally.excluded),) if excluded else ()),
        )
        for name, _, tally in _tallies(score)
    )
    return Table(
        caption="resolve@1 by tier",
        columns=("tier", *(("subject",) if several else ()), *columns, *last),
        rows=rows,
        numeric=frozenset((*columns, *last)),
    )


def _bars(score: Score) -> Mapping[str, Any]:
    values = [
        {
            "tier": tier_name(tally),
            "run": name,
            "colour": subject_colour(place),
            "low": tally.resolved / tally.total if tally.total else 0,
            "high": (tally.resolved + tally.void) / tally.total if tally.total else 0,
            **_whisker(tally),
            "label": resolved_share(tally),
            "told": f"{name}, {tier_name(tally)}: {resolved_share(tally)}",
        }
        for name, place, tally in _tallies(score)
    ]
    names = [name for name, _, _ in runs(score)]
    grouped: dict[str, Any] = {}
    step: dict[str, Any] = {"step": 30}
    if len(names) > 1:
        grouped = {"yOffset": {"field": "run", "type": "nominal", "sort": names}}
        step = {"step": 17, "for": "offset"}
    base = {
        "y": {"field": "tier", "type": "nominal", "sort": None, "title": None},
        **grouped,
    }
    return panel_spec(
        width=250,
        height=step,
        data={"values": values},
        layer=_layers(base),
    )


def _whisker(tally: Tally) -> dict[str, float]:
    bounds = interval_of(tally)
    return {"from": bounds.low, "to": bounds.high} if bounds else {}


def _layers(base: dict[str, Any]) -> list[dict[str, Any]]:
    """From back to front: what void tasks leave open, what is sure, the interval, the number."""
    scale = {"domain": [0, 1]}
    axis = {"format": "%", "values": [0, 0.25, 0.5, 0.75, 1]}
    x = {"field": "high", "type": "quantitative", "scale": scale, "axis": axis, "title": None}
    colour = {"field": "colour", "type": "nominal", "scale": None}
    bar = {"type": "bar", "height": {"band": 0.72}}
    rule = {"x": {"field": "from", "type": "quantitative"}, "x2": {"field": "to"}}
    return [
        {
            "mark": {**bar, "opacity": 0.35, "aria": False},
            "encoding": {**base, "x": x, "color": colour},
        },
        {
            "mark": bar,
            "encoding": {
                **base,
                "x": {"field": "low", "type": "quantitative"},
                "color": colour,
                "description": {"field": "told"},
            },
        },
        {
            "mark": {"type": "rule", "color": INK, "strokeWidth": 1.5, "aria": False},
            "transform": [{"filter": "isValid(datum.from)"}],
            "encoding": {**base, **rule},
        },
        {
            "mark": {"type": "text", "align": "left", "aria": False, "color": INK},
            "encoding": {**base, "x": {"datum": 1.03}, "text": {"field": "label"}},
        },
    ]
