"""``klein-bench run``: one agent over some tasks, from prompts to a page, in one command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from kcb_core.catalog import Catalog
from kcb_core.commands.options import dataset_option
from kcb_core.dataset import open_dataset
from kcb_experiments.quick import Wish, asking_options, carry_out
from kcb_experiments.spec import USUAL_S, Benchmark, Bounds


@click.command()
@click.option("--agent", default="one-shot", show_default=True, metavar="NAME",
              help="What writes the projects.")  # fmt: skip
@click.option("--subset", required=True, metavar="NAME",
              help="A tier, a named set such as easy@20, or a frozen selection.")  # fmt: skip
@click.option("--seconds", type=float, default=USUAL_S, show_default=True, metavar="N",
              help="Working time after which the agent is cut off at a task.")  # fmt: skip
@asking_options
@dataset_option
@click.pass_obj
def run(
    catalog: Catalog, /, subset: str, seconds: float, dataset_path: Path | None, **options: Any
) -> int:
    """Let an agent write the projects of some tasks, judge, score, and leave a page.

    It is an experiment of one subject and one repetition, so all commands of 'experiment' work on
    its folder.

    Exit status 0 if every task has a verdict, whatever it is; 2 for a wrong invocation, 3 if of
    some tasks nothing is known, 130 if it was interrupted; the same command goes on.
    """
    frozen = Path(subset).is_file()
    benchmark = Benchmark(
        dataset=open_dataset(dataset_path).manifest.dataset if dataset_path else "kcb",
        subset="" if frozen else subset,
        selection=subset if frozen else "",
    )
    at = ("--dataset", str(dataset_path)) if dataset_path else ()
    wish = Wish(
        benchmark=benchmark,
        bounds=Bounds(seconds=seconds),
        dataset_path=dataset_path,
        score_words=at,
        **options,
    )
    return carry_out(catalog, wish)
