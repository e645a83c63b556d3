"""``python -m kcb_references.launchers``: the same verdict, however a candidate is started.

The reference and every cheat of every task are judged under each launcher, a cheat until it fails.
Outcome and failure kind have to be equal, and so have the responses that were right until then.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import click

from kcb_core import console
from kcb_core.catalog import Catalog, load_catalog
from kcb_core.commands.options import dataset_option, datasets
from kcb_core.dataset import Dataset
from kcb_core.errors import DeclarationError, ExitStatus, KcbError, MachineError
from kcb_core.ids import SHIPPED_DATASET
from kcb_core.resources import usable_cpus
from kcb_core.roles import Launcher
from kcb_core.submission import Submission
from kcb_core.task import Task
from kcb_core.vocabulary import SHIPPED, Vocabulary
from kcb_references.catalogue import solution
from kcb_references.cheats import CHEATS, cheats_for
from kcb_runner.cancel import Cancel, cancel_on_signals
from kcb_runner.judging import Bench, Judgement, judge
from kcb_runner.launch.interpreter import kill_everything
from kcb_runner.pool import work_off

DEFAULT = ("interpreter:full", "interpreter:basic", "interpreter:none", "forkserver:full")
"""What is compared unless something else is asked for, each a launcher and a level."""

REFERENCE = "reference"

Verdict = tuple[str, str, int]
"""Outcome, failure kind, and responses that were right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One task under every launcher."""

    task_id: str
    projects: int
    """How many projects were judged under each."""
    differences: tuple[str, ...]
    """One line for each project whose verdict depends on how it was started."""


@dataclass(frozen=True, slots=True)
class Part:
    """The ``number``-th of ``parts`` equal parts, counted from one: every ``parts``-th item."""

    number: int
    parts: int

    def of(self, items: Sequence[str]) -> tuple[str, ...]:
        """What of the items is in this part."""
        return tuple(items[self.number - 1 :: self.parts])


def read_part(_context: click.Context | None, _option: click.Parameter | None, word: str) -> Part:
    """Read ``K/N``, with K from 1 to N.

    Raises:
        click.BadParameter: it is nothing of this kind.
    """
    number, _, parts = word.partition("/")
    if not (number.isdecimal() and parts.isdecimal() and 1 <= int(number) <= int(parts)):
        raise click.BadParameter(f"{word!r} is no part like 1/20, the first of twenty")
    return Part(int(number), int(parts))


@click.command()
@click.option(
    "--launch",
    "wanted",
    metavar="NAME:LEVEL",
    multiple=True,
    default=DEFAULT,
    show_default=True,
    help="A launcher and a level; the first is what the others are compared with.",
)
@click.option(
    "--part",
    callback=read_part,
    default="1/1",
    metavar="K/N",
    help="Only the Kth of N parts of the tasks, each of all tiers and families.",
)
@click.option("--jobs", type=click.IntRange(1, 256), help="Tasks at once. Default: one a CPU.")
@dataset_option
def launchers(
    wanted: Sequence[str], part: Part, jobs: int | None, dataset_path: Path | None
) -> int:
    """Judge references and cheats under several launchers.

    Exit status 1 if a verdict depends on how the candidate was started. A launcher that this
    machine does not allow is left out with a note, unless fewer than two remain.
    """
    catalog = load_catalog()
    dataset = _dataset(catalog, dataset_path)
    ids = part.of(dataset.task_ids)
    with ExitStack() as stack, cancel_on_signals(kill_everything) as cancel:
        benches = _benches(catalog, wanted, cancel, stack)
        found = list(_compare_all(catalog, dataset, ids, benches, jobs or usable_cpus(), cancel))
        if cancel.thrown:
            return ExitStatus.INTERRUPTED
    differences = [line for compared in found for line in compared.differences]
    for line in differences:
        console.say(line)
    projects = sum(compared.projects for compared in found)
    console.say(
        f"{projects} projects of {len(found)} tasks under {', '.join(benches)}: "
        f"{len(differences)} verdicts differ"
    )
    return ExitStatus.FAILED if differences else ExitStatus.DONE


def compare(
    task: Task, catalog: Catalog, benches: dict[str, Bench], vocabulary: Vocabulary = SHIPPED
) -> Compared:
    """Judge the reference and the cheats of a task under every launcher.

    Args:
        task: the task.
        catalog: where references are found.
        benches: the launchers, by their names.
        vocabulary: what the names on the wire are called in the task's dataset.

    Raises:
        DeclarationError: there is no reference.
        Cancelled: the run was stopped.
    """
    differences = []
    projects = dict(_projects(task, catalog, vocabulary))
    for name, submission in projects.items():
        verdicts = {
            bench_name: verdict(judge(task, submission, bench, until_failure=name != REFERENCE))
            for bench_name, bench in benches.items()
        }
        if len(set(verdicts.values())) > 1:
            differences.append(f"{task.task_id}: {name}: {verdicts}")
    return Compared(task_id=task.task_id, projects=len(projects), differences=tuple(differences))


def verdict(judgement: Judgement) -> Verdict:
    """What has to be the same, however the candidate was started."""
    kind = judgement.failure.kind.value if judgement.failure else ""
    return judgement.outcome.value, kind, judgement.passed


def _projects(
    task: Task, catalog: Catalog, vocabulary: Vocabulary
) -> Iterator[tuple[str, Submission]]:
    yield REFERENCE, solution(catalog, task, vocabulary)
    for name in cheats_for(task):
        yield name, CHEATS[name](task, catalog, vocabulary)


def _dataset(catalog: Catalog, path: Path | None) -> Dataset:
    for dataset in datasets(catalog, path):
        if path or dataset.manifest.dataset == SHIPPED_DATASET:
            return dataset
    raise DeclarationError("no dataset is installed; name one with --dataset")


def _benches(
    catalog: Catalog, wanted: Iterable[str], cancel: Cancel, stack: ExitStack
) -> dict[str, Bench]:
    benches = {}
    for word in wanted:
        name, _, level = word.partition(":")
        found: Launcher = catalog.find("launcher", name, catalog.launchers(), lambda v: v.name)
        launcher = found.at_level(level) if level else found
        stack.callback(launcher.close)
        try:
            launcher.confinement()
        except MachineError as error:
            console.note(f"left out: {word}: {error}")
            continue
        benches[word] = Bench(launcher=launcher, cancel=cancel, keep_answers=False)
    if len(benches) < 2:
        raise MachineError("fewer than two launchers work here, so that nothing can be compared")
    return benches


def _compare_all(
    catalog: Catalog,
    dataset: Dataset,
    ids: Sequence[str],
    benches: dict[str, Bench],
    jobs: int,
    cancel: Cancel,
) -> Iterator[Compared]:
    def work(task_id: str) -> Compared:
        return compare(dataset.task(task_id), catalog, benches, dataset.vocabulary)

    with console.progress() as bar:
        shown = bar.add_task("comparing", total=len(ids), detail="")
        for done in work_off(ids, work, jobs=jobs, cancel=cancel):
            if done.error is not None:
                raise done.error
            if done.result is not None:
                yield done.result
            bar.update(shown, advance=1)


if __name__ == "__main__":
    try:
        sys.exit(launchers.main(standalone_mode=False))
    except KcbError as error:
        console.fail(str(error))
        sys.exit(error.exit_status)
