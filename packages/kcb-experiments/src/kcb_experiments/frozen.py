"""``experiment.json``: a spec that was expanded and can no longer change."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from kcb_core.catalog import Catalog
from kcb_core.codec import canonical, decode_kind, digest, encode
from kcb_core.commands.options import datasets
from kcb_core.dataset import Dataset
from kcb_core.errors import DataError, DeclarationError, UnknownNameError
from kcb_core.report import DatasetStamp, dataset_stamp
from kcb_core.selection import freeze_selection, read_selection
from kcb_core.storage import read_bounded, write_whole
from kcb_experiments.cells import Cell, Group, groups
from kcb_experiments.records import Load
from kcb_experiments.spec import Caps, Executor, Spec, Subject, Verifier

EXPERIMENT_NAME = "experiment.json"
EXPERIMENT_KIND = "experiment"
EXPERIMENT_FORMAT = 1


class Arm(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A subject, with the version of the agent that it was frozen with."""

    subject: Subject
    agent_version: str


class Experiment(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything that an experiment's results may depend on, but for the machine."""

    kind: str
    """Always ``experiment``."""
    format: int
    name: str
    dataset: DatasetStamp
    tasks: tuple[str, ...]
    """Ids of the tasks, in the order of the dataset."""
    repetitions: int
    groups: int
    """Most task groups at once."""
    arms: tuple[Arm, ...]
    budget: Caps
    executor: Executor
    verifier: Verifier

    @property
    def sha256(self) -> str:
        """The digest by which records name it: of its canonical JSON."""
        return digest(canonical(self))

    @property
    def subjects(self) -> tuple[Subject, ...]:
        """Its subjects, in the order of the spec."""
        return tuple(arm.subject for arm in self.arms)

    @property
    def load(self) -> Load:
        """How much of it runs at once."""
        return Load(arms=len(self.arms), groups=self.groups)

    def task_groups(self) -> Iterator[Group]:
        """Its groups, in the order in which they start."""
        return groups(self.tasks, self.repetitions, [subject.name for subject in self.subjects])

    def cells(self) -> Iterator[Cell]:
        """Its cells, in the same order."""
        return (cell for group in self.task_groups() for cell in group.cells)

    def subject(self, name: str) -> Subject:
        """The subject of this name.

        Raises:
            UnknownNameError: there is none.
        """
        for subject in self.subjects:
            if subject.name == name:
                return subject
        raise UnknownNameError("subject", name, [subject.name for subject in self.subjects])


def freeze(
    spec: Spec, catalog: Catalog, *, beside: Path, dataset_path: Path | None = None
) -> Experiment:
    """An experiment from a spec: its tasks by id, its agents with their versions.

    Environment variables have no part in it.

    Args:
        spec: what is asked for.
        catalog: the plug-ins, for agents and datasets.
        beside: the folder of the spec, from which its file names are read.
        dataset_path: where the dataset is, if no installed distribution holds it.

    Raises:
        DeclarationError: an agent, a dataset or a task is not there.
        DataError: the dataset is not the one that the spec names.
    """
    dataset = _dataset(spec, catalog, dataset_path)
    return Experiment(
        kind=EXPERIMENT_KIND,
        format=EXPERIMENT_FORMAT,
        name=spec.name,
        # The folder that the data lie in is the machine's business, and so is its commit.
        dataset=msgspec.structs.replace(dataset_stamp(dataset), commit=""),
        tasks=_tasks(spec, dataset, beside),
        repetitions=spec.repetitions,
        groups=spec.groups,
        arms=tuple(_arm(subject, catalog) for subject in spec.subjects),
        budget=spec.budget,
        executor=spec.executor,
        verifier=spec.verifier,
    )


def store(experiment: Experiment, folder: Path) -> bool:
    """Put an experiment into its folder, once and for all.

    Returns:
        Whether it was put there now; else the very same one was there.

    Raises:
        DeclarationError: another one is there; the field that differs is named.
        MachineError: it cannot be written.
    """
    path = folder / EXPERIMENT_NAME
    if not path.exists():
        write_whole(path, encode(experiment))
        return True
    there = read_experiment(folder)
    if there.sha256 != experiment.sha256:
        raise DeclarationError(
            f"{path}: is frozen and differs in field '{_difference(there, experiment)}'; what is "
            "run in one folder never changes: name another folder"
        )
    return False


def read_experiment(folder: Path) -> Experiment:
    """The experiment in a folder.

    Raises:
        DeclarationError: there is none.
        DataError: it is malformed, or of a newer format.
    """
    return decode_kind(
        read_bounded(folder / EXPERIMENT_NAME),
        Experiment,
        kind=EXPERIMENT_KIND,
        newest=EXPERIMENT_FORMAT,
        source=str(folder / EXPERIMENT_NAME),
    )


def _dataset(spec: Spec, catalog: Catalog, path: Path | None) -> Dataset:
    held = {found.manifest.dataset: found for found in datasets(catalog, path)}
    name, wanted = spec.benchmark.dataset, spec.benchmark.manifest_sha256
    if name not in held:
        raise UnknownNameError("dataset", name, held)
    found = held[name].manifest.sha256
    if wanted and found != wanted:
        raise DataError(
            f"field 'benchmark.manifest_sha256': the dataset {name!r} that is here has {found}; "
            "install the version that the spec names"
        )
    return held[name]


def _tasks(spec: Spec, dataset: Dataset, beside: Path) -> tuple[str, ...]:
    benchmark, manifest = spec.benchmark, dataset.manifest
    if benchmark.subset:
        return manifest.members(benchmark.subset)
    if benchmark.tasks:
        return freeze_selection(manifest, benchmark.tasks).tasks
    path = beside / benchmark.selection
    selection = read_selection(path)
    if selection.manifest_sha256 != manifest.sha256:
        raise DataError(
            f"{path}: is of dataset {selection.dataset!r} {selection.version}, manifest "
            f"{selection.manifest_sha256[:12]}, and not of the one that is here"
        )
    return selection.tasks


def _arm(subject: Subject, catalog: Catalog) -> Arm:
    agent = catalog.find("agent", subject.agent, catalog.agents(), lambda found: found.name)
    return Arm(subject=subject, agent_version=agent.version)


def _difference(there: Experiment, here: Experiment) -> str:
    names = there.__struct_fields__
    values = ((name, getattr(there, name), getattr(here, name)) for name in names)
    return next(name for name, old, new in values if canonical(old) != canonical(new))
