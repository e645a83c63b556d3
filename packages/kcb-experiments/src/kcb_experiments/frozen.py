"""``experiment.json``: a spec that was expanded and can no longer change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from kcb_core.catalog import Catalog
from kcb_core.codec import Json, canonical, decode_kind, digest, encode, parse
from kcb_core.errors import DataError, DeclarationError, UnknownNameError
from kcb_core.limits import TaskBudget
from kcb_core.report import DatasetStamp
from kcb_core.roles import Agent
from kcb_core.selection import in_order, read_selection
from kcb_core.storage import read_bounded, write_whole
from kcb_core.tasksets import TaskSet
from kcb_experiments.cells import Cell, Group, groups
from kcb_experiments.differences import told_differences
from kcb_experiments.records import Load
from kcb_experiments.spec import Benchmark, Caps, Executor, Spec, Subject, Verifier
from kcb_experiments.task_sets import open_task_set
from kcb_experiments.vetting import contents_of

EXPERIMENT_NAME = "experiment.json"
EXPERIMENT_KIND = "experiment"
EXPERIMENT_FORMAT = 1


class Arm(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A subject, with the version of its agent and the contents of files, as it was frozen."""

    subject: Subject
    agent_version: str
    contents: dict[str, str] = {}
    """Digests of the files that its options name, by option, as far as its agent says."""


class Experiment(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything that an experiment's results may depend on, but for the machine."""

    kind: str
    """Always ``experiment``."""
    format: int
    name: str
    dataset: DatasetStamp
    """The set that the tasks are of, whatever its kind."""
    tasks: tuple[str, ...]
    """Ids of the tasks, in the order of the set."""
    pins: dict[str, str] = {}
    """Digests of what the results depend on beside the set's manifest, by name."""
    budgets: dict[str, TaskBudget] = {}
    """What the tasks allow by themselves, by id; of most sets they allow what the spec does."""
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
    def in_words(self) -> Json:
        """The same as JSON, by the words of a spec and with a member for each subject."""
        value = parse(encode(self))
        value["benchmark.dataset"] = value.pop("dataset")
        value["subjects"] = [arm["subject"]["name"] for arm in value["arms"]]
        for arm in value.pop("arms"):
            subject = arm.pop("subject")
            contents = arm.pop("contents", {}).items()
            told = {f"content of options.{name}": sha256 for name, sha256 in contents}
            value[f"subjects {subject['name']!r}"] = subject | arm | told
        return value

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

    def subject_at(self, cell: Cell) -> Subject:
        """The subject of a cell, with its bounds there; errors as in :meth:`subject`."""
        return self.subject(cell.subject).at(self.budgets.get(cell.task_id))


def freeze(
    spec: Spec, catalog: Catalog, *, beside: Path, dataset_path: Path | None = None
) -> Experiment:
    """An experiment from a spec: its tasks by id, its agents with their versions.

    Environment variables have no part in it.

    Args:
        spec: what is asked for.
        catalog: the plug-ins, for agents and sets of tasks.
        beside: the folder of the spec, from which its file names are read.
        dataset_path: where the set of tasks is, if no installed distribution holds it.

    Raises:
        DeclarationError: an agent, a set or a task is not there, an agent may not work on it, or
            cannot work with what it is told; all subjects of which that is so are named.
        DataError: the set is not the one that the spec names.
    """
    tasks = open_task_set(catalog, spec.benchmark.dataset, dataset_path)
    _require(spec, tasks)
    chosen = named_tasks(spec.benchmark, tasks, beside)
    return Experiment(
        kind=EXPERIMENT_KIND,
        format=EXPERIMENT_FORMAT,
        name=spec.name,
        # The folder that the data lie in is the machine's business, and so is its commit.
        dataset=msgspec.structs.replace(tasks.stamp, commit=""),
        tasks=chosen,
        pins=dict(tasks.pins(chosen)),
        budgets=dict(tasks.budgets(chosen)),
        repetitions=spec.repetitions,
        groups=spec.groups,
        arms=_arms(spec, catalog, tasks, chosen),
        budget=spec.budget,
        executor=spec.executor,
        verifier=_verifier(spec, tasks),
    )


def store(
    experiment: Experiment, folder: Path, *, begun: Callable[[], bool] = lambda: True
) -> bool:
    """Put an experiment into its folder, once and for all as soon as anything of it has begun.

    Args:
        experiment: what is to be run there.
        folder: the folder, which nobody else writes to.
        begun: whether there are attempts; asked only if another experiment is there.

    Returns:
        Whether it was put there now; else the very same one was there.

    Raises:
        DeclarationError: another one is there; what differs is named, with both values.
        MachineError: it cannot be written.
    """
    path = folder / EXPERIMENT_NAME
    there = read_experiment(folder) if path.exists() else None
    if there and there.sha256 == experiment.sha256:
        return False
    if there and begun():
        raise DeclarationError(
            f"{path}: is frozen, and this is another experiment: "
            f"{told_differences(there.in_words, experiment.in_words)}; what is run in one folder "
            "never changes: name another folder"
        )
    write_whole(path, encode(experiment))
    return True


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


def named_tasks(benchmark: Benchmark, tasks: TaskSet, beside: Path) -> tuple[str, ...]:
    """The tasks of an open set that somebody names, in the order of the set.

    Raises:
        UnknownNameError: the set has no such task or subset.
        DataError: the selection is of another set, or malformed.
    """
    stamp = tasks.stamp
    if benchmark.subset:
        return tasks.members(benchmark.subset)
    if benchmark.tasks:
        return in_order(benchmark.tasks, tasks.task_ids)
    path = beside / benchmark.selection
    selection = read_selection(path)
    if selection.manifest_sha256 != stamp.manifest_sha256:
        raise DataError(
            f"{path}: is of dataset {selection.dataset!r} {selection.version}, manifest "
            f"{selection.manifest_sha256[:12]}, and not of the one that is here"
        )
    return selection.tasks


def _require(spec: Spec, tasks: TaskSet) -> None:
    """Make sure that the set is the one that the writer of the spec meant."""
    name, wanted = spec.benchmark.dataset, spec.benchmark.manifest_sha256
    found = tasks.stamp.manifest_sha256
    if wanted and found != wanted:
        raise DataError(
            f"field 'benchmark.manifest_sha256': the dataset {name!r} that is here has {found}; "
            "install the version that the spec names"
        )


def _verifier(spec: Spec, tasks: TaskSet) -> Verifier:
    chosen = spec.verifier
    return Verifier(name=tasks.verifier) if isinstance(chosen, msgspec.UnsetType) else chosen


def _arms(spec: Spec, catalog: Catalog, tasks: TaskSet, chosen: Sequence[str]) -> tuple[Arm, ...]:
    agents = {subject.name: _agent(subject, catalog, tasks) for subject in spec.subjects}
    arms: list[Arm] = []
    faults: list[str] = []
    for subject in spec.subjects:
        agent = agents[subject.name]
        try:
            contents = dict(contents_of(subject, agent, tasks, chosen))
        except DeclarationError as error:
            faults.append(str(error))
        else:
            arms.append(Arm(subject=subject, agent_version=agent.version, contents=contents))
    if faults:
        raise DeclarationError("; ".join(faults))
    return tuple(arms)


def _agent(subject: Subject, catalog: Catalog, tasks: TaskSet) -> Agent:
    agent = catalog.find("agent", subject.agent, catalog.agents(), lambda found: found.name)
    if tasks.scripted and agent.asks_model:
        raise DeclarationError(
            f"subject {subject.name!r}: the tasks of {tasks.stamp.name} are played by scripts, and "
            f"agent {agent.name!r} asks a model; name the agent 'replay'"
        )
    return agent
