"""The tasks by which a subject is measured, whether it handed in a project for them or not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import msgspec

from kcb_core.dataset import Manifest
from kcb_core.errors import DataError, DeclarationError, UnknownNameError
from kcb_core.ids import TaskId
from kcb_core.report import DatasetStamp
from kcb_core.selection import Selection
from kcb_score.collect import Collection
from kcb_score.shelf import Filed


@dataclass(frozen=True, slots=True, kw_only=True)
class Denominator:
    """Number of tasks by tier, and which they are, as far as it is known.

    Build one with :func:`settle`.
    """

    totals: Mapping[str, int]
    """Number of tasks by tier, the lowest first."""
    tasks: Mapping[str, tuple[str, ...]] | None = None
    """Ids of these tasks by tier, where a dataset or a selection tells them."""
    selection: Selection | None = None
    excluded: Mapping[str, str] = field(default_factory=dict)
    """Reasons by id of the tasks that count as not resolved."""

    def inside(self, filed: Iterable[Filed]) -> tuple[Filed, ...]:
        """The reports of tasks that count: every task does, or those that are selected."""
        if self.selection is None:
            return tuple(filed)
        tasks = frozenset(self.selection.tasks)
        return tuple(one for one in filed if one.kind.task_id in tasks)


def settle(
    collection: Collection,
    *,
    manifest: Manifest | None = None,
    selection: Selection | None = None,
    excluded: Mapping[str, str] | None = None,
) -> Denominator:
    """The denominator of a collection: what its reports say, or a selection of it.

    Args:
        manifest: of the dataset that the reports name, if it is at hand; tells which tasks it has.
        selection: the tasks that count, if not all of them do.
        excluded: reasons by id of the tasks that count as not resolved.

    Raises:
        DataError: reports, manifest and selection contradict each other.
        DeclarationError: an excluded id is no task id.
        UnknownNameError: an excluded task is none of those that count.
    """
    stamp = collection.filed[0].circumstances.dataset if collection.filed else None
    if manifest is not None:
        stamp = _check_manifest(collection, stamp, manifest)
    tasks = _by_tier(manifest) if manifest is not None else None
    totals = dict(stamp.totals) if stamp else {}
    if selection is not None:
        if stamp is not None:
            _check_selection(selection, stamp, tasks)
        tasks = {tier: _of_tier(selection.tasks, tier) for tier in totals or selection.totals}
        tasks = {tier: ids for tier, ids in tasks.items() if ids}
        totals = {tier: len(ids) for tier, ids in tasks.items()}
    kept = dict(sorted((excluded or {}).items()))
    for task in kept:
        _check_excluded(task, totals, tasks)
    if tasks is None:
        _check_room(collection, totals, kept)
    return Denominator(totals=totals, tasks=tasks, selection=selection, excluded=kept)


def read_exclusions(texts: Iterable[str]) -> dict[str, str]:
    """Reasons by task id, from texts of the form ``ID=REASON``.

    Raises:
        DeclarationError: a text has another form, or an id stands in two of them.
    """
    excluded: dict[str, str] = {}
    for text in texts:
        task, _, reason = text.partition("=")
        task, reason = task.strip(), reason.strip()
        if not (task and reason):
            raise DeclarationError(
                f"--exclude {text!r} must be ID=REASON: which task is excluded, and why"
            )
        if task in excluded:
            raise DeclarationError(f"--exclude names {task} twice")
        excluded[task] = reason
    return excluded


def _by_tier(manifest: Manifest) -> dict[str, tuple[str, ...]]:
    return {file.subset: file.tasks for file in manifest.files}


def _of_tier(tasks: Iterable[str], tier: str) -> tuple[str, ...]:
    return tuple(task for task in tasks if TaskId.read(task).tier == tier)


def _check_manifest(
    collection: Collection, stamp: DatasetStamp | None, manifest: Manifest
) -> DatasetStamp:
    """The dataset's stamp, with its tiers in their order."""
    own = DatasetStamp(
        name=manifest.dataset,
        version=manifest.version,
        manifest_sha256=manifest.sha256,
        totals=manifest.totals,
    )
    if stamp is not None and stamp.manifest_sha256 != own.manifest_sha256:
        raise DataError(
            f"the reports are of a dataset with manifest {stamp.manifest_sha256}, the one given "
            f"has {own.manifest_sha256}"
        )
    if stamp is not None and stamp.identity != own.identity:
        raise DataError(
            f"{collection.filed[0].source}: field 'dataset': it is not what the manifest of that "
            f"digest says, which is {own.name} {own.version} with {own.totals}"
        )
    known = {task for file in manifest.files for task in file.tasks}
    for filed in collection.filed:
        if filed.kind.task_id not in known:
            raise DataError(
                f"{filed.source}: field 'task_id': {filed.kind.task_id} is not in the dataset"
            )
    return msgspec.structs.replace(own, commit=stamp.commit if stamp else "")


def _check_selection(
    selection: Selection, stamp: DatasetStamp, tasks: Mapping[str, tuple[str, ...]] | None
) -> None:
    if selection.manifest_sha256 != stamp.manifest_sha256:
        raise DataError(
            f"the selection is of a dataset with manifest {selection.manifest_sha256}, the reports "
            f"are of {stamp.manifest_sha256}"
        )
    for tier, number in selection.totals.items():
        if number > stamp.totals.get(tier, 0):
            raise DataError(
                f"the selection has {number} tasks of tier {tier!r}, the dataset "
                f"{stamp.totals.get(tier, 0)}"
            )
    if tasks is not None:
        known = {task for ids in tasks.values() for task in ids}
        for task in selection.tasks:
            if task not in known:
                raise DataError(f"the selection names {task}, which is not in the dataset")


def _check_excluded(
    task: str, totals: Mapping[str, int], tasks: Mapping[str, tuple[str, ...]] | None
) -> None:
    tier = TaskId.within(task, totals).tier
    if tier not in totals:
        raise UnknownNameError("tier", tier, totals)
    if tasks is not None and task not in tasks[tier]:
        raise UnknownNameError("task", task, tasks[tier])


def _check_room(
    collection: Collection, totals: Mapping[str, int], excluded: Mapping[str, str]
) -> None:
    """Where the tasks are not known by id, refuse more of a tier than it has."""
    for task in excluded:
        if TaskId.read(task).dataset != TaskId.read(collection.filed[0].kind.task_id).dataset:
            raise DataError(f"excluded {task}: the reports are of another dataset")
    named = {one.kind.task_id for one in collection.filed}.union(excluded)
    for tier, number in sorted(Counter(TaskId.read(task).tier for task in named).items()):
        if number > totals[tier]:
            raise DataError(
                f"{number} tasks of tier {tier!r} are reported or excluded, the dataset has "
                f"{totals[tier]}"
            )
