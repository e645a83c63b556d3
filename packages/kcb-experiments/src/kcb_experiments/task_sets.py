"""Finds the set of tasks that somebody names, whatever brings it; and the datasets among them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from kcb_core.catalog import Catalog
from kcb_core.dataset import Dataset, open_dataset
from kcb_core.errors import DataError, DeclarationError, DuplicateNameError, UnknownNameError
from kcb_core.limits import TaskBudget
from kcb_core.report import DatasetStamp, dataset_stamp
from kcb_core.tasksets import Brief, TaskSet, Whereabouts


def open_task_set(catalog: Catalog, name: str, path: Path | None = None) -> TaskSet:
    """The set of tasks of this name.

    Args:
        catalog: knows what brings sets.
        name: the set's.
        path: where it is, if no installed distribution holds it.

    Raises:
        UnknownNameError: none is called so.
        DeclarationError: nothing at the path is a set of any kind.
        DataError: it is malformed.
    """
    found = _named(catalog, path)
    if name not in found:
        failures = [str(failure) for failure in catalog.failures]
        raise UnknownNameError("dataset", name, found, failures)
    return found[name]()


def frozen_task_set(catalog: Catalog, stamp: DatasetStamp, path: Path | None = None) -> TaskSet:
    """The set of tasks that an experiment was frozen with; arguments as above.

    Raises:
        UnknownNameError: there is none of its name.
        DataError: it is another version.
    """
    tasks = open_task_set(catalog, stamp.name, path)
    here = tasks.stamp.manifest_sha256
    if here != stamp.manifest_sha256:
        raise DataError(
            f"the dataset {stamp.name!r} that is here has manifest {here[:12]}, "
            f"and the experiment was frozen with {stamp.manifest_sha256[:12]}"
        )
    return tasks


def _named(catalog: Catalog, path: Path | None) -> Mapping[str, Callable[[], TaskSet]]:
    """All sets by name; a path holds a set of whichever kind knows it."""
    at = Whereabouts(path=path, datasets=catalog.dataset_sources())
    found: dict[str, Callable[[], TaskSet]] = {}
    kinds: dict[str, str] = {}
    refused: list[str] = []
    for source in catalog.task_sources():
        try:
            sets = source.sets(at)
        except DeclarationError as error:
            refused.append(str(error))
            continue
        for name, opened in sets.items():
            if name in found:
                raise DuplicateNameError("dataset", name, (kinds[name], source.name))
            found[name], kinds[name] = opened, source.name
    if not found and refused:
        raise DeclarationError("; ".join(refused))
    return found


class Datasets:
    """The kind of sets that every dataset is of: programs that are written from nothing."""

    name = "dataset"

    def sets(self, at: Whereabouts) -> Mapping[str, Callable[[], DatasetTasks]]:
        """The dataset at a path, or every installed one; errors as in the role."""
        held = {found.manifest.dataset: found for found in _datasets(at)}
        return {name: partial(DatasetTasks, dataset) for name, dataset in held.items()}


def _datasets(at: Whereabouts) -> Iterator[Dataset]:
    places = [at.path] if at.path is not None else [source.folder for source in at.datasets]
    return map(open_dataset, places)


@dataclass(frozen=True, slots=True)
class DatasetTasks:
    """The tasks of a dataset, each to be built from its prompt and judged by kcb-runner."""

    dataset: Dataset

    @property
    def stamp(self) -> DatasetStamp:
        """Which dataset."""
        return dataset_stamp(self.dataset)

    @property
    def task_ids(self) -> tuple[str, ...]:
        """All tasks, lowest tier first."""
        return self.dataset.task_ids

    @property
    def verifier(self) -> str:
        """The runner of tasks."""
        return "runner"

    @property
    def scripted(self) -> bool:
        """No: any agent may write programs."""
        return False

    def members(self, subset: str) -> tuple[str, ...]:
        """The tasks of a tier, or of a named set such as ``easy@20``; errors as in the role."""
        return self.dataset.manifest.members(subset)

    def brief(self, task_id: str) -> Brief:
        """A prompt and an empty workspace; errors as in the role."""
        return Brief(task_id=task_id, prompt=self.dataset.task(task_id).prompt)

    def budgets(self, task_ids: Sequence[str]) -> Mapping[str, TaskBudget]:
        """None: whoever asks an agent bounds it."""
        return {}

    def options(self, task_ids: Sequence[str]) -> Mapping[str, Mapping[str, str]]:
        """None: whoever asks an agent sets its options."""
        return {}

    def pins(self, task_ids: Sequence[str]) -> Mapping[str, str]:
        """None: the manifest pins every byte."""
        return {}

    def unmet(self, task_ids: Sequence[str]) -> tuple[str, ...]:
        """None: Python is here."""
        return ()
