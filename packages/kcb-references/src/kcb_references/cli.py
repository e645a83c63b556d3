"""``klein-bench reference`` and ``klein-bench validate``."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from kcb_core import console
from kcb_core.canary import CANARY
from kcb_core.catalog import Catalog
from kcb_core.codec import encode
from kcb_core.commands.options import (
    FILE,
    dataset_option,
    datasets,
    find_task,
    json_option,
)
from kcb_core.dataset import Dataset, open_dataset
from kcb_core.errors import DeclarationError, ExitStatus
from kcb_core.folder import require_new
from kcb_core.ids import SHIPPED_DATASET
from kcb_core.provenance import revision
from kcb_core.report import dataset_stamp
from kcb_core.resources import peak_memory, usable_cpus
from kcb_core.roles import Launcher
from kcb_core.storage import write_whole
from kcb_core.task import Task
from kcb_core.validation import ValidationSummary
from kcb_core.workspace import PROJECT_NAME, PROMPT_NAME
from kcb_references.catalogue import solution
from kcb_references.validate import Finding, by_tier, compare, examine
from kcb_runner.cancel import cancel_on_signals
from kcb_runner.judging import Bench
from kcb_runner.launch.interpreter import kill_everything
from kcb_runner.machine import host
from kcb_runner.pool import work_off
from kcb_runner.report import EVALUATOR
from kcb_runner.scratch import write_files

FRESH = "interpreter"
"""The launcher whose verdicts count: every session is a fresh interpreter."""

EVERY_GATE_INPUTS = 2_000
"""Drawn inputs on which a plug-in's families are compared with their references."""


@click.command()
@click.argument("task_id")
@click.option("-o", "--output", type=FILE, required=True, help="A new or an empty folder.")
@dataset_option
@click.pass_obj
def reference(catalog: Catalog, task_id: str, output: Path, dataset_path: Path | None) -> None:
    """Export the reference solution of TASK_ID: a self-contained project, for audit.

    It serves to maintain the evaluator; what it resolves is no score of any model.
    """
    task, dataset = find_task(catalog, task_id, dataset_path)
    submission = solution(catalog, task, dataset.vocabulary)
    _refuse_workspace(output)
    require_new(output)
    output.mkdir(parents=True, exist_ok=True)
    write_files(submission, output)
    for file in submission.files:
        console.say(str(output / file.path))


def _refuse_workspace(output: Path) -> None:
    """Answers must not lie where an agent works."""
    place = output.absolute()
    inside = [place, *place.parents]
    workspace = next((p for p in inside if (p / PROMPT_NAME).is_file()), None)
    if workspace and (workspace == place or workspace / PROJECT_NAME in inside):
        raise DeclarationError(f"{output}: lies in the workspace {workspace}; name another folder")


@click.command()
@click.option("--subset", metavar="NAME", help="Only the tasks of this tier or named set.")
@click.option("--plugin", metavar="NAME", help="The dataset of this plug-in, with every gate.")
@click.option("--cheats", is_flag=True, help="Try every cheat, and not only the empty project.")
@click.option(
    "--agreement",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="Compare families with references on N drawn inputs each, half of them damaged.",
)
@click.option("-o", "--output", type=FILE, metavar="FILE", help="Store the summary here.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Tasks at once. Default: one a CPU.")
@click.option(
    "--launch",
    "launcher",
    default=FRESH,
    show_default=True,
    metavar="NAME",
    help="How programs are started; forkserver is quicker.",
)
@dataset_option
@json_option
@click.pass_obj
def validate(catalog: Catalog, /, **options: Any) -> int:
    """Validate the benchmark: every reference must resolve its task, every empty project fail it.

    Exit status 1 if one does not. This is no score of any model.
    """
    wish = Wish(**options)
    dataset, launcher = wish.dataset(catalog), wish.chosen_launcher(catalog)
    started = time.monotonic()
    disagreeing = wish.disagreements(catalog, dataset)
    with cancel_on_signals(kill_everything) as cancel, closing(launcher):
        findings = _examine_all(catalog, dataset, wish, Bench(launcher=launcher, cancel=cancel))
        if cancel.thrown:
            console.fail(f"interrupted after {len(findings)} tasks; nothing is written")
            return ExitStatus.INTERRUPTED
    summary = _summary(dataset, findings, disagreeing, time.monotonic() - started)
    if wish.output:
        write_whole(wish.output, encode(summary))
    _show(summary, wish.as_json)
    return ExitStatus.DONE if summary.passed else ExitStatus.FAILED


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What the caller asked for, as it came from the command line."""

    subset: str | None
    plugin: str | None
    cheats: bool
    agreement: int
    output: Path | None
    jobs: int | None
    launcher: str
    dataset_path: Path | None
    as_json: bool

    @property
    def every_gate(self) -> bool:
        """Whether nothing is left out: what a plug-in's own authors ask for."""
        return self.plugin is not None

    def dataset(self, catalog: Catalog) -> Dataset:
        """The dataset to validate.

        Raises:
            DeclarationError: there is none, or no such tier or set in it.
        """
        dataset = self._find(catalog)
        dataset.manifest.members(self.subset)
        return dataset

    def chosen_launcher(self, catalog: Catalog) -> Launcher:
        """How programs are started.

        Raises:
            DeclarationError: there is no such launcher, or none that a summary may rest on.
        """
        if self.output and self.launcher != FRESH:
            raise DeclarationError(f"--output: a summary needs --launch {FRESH}, by which it holds")
        return catalog.find("launcher", self.launcher, catalog.launchers(), lambda v: v.name)

    def disagreements(self, catalog: Catalog, dataset: Dataset) -> list[str]:
        """Lines that say where families and references disagree, if they are to be compared."""
        count = self.agreement or (EVERY_GATE_INPUTS if self.every_gate else 0)
        if not count:
            return []
        name = dataset.manifest.dataset
        families = [family for family in catalog.families() if family.dataset == name]
        if not families:
            raise DeclarationError(f"no installed plug-in has the families of dataset {name!r}")
        found = []
        with console.progress() as bar:
            shown = bar.add_task("comparing", total=len(families), detail="")
            for family in families:
                found += compare(family, catalog, count)
                bar.update(shown, advance=1, detail=f"{len(found)} disagreements")
        return found

    def _find(self, catalog: Catalog) -> Dataset:
        if self.plugin and not self.dataset_path:
            sources = catalog.sources_of(self.plugin)
            if not sources:
                raise DeclarationError(f"plug-in {self.plugin!r} brings no dataset; build one")
            return open_dataset(sources[0].folder)
        held = list(datasets(catalog, self.dataset_path))
        if self.dataset_path is None:
            held = [dataset for dataset in held if dataset.manifest.dataset == SHIPPED_DATASET]
        if not held:
            raise DeclarationError("no dataset is installed; name one with --dataset")
        return held[0]


def _examine_all(catalog: Catalog, dataset: Dataset, wish: Wish, bench: Bench) -> list[Finding]:
    """Examine every task, with a bar where somebody is watching."""
    ids = dataset.manifest.members(wish.subset)
    findings: list[Finding] = []

    def work(task_id: str) -> Finding:
        task: Task = dataset.task(task_id)
        wanted = wish.cheats or wish.every_gate
        return examine(task, catalog, bench, cheats=wanted, vocabulary=dataset.vocabulary)

    with console.progress() as bar:
        shown = bar.add_task("validating", total=len(ids), detail="")
        for done in work_off(ids, work, jobs=wish.jobs or usable_cpus(), cancel=bench.cancel):
            if done.error is not None:
                raise done.error
            if done.result is not None:
                findings.append(done.result)
            wrong = sum(bool(finding.problems) for finding in findings)
            bar.update(shown, advance=1, detail=f"{wrong} wrong")
    return findings


def _summary(
    dataset: Dataset, findings: list[Finding], disagreeing: list[str], wall_s: float
) -> ValidationSummary:
    rank = {task_id: place for place, task_id in enumerate(dataset.task_ids)}
    ordered = sorted(findings, key=lambda finding: rank[finding.task_id])
    seen = {finding.subset for finding in findings}
    tiers = [tier for tier in dataset.manifest.totals if tier in seen]
    return ValidationSummary(
        dataset=dataset_stamp(dataset),
        evaluator=revision(EVALUATOR),
        host=host(),
        tiers=by_tier(ordered, tiers),
        problems=(*disagreeing, *(line for found in ordered for line in found.problems)),
        wall_s=round(wall_s, 1),
        canary=CANARY,
    )


def _show(summary: ValidationSummary, as_json: bool) -> None:
    if as_json:
        console.emit_json(summary)
        return
    for problem in summary.problems:
        console.say(problem)
    numbers = [
        (t.tasks, t.references_resolved, t.empties_failed, t.scenarios, t.assertions)
        for t in summary.tiers
    ]
    rows = [(t.subset, *map(str, row)) for t, row in zip(summary.tiers, numbers, strict=True)]
    rows.append(("total", *(str(sum(column)) for column in zip(*numbers, strict=True))))
    console.table(
        ("tier", "tasks", "references resolved", "empties failed", "scenarios", "assertions"),
        rows,
        right="tasks,references resolved,empties failed,scenarios,assertions",
    )
    for tier in summary.tiers:
        for name, failed in tier.cheats_failed.items():
            console.say(f"{tier.subset}: the cheat {name!r} fails {failed} tasks")
    verdict = "valid" if summary.passed else "NOT valid"
    console.say(f"{verdict}: dataset {summary.dataset.name} {summary.dataset.version}. "
                f"{summary.note}")  # fmt: skip
    own, program = (round(size / 2**20) for size in peak_memory())
    console.say(f"{summary.wall_s} s; at most {own} MiB here and {program} MiB in one program")
