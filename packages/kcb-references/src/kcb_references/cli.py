"""``klein-bench reference`` and ``klein-bench validate``."""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path

import click

from kcb_core import console
from kcb_core.catalog import Catalog
from kcb_core.codec import encode
from kcb_core.commands.options import (
    FILE,
    dataset_option,
    datasets,
    find_task,
    json_option,
)
from kcb_core.dataset import Dataset
from kcb_core.errors import DeclarationError, ExitStatus, UnknownNameError
from kcb_core.provenance import revision
from kcb_core.report import dataset_stamp
from kcb_core.storage import write_whole
from kcb_core.task import Task
from kcb_core.validation import ValidationSummary
from kcb_core.workspace import PROJECT_NAME, PROMPT_NAME
from kcb_references.catalogue import solution
from kcb_references.validate import Finding, by_tier, examine
from kcb_runner.cancel import Cancel, cancel_on_signals
from kcb_runner.evaluate import Bench
from kcb_runner.launch.interpreter import InterpreterLauncher, kill_everything
from kcb_runner.machine import host, usable_cpus
from kcb_runner.pool import work_off
from kcb_runner.report import EVALUATOR
from kcb_runner.scratch import write_files


@click.command()
@click.argument("task_id")
@click.option("-o", "--output", type=FILE, required=True, help="A new or an empty folder.")
@dataset_option
@click.pass_obj
def reference(catalog: Catalog, task_id: str, output: Path, dataset_path: Path | None) -> None:
    """Export the reference solution of TASK_ID: a self-contained project, for audit.

    It serves to maintain the evaluator; what it resolves is no score of any model.
    """
    task, _ = find_task(catalog, task_id, dataset_path)
    submission = solution(catalog, task)
    _refuse_workspace(output)
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise DeclarationError(f"{output}: is not empty; name a new or an empty folder")
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
@click.option("--subset", metavar="TIER", help="Only the tasks of this tier.")
@click.option("-o", "--output", type=FILE, metavar="FILE", help="Store the summary here.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Tasks at once. Default: one a CPU.")
@dataset_option
@json_option
@click.pass_obj
def validate(
    catalog: Catalog,
    subset: str | None,
    output: Path | None,
    jobs: int | None,
    dataset_path: Path | None,
    as_json: bool,
) -> int:
    """Validate the benchmark: every reference must resolve its task, every empty project fail it.

    Exit status 1 if one does not. This is no score of any model.
    """
    held = list(datasets(catalog, dataset_path))
    if dataset_path is None:
        held = [dataset for dataset in held if dataset.manifest.dataset == "kcb"]
    if not held:
        raise DeclarationError("no dataset is installed; name one with --dataset")
    dataset = held[0]
    if subset is not None and subset not in dataset.manifest.totals:
        raise UnknownNameError("subset", subset, dataset.manifest.totals)
    started = time.monotonic()
    with cancel_on_signals(kill_everything) as cancel:
        findings = _examine_all(catalog, dataset, subset, jobs or usable_cpus(), cancel)
        if cancel.thrown:
            console.fail(f"interrupted after {len(findings)} tasks; nothing is written")
            return ExitStatus.INTERRUPTED
    summary = _summary(dataset, subset, findings, time.monotonic() - started)
    if output:
        write_whole(output, encode(summary))
    _show(summary, as_json)
    return ExitStatus.DONE if summary.passed else ExitStatus.FAILED


def _examine_all(
    catalog: Catalog, dataset: Dataset, subset: str | None, jobs: int, cancel: Cancel
) -> list[Finding]:
    """Examine every task, with a bar where somebody is watching."""
    bench = Bench(launcher=InterpreterLauncher(), cancel=cancel)
    files = [f for f in dataset.manifest.files if subset in (None, f.subset)]
    ids = [task for file in files for task in file.tasks]
    findings: list[Finding] = []

    def work(task_id: str) -> Finding:
        task: Task = dataset.task(task_id)
        return examine(task, catalog, bench)

    with ExitStack() as stack:
        bar = stack.enter_context(console.progress())
        shown = bar.add_task("validating", total=len(ids), detail="")
        for done in work_off(ids, work, jobs=jobs, cancel=cancel):
            if done.error is not None:
                raise done.error
            if done.result is not None:
                findings.append(done.result)
            wrong = sum(bool(finding.problems) for finding in findings)
            bar.update(shown, advance=1, detail=f"{wrong} wrong")
    return findings


def _summary(
    dataset: Dataset, subset: str | None, findings: list[Finding], wall_s: float
) -> ValidationSummary:
    rank = {task_id: place for place, task_id in enumerate(dataset.task_ids)}
    ordered = sorted(findings, key=lambda finding: rank[finding.task_id])
    tiers = [tier for tier in dataset.manifest.totals if subset in (None, tier)]
    return ValidationSummary(
        dataset=dataset_stamp(dataset),
        evaluator=revision(EVALUATOR),
        host=host(),
        tiers=by_tier(ordered, tiers),
        problems=tuple(line for finding in ordered for line in finding.problems),
        wall_s=round(wall_s, 1),
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
    verdict = "valid" if summary.passed else "NOT valid"
    console.say(f"{verdict}: dataset {summary.dataset.name} {summary.dataset.version}, "
                f"{summary.wall_s} s. {summary.note}")  # fmt: skip
