"""``klein-bench experiment plan``: what a spec will be, before anything is paid."""

from __future__ import annotations

from pathlib import Path

import click

from kcb_core import console
from kcb_core.catalog import Catalog
from kcb_core.commands.options import FILE, dataset_option, json_option
from kcb_experiments.engine.parts import found_parts
from kcb_experiments.frozen import freeze
from kcb_experiments.plan import Plan, Sight, make_plan, refuse_without_room
from kcb_experiments.spec import enforcing, read_spec
from kcb_experiments.task_sets import frozen_task_set
from kcb_experiments.wording import amount, duration, points, share


@click.command()
@click.argument("path", type=FILE, metavar="SPEC")
@dataset_option
@json_option
@click.pass_obj
def plan(catalog: Catalog, path: Path, dataset_path: Path | None, as_json: bool) -> None:
    """Show the cells of a spec, the most that they may cost and take, and what it can see.

    Nothing is asked, written or paid. What 'run' would refuse before it looks at the machine is
    refused here too. The bounds hold for one attempt of every cell; a retry costs
    more, and the budget caps all of it.
    """
    spec = read_spec(path, enforcing=enforcing(catalog.executors()))
    experiment = freeze(spec, catalog, beside=path.parent, dataset_path=dataset_path)
    tasks = frozen_task_set(catalog, experiment.dataset, dataset_path)
    refuse_without_room(experiment)
    found_parts(catalog, experiment, tasks).check()
    made = make_plan(experiment)
    if as_json:
        console.emit_json(made)
    else:
        _show(made)


def _show(plan: Plan) -> None:
    console.say(
        f"{plan.name}: tasks {plan.tasks} × repetitions {plan.repetitions} × subjects "
        f"{len(plan.arms)} = {plan.cells} cells, in {plan.groups} groups of which at most "
        f"{plan.load.groups} run at once"
    )
    console.say(f"experiment {plan.experiment_sha256}")
    console.table(
        ("subject", "cells", "one attempt at most", "all cells at most"),
        [
            (
                arm.subject,
                str(arm.cells),
                amount(arm.worst, arm.unbounded),
                amount(arm.worst_of_all, arm.unbounded),
            )
            for arm in plan.arms
        ],
        right="cells",
    )
    console.say(f"all together at most: {amount(plan.at_most, plan.unbounded)}")
    console.say(f"done after {duration(plan.elapsed_s)} at most, judging and waiting not counted")
    for sight in plan.sees:
        console.say(_sentence(sight))


def _sentence(sight: Sight) -> str:
    where = f"arms that disagree on {share(sight.disagreement)} of tasks"
    if sight.difference is None:
        return f"{where}: no difference is found at 80 % power, since {sight.reason}"
    return f"{where}: a difference of {points(sight.difference)} is found at 80 % power"
