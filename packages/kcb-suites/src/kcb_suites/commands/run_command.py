"""``klein-bench suite run``: one agent over the tasks of a suite, to a page, in one command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from kcb_core.catalog import Catalog
from kcb_experiments.quick import Wish, asking_options, carry_out
from kcb_experiments.spec import MAX_REPETITIONS, Benchmark, Bounds
from kcb_suites.running.suite_tasks import ALL
from kcb_suites.tree import Suite, find_suite

USUAL_AGENT = "coding"
SCRIPTED_AGENT = "replay"


@click.command()
@click.argument("where", metavar="SUITE")
@click.option("--agent", metavar="NAME", help="Who does the work. Default: coding; of a "
              "deterministic suite replay, which plays its scripts.")  # fmt: skip
@click.option("--task", "task_ids", multiple=True, metavar="ID",
              help="Only this task; again for more.")  # fmt: skip
@click.option("--tag", metavar="TAG", default=ALL, help="Only tasks with this tag.")
@click.option("--repetitions", type=click.IntRange(1, MAX_REPETITIONS), default=1,
              show_default=True, metavar="N", help="New samples of every task.")  # fmt: skip
@click.option("--seconds", type=float, metavar="N", help="Working time after which the agent is "
              "cut off. Default: what each task allows, and a minute.")  # fmt: skip
@asking_options
@click.pass_obj
def run(
    catalog: Catalog,
    /,
    where: str,
    agent: str | None,
    task_ids: tuple[str, ...],
    tag: str,
    seconds: float | None,
    **options: Any,
) -> int:
    """Let an agent work on the tasks of SUITE, grade what it leaves, score, and leave a page.

    SUITE is the name of a suite, a manifest, or a tree that holds one. Each task starts from a copy
    of its fixture in a git repository, allows the agent what its budget says, and ends at its
    hidden grader. It is an experiment of one subject, so all commands of 'experiment' work on its
    folder.

    Exit status 0 if every task has a verdict, whatever it is; 2 for a wrong invocation or something
    that is missing, 3 if of some tasks nothing is known, 130 if it was interrupted; the same
    command goes on.
    """
    suite = find_suite(where)
    path = Path(where)
    wish = Wish(
        agent=agent or _usual_agent(suite),
        benchmark=Benchmark(
            dataset=suite.manifest.id, tasks=task_ids, subset="" if task_ids else tag
        ),
        bounds=Bounds() if seconds is None else Bounds(seconds=seconds),
        dataset_path=path if path.exists() else None,
        **options,
    )
    return carry_out(catalog, wish)


def _usual_agent(suite: Suite) -> str:
    return SCRIPTED_AGENT if suite.manifest.kind == "deterministic" else USUAL_AGENT
