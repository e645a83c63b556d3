"""What is to be judged: which project by which task, and where its report goes.

A finished report is never judged again by accident, and never overwritten by one that differs.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from kcb_core.dataset import Dataset
from kcb_core.errors import DataError, DeclarationError, MachineError, UnknownNameError
from kcb_core.report import FailureKind, Outcome, TaskReport, read_report, write_report
from kcb_core.run_record import RECORDS, read_making
from kcb_core.submission import Submission
from kcb_core.task import Task
from kcb_runner.players import Player
from kcb_runner.report import Circumstances, compose, rejected
from kcb_runner.scratch import write_files
from kcb_runner.snapshot import Rejected, take
from kcb_runner.tree import remove_tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One project to judge by one task."""

    task_id: str
    project: Path
    output: Path
    record: Path | None = None
    """A file that says how the project was made."""


def orders_in(
    folder: Path, output: Path, dataset: Dataset, record: Path | None = None
) -> list[Order]:
    """One order for each project in a folder of projects that are named by task id.

    Names that start with a dot are let be.

    Args:
        folder: the projects.
        output: where their reports go.
        dataset: has their tasks.
        record: how the projects were made of which ``generate`` kept no record.

    Raises:
        DeclarationError: the folder cannot be read, holds nothing, or holds something else.
    """
    try:
        names = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
    except OSError as error:
        raise DeclarationError(f"{folder}: {error.strerror}") from None
    if not names:
        raise DeclarationError(f"{folder}: holds no project; each is a folder named by its task id")
    known = dict.fromkeys(dataset.task_ids)
    for name in names:
        if name not in known:
            raise UnknownNameError("task", name, known)
    by_rank = {task_id: rank for rank, task_id in enumerate(known)}
    orders = []
    for name in sorted(names, key=by_rank.__getitem__):
        own = folder / RECORDS / f"{name}.json"
        orders.append(
            Order(
                task_id=name,
                project=folder / name,
                output=output / f"{name}.json",
                record=own if own.exists() else record,
            )
        )
    return orders


def split_finished(
    orders: Iterable[Order], about: Circumstances, dataset: Dataset
) -> tuple[list[Order], list[TaskReport]]:
    """The orders that are still to be done, and the reports that are there and still true.

    Raises:
        DeclarationError: a report is there that says something of another project, dataset,
            evaluator, limit or subject.
    """
    todo: list[Order] = []
    kept: list[TaskReport] = []
    for order in orders:
        there = _report_there(order)
        if there is None or there.outcome is Outcome.VOID:
            todo.append(order)
            continue
        changed = _difference(there, order, about, dataset.task(order.task_id))
        if changed:
            raise DeclarationError(
                f"{order.output}: holds the report of another {changed}; "
                "move it away or name another --output"
            )
        kept.append(there)
    return todo, kept


def carry_out(
    order: Order, dataset: Dataset, about: Circumstances, player: Player, keep: Path | None
) -> TaskReport:
    """Judge one project and store its report.

    Args:
        order: what is to be judged.
        dataset: where its task is.
        about: what the report says beside the judgement.
        player: judges it.
        keep: a folder in which the project is stored under its source hash.

    Raises:
        DeclarationError: the project or its record cannot be read.
        DataError: its record is malformed.
        MachineError: the player failed, or the report cannot be written.
        Cancelled: the run was stopped; no report is left.
    """
    task = dataset.task(order.task_id)
    making = read_making(order.record) if order.record else None
    submission: Submission | None = None
    try:
        submission = take(order.project, about.bench.limits)
    except Rejected as error:
        report = compose(task, rejected(error.reason, _total(task, about)), None, about, making)
    else:
        report = player.play(task, submission, making)
    if submission and keep:
        store(submission, keep)
    write_report(report, order.output)
    return report


def store(submission: Submission, folder: Path) -> Path:
    """Keep a project under its source hash; one that is there already stays as it is."""
    place = folder / submission.sha256
    if place.exists():
        return place
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(prefix=".part-", dir=folder))
        try:
            write_files(submission, part)
            part.chmod(0o755)
            try:
                part.rename(place)
            except OSError:
                if not place.exists():  # else somebody stored the same project meanwhile
                    raise
        finally:
            remove_tree(part)
    except OSError as error:
        raise MachineError(f"{folder}: cannot be written: {error.strerror or error}") from error
    return place


def _total(task: Task, about: Circumstances) -> int:
    scenarios = task.public_tests if about.public_only else task.acceptance_tests
    return sum(scenario.assertions for scenario in scenarios)


def _report_there(order: Order) -> TaskReport | None:
    if not order.output.exists():
        return None
    try:
        return read_report(order.output)
    except DataError as error:
        raise DeclarationError(
            f"{error}; it would be overwritten: move it away or name another --output"
        ) from None


def _difference(report: TaskReport, order: Order, about: Circumstances, task: Task) -> str | None:
    """What a finished report is of that this order is not; None if it is this very one."""
    try:
        source = take(order.project, about.bench.limits).sha256
    except Rejected:
        source = ""
    expected = compose(task, rejected("", _total(task, about)), None, about)
    was_rejected = report.failure is not None and report.failure.kind is FailureKind.REJECTED
    there = report.source.sha256 if report.source else ""
    pairs: Iterator[tuple[str, object, object]] = iter(
        (
            ("task", report.task_id, expected.task_id),
            ("project", there, source),
            ("project", was_rejected, not source),
            ("dataset", report.dataset.manifest_sha256, expected.dataset.manifest_sha256),
            ("evaluator version", report.evaluator.version, expected.evaluator.version),
            ("set of limits", report.limits, expected.limits),
            ("launcher", report.launcher, expected.launcher),
            ("container image", report.confinement.image, expected.confinement.image),
            ("subject", report.subject, expected.subject),
            ("repetition", report.repetition, expected.repetition),
            ("kind (public examples only)", report.public_only, expected.public_only),
        )
    )
    return next((noun for noun, left, right in pairs if left != right), None)
