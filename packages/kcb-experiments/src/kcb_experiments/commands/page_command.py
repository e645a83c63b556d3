"""``klein-bench experiment page``: the page of an experiment, or of one that is repeated."""

from __future__ import annotations

from pathlib import Path

import click

from kcb_core.catalog import Catalog
from kcb_core.commands.options import FILE, dataset_option
from kcb_core.errors import DeclarationError
from kcb_experiments.engine.judged import reports_of
from kcb_experiments.frozen import Experiment, read_experiment
from kcb_experiments.log import read_log
from kcb_experiments.paging import LACKING, PAGE_NAME, can_draw, selection_words, write_page


@click.command()
@click.argument("folders", nargs=-1, required=True, type=FILE, metavar="DIR...")
@click.option("--control", metavar="SUBJECT", help="Show the history of all DIRs, week by week, "
              "beside this subject, which is held fixed.")  # fmt: skip
@click.option("-o", "--output", type=FILE, metavar="FILE", help="The page. Default: report.html "
              "in the last DIR.")  # fmt: skip
@dataset_option
@click.pass_obj
def page(
    catalog: Catalog,
    /,
    folders: tuple[Path, ...],
    control: str | None,
    output: Path | None,
    dataset_path: Path | None,
) -> None:
    """Write the page of an experiment, and one on every cell behind it.

    Several DIRs are one experiment that is repeated, such as every week, each time into a folder
    of its own. By --control the page shows what each subject gained beyond what the control did.
    """
    if not can_draw():
        raise DeclarationError(LACKING)
    experiments = [read_experiment(folder) for folder in folders]
    _require_alike(folders, experiments)
    reports = [
        str(path)
        for folder, experiment in zip(folders, experiments, strict=True)
        for path in reports_of(experiment, read_log(folder).attempts, folder)
    ]
    if not reports:
        raise DeclarationError("no cell has a report, so there is nothing to show")
    history = ("--history", "--control", control) if control is not None else ()
    at = ("--dataset", str(dataset_path)) if dataset_path is not None else ()
    chosen = selection_words(experiments[-1], folders[-1])
    write_page(catalog, (*reports, *chosen, *history, *at), output or folders[-1] / PAGE_NAME)


def _require_alike(folders: tuple[Path, ...], experiments: list[Experiment]) -> None:
    for folder, experiment in zip(folders, experiments, strict=True):
        if experiment.tasks != experiments[0].tasks:
            raise DeclarationError(
                f"{folder}: is over other tasks than {folders[0]}, so one page cannot hold both"
            )
