"""``klein-bench experiment results``: what an experiment has come to."""

from __future__ import annotations

from pathlib import Path

import click

from kcb_core import console
from kcb_core.commands.options import FILE, json_option
from kcb_experiments.progress import read_results
from kcb_experiments.results import ArmResult, CellResult, Effort, Results
from kcb_experiments.wording import dollars, duration, listed, measure


@click.command()
@click.argument("folder", type=FILE, metavar="DIR")
@click.option("--cells", is_flag=True, help="Show every cell too.")
@json_option
def results(folder: Path, cells: bool, as_json: bool) -> None:
    """Show the arms of an experiment with scores, cost, and what was lost.

    Everything is derived from the attempt log at this moment; of each cell the earliest valid
    attempt counts. Where cells have none, a score is two bounds. Arms are compared with 'experiment
    pair' and not by these numbers.
    """
    _, found = read_results(folder)
    if as_json:
        console.emit_json(found)
        return
    _show(found)
    if cells:
        _show_cells(found.cells)


def _show(found: Results) -> None:
    state = "complete" if found.complete else "not complete"
    console.say(f"{found.name}: {len(found.cells)} cells, {state}")
    for one in found.occasions:
        load = one.load
        console.say(f"runs with at most {load.cells} cells at once ({load.arms} × {load.groups}): "
                    f"{one.runs}")  # fmt: skip
    columns = ("subject", "cells", "score", "resolved", "charged", "per resolved", "tokens")
    console.table(columns, [_arm(arm) for arm in found.arms], right=",".join(columns[1:]))
    console.table(
        ("subject", "states", "lost", "kept attempts", "void attempts"),
        [
            (a.subject, listed(a.states), listed(a.lost), _effort(a.kept_effort),
             _effort(a.void_effort))
            for a in found.arms
        ],
    )  # fmt: skip
    if found.late_records:
        console.warn(f"{found.late_records} records of an older writer came late and do not count")
    for note in found.notes:
        console.say(note)


def _arm(arm: ArmResult) -> tuple[str, ...]:
    per = arm.dollars_per_resolved
    return (
        arm.subject,
        str(arm.cells),
        measure(arm.score),
        str(arm.resolved),
        dollars(arm.charged.dollars, at_least=arm.cost_at_least),
        dollars(per.value) if per.value is not None else "–",
        f"{arm.tokens:,}" if arm.tokens is not None else "–",
    )


def _effort(effort: Effort) -> str:
    if effort.mean_s is None or effort.mean_requests is None:
        return f"{effort.attempts}"
    return (
        f"{effort.attempts}, each {duration(effort.mean_s)} and {effort.mean_requests:.1f} requests"
    )


def _show_cells(cells: tuple[CellResult, ...]) -> None:
    console.table(
        ("cell", "state", "cause", "attempts", "score", "time", "dollars"),
        [
            (
                one.cell,
                one.state,
                one.cause,
                str(one.attempts),
                "–" if one.score is None else f"{one.score:.2f}",
                "–" if one.duration_s is None else duration(one.duration_s),
                "–" if one.dollars is None else dollars(one.dollars, at_least=one.cost_at_least),
            )
            for one in cells
        ],
        right="attempts,score,time,dollars",
    )
