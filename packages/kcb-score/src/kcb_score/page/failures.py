"""How projects failed, and at which topic first: where to look, and no part of the score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from kcb_core.page import Block, Figure, PageData, Panel, Paragraph, Table, Tone
from kcb_core.score import RepetitionScore
from kcb_score.grids import profile_grid
from kcb_score.page.drawing import panel_spec
from kcb_score.page.palette import INK, subject_colour
from kcb_score.page.task_rows import State, TaskRow, task_rows
from kcb_score.page.wording import percent, runs, subject_name, table_of
from kcb_score.text import tierless

_NOTE = (
    "Diagnosis only: right responses of a task that is not resolved add nothing to the result. "
    "The first topic is that of the first scenario that did not pass."
)


class Failures:
    """Kinds of failure, near misses, and first failing topics."""

    name = "Where it fails"
    order = 400

    def render(self, data: PageData) -> Iterable[Block]:
        """Charts of the kinds, then tables of topics, side by side, and of assertions.

        A suite has topics by its tags; its grader gives one verdict, and no assertion is near.
        """
        all_runs = runs(data.score)
        rows = task_rows(data)
        panels = [
            Panel(title=name, spec=_kinds(run, subject_colour(place)))
            for name, place, run in all_runs
            if run.overall.diagnosis.failures
        ]
        if panels:
            yield Figure(
                name="kinds-of-failure",
                caption="Failed tasks by the kind of their failure",
                panels=tuple(panels),
            )
        for subject in data.score.subjects:
            grid = profile_grid(subject)
            if grid.rows:
                yield table_of(grid, of=subject_name(subject.subject))
        if not tierless(data.score.dataset.totals if data.score.dataset else ()):
            yield _assertions(all_runs, rows)
            yield Paragraph(text=_NOTE, tone=Tone.NOTE)


def _kinds(run: RepetitionScore, colour: str) -> Mapping[str, Any]:
    kinds = run.overall.diagnosis.failures
    values = [
        {"kind": kind.replace("_", " "), "tasks": number, "told": f"{kind}: {number} tasks"}
        for kind, number in kinds.items()
    ]
    y = {"field": "kind", "type": "nominal", "sort": None, "title": None}
    x = {"field": "tasks", "type": "quantitative", "axis": None}
    return panel_spec(
        width=210,
        height={"step": 22},
        data={"values": values},
        encoding={"y": y, "x": x},
        layer=[
            {
                "mark": {"type": "bar", "height": {"band": 0.66}, "color": colour},
                "encoding": {"description": {"field": "told"}},
            },
            {
                "mark": {"type": "text", "align": "left", "dx": 5, "color": INK, "aria": False},
                "encoding": {"text": {"field": "tasks"}},
            },
        ],
    )


def _assertions(all_runs: list[tuple[str, int, RepetitionScore]], rows: Iterable[TaskRow]) -> Table:
    near = Counter(
        place for row in rows for place, cell in enumerate(row.cells) if cell.state is State.NEAR
    )
    columns = ("near misses", "right assertions", "of", "share")
    return Table(
        caption="Near misses and assertions, over all tiers",
        columns=("subject", *columns),
        rows=tuple(
            (
                name,
                str(near[place]),
                f"{run.overall.diagnosis.assertions_passed:,}",
                f"{run.overall.diagnosis.assertions:,}",
                percent(
                    run.overall.diagnosis.assertions_passed
                    / (run.overall.diagnosis.assertions or 1)
                ),
            )
            for name, place, run in all_runs
        ),
        numeric=frozenset(columns),
    )
