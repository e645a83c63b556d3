"""``klein-bench report aggregate``: trial reports in, counts and what they show out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from kcb_core import console
from kcb_core.catalog import Catalog
from kcb_core.commands.options import FILE, json_option
from kcb_core.findings import TrialGroup, TrialSummary
from kcb_score.text import one_line
from kcb_score.trials.aggregation import aggregate_trials
from kcb_score.trials.rows import read_rows

_COLUMNS = (
    *("tool", "drill", "model", "trials", "outcomes", "tool faults", "agent faults"),
    "stopped at",
)
_NUMBERS = "trials,tool faults"


@click.command()
@click.argument("paths", nargs=-1, type=FILE, metavar="[FILE|FOLDER]...")
@json_option
@click.pass_obj
def aggregate(catalog: Catalog, paths: tuple[Path, ...], as_json: bool) -> None:
    """Count trial reports of any tools by tool, drill and model.

    Of a folder, every *.json file in and below it is read. Rows without a model are not of level 2.
    What the numbers show, and what they do not, stands below them.
    """
    summary = aggregate_trials([row.report for row in read_rows(catalog, paths)])
    if as_json:
        console.emit_json(summary)
    else:
        _show(summary)


def _show(summary: TrialSummary) -> None:
    console.table(_COLUMNS, [_cells(group) for group in summary.groups], right=_NUMBERS)
    for claim in summary.claims:
        console.say(claim)
    for tool in summary.always_green:
        console.say(f"always green: {one_line(tool)}")


def _cells(group: TrialGroup) -> tuple[str, ...]:
    return (
        *map(one_line, (group.tool, group.drill, _model(group))),
        *(str(group.trials), _counts(group.statuses), str(group.tool_faults)),
        *(_counts(group.agent_faults), _counts(group.bounds_reached)),
    )


def _model(group: TrialGroup) -> str:
    """The model; rows without a live one say so, since they are no evidence on any model."""
    stands_in = "".join(f", for {model} ({n})" for model, n in group.instead_of.items())
    if group.live:
        return group.model + stands_in
    levels = ", ".join(map(str, group.levels))
    named = f"{group.model}, " if group.model else ""
    return f"{named}not level 2" + (f" but {levels}" if levels else "")


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in counts.items() if number)
