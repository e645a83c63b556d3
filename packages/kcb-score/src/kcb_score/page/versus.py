"""Which subject is better, by how much, and whether that is noise: a comparison on the page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kcb_core.page import Block, Figure, PageData, Panel, Paragraph, Tone
from kcb_score.compare.comparison import Comparison, Contrast, Pair
from kcb_score.compare.sheets import arms_sheet, pair_sheet, verdict, warnings
from kcb_score.page.drawing import panel_spec
from kcb_score.page.palette import INK, LINE, MUTED
from kcb_score.page.visible import shown
from kcb_score.page.wording import ALL_TIERS, table_of

_NOTE = (
    "A difference is counted over the tasks of which both results are known, task by task. Its "
    "interval takes tasks of one family as a cluster; p is exact. The last column is the smallest "
    "difference that a study of this size finds four times in five. Which tasks the subjects "
    "differ on, the table of tasks shows: 'only where subjects differ'."
)


_PERCENT = "(datum.value > 0 ? '+' : datum.value < 0 ? '−' : '') + format(abs(datum.value), '.0%')"
"""Labels with a sign, but nought without one."""


class Versus:
    """Differences between subjects."""

    name = "Which is better"
    order = 200

    def render(self, data: PageData) -> Iterable[Block]:
        """A sentence on each pair, its differences as a chart, and the numbers."""
        for document in data.beside:
            if isinstance(document, Comparison):
                yield from _blocks(document)


def _blocks(comparison: Comparison) -> Iterable[Block]:
    for line in warnings(comparison):
        yield Paragraph(text=shown(f"{line}.", 600), tone=Tone.WARNING)
    for pair in comparison.pairs:
        yield Paragraph(text=shown(f"{verdict(pair)}.", 600))
    yield Figure(
        name="differences",
        caption="Difference of the shares resolved, with 95 % intervals",
        panels=tuple(
            Panel(
                title=f"{shown(pair.second, 60)} less {shown(pair.first, 60)}", spec=_forest(pair)
            )
            for pair in comparison.pairs
        ),
    )
    for pair in comparison.pairs:
        yield table_of(pair_sheet(pair, comparison.marks, level=comparison.level))
    yield table_of(arms_sheet(comparison))
    yield Paragraph(text=_NOTE, tone=Tone.NOTE)


def _forest(pair: Pair) -> Mapping[str, Any]:
    contrasts = [one for one in (*pair.tiers, pair.overall) if one.difference is not None]
    far = max((abs(v) for one in contrasts for v in _ends(one)), default=0.0)
    reach = min(1.0, max(0.1, 1.1 * far))
    y = {"field": "tier", "type": "nominal", "sort": None, "title": None}
    axis = {"labelExpr": _PERCENT, "tickCount": 5}
    scale = {"domain": [-reach, reach], "nice": False}
    x = {"type": "quantitative", "scale": scale, "axis": axis, "title": None}
    return panel_spec(
        width=280,
        height={"step": 24},
        data={"values": [_point(one) for one in contrasts]},
        layer=[
            {
                "mark": {"type": "rule", "color": MUTED, "aria": False},
                "encoding": {"x": {"datum": 0, **x}},
            },
            {
                "mark": {"type": "rule", "color": INK, "strokeWidth": 1.5, "aria": False},
                "transform": [{"filter": "isValid(datum.low)"}],
                "encoding": {"y": y, "x": {"field": "low", **x}, "x2": {"field": "high"}},
            },
            {
                "mark": {"type": "circle", "size": 60, "color": INK, "stroke": LINE, "opacity": 1},
                "encoding": {
                    "y": y,
                    "x": {"field": "difference", **x},
                    "description": {"field": "told"},
                },
            },
        ],
    )


def _ends(contrast: Contrast) -> tuple[float, ...]:
    interval = contrast.interval
    return (contrast.difference or 0.0, *((interval.low, interval.high) if interval else ()))


def _point(contrast: Contrast) -> dict[str, object]:
    tier, interval = contrast.tier or ALL_TIERS, contrast.interval
    told = f"{tier}: {100 * (contrast.difference or 0):+.1f} points"
    ends = {"low": interval.low, "high": interval.high} if interval else {}
    return {"tier": tier, "difference": contrast.difference, "told": told, **ends}
