"""A suite's tasks as experiments know tasks, and where suites are found."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from kcb_core.errors import DataError, DeclarationError, UnknownNameError
from kcb_core.ids import WHOLE, TaskId
from kcb_core.limits import TaskBudget
from kcb_core.report import DatasetStamp
from kcb_core.tasksets import Brief, Whereabouts
from kcb_suites.fixture import make_workspace, tree_sha256, verified
from kcb_suites.manifest import ScriptedTask, SuiteTask
from kcb_suites.runtimes import missing
from kcb_suites.tree import MANIFESTS, Suite, find_suites, installed_trees

KIND = "suite"
ALL = "all"
"""Name of the part that is the whole suite; the others are tags."""


class Suites:
    """The kind of sets that every suite is of: work on repositories, judged by hidden graders."""

    name = KIND

    def sets(self, at: Whereabouts) -> Mapping[str, Callable[[], SuiteTasks]]:
        """The suites at a path, or those of every installed tree; errors as in the role."""
        if at.path is None:
            return {file.stem: partial(_opened, file) for file in _installed()}
        if at.path.is_file() and at.path.parent.name != MANIFESTS:
            raise DeclarationError(f"{at.path}: is in no folder {MANIFESTS!r} of a tree of suites")
        found = find_suites(str(at.path))
        return {suite.manifest.id: partial(SuiteTasks, suite) for suite in found}


def _installed() -> Iterator[Path]:
    """Manifests of all installed trees; of two with one name the one of the first tree counts."""
    files = {
        file.stem: file for tree in reversed(list(installed_trees())) for file in tree.manifests
    }
    return iter(files.values())


def _opened(file: Path) -> SuiteTasks:
    (suite,) = find_suites(str(file))
    return SuiteTasks(suite)


@dataclass(frozen=True, slots=True)
class SuiteTasks:
    """The tasks of one suite."""

    suite: Suite

    def __post_init__(self) -> None:
        for task in self.suite.tasks:
            if TaskId.read(task.id).dataset:
                raise DataError(
                    f"{self.suite.file}: field 'tasks': {task.id!r} has the shape of the id of a "
                    "dataset's task; give it another name"
                )

    @property
    def stamp(self) -> DatasetStamp:
        """Which suite, with its kind: what is live is never taken for what is deterministic."""
        manifest = self.suite.manifest
        return DatasetStamp(
            name=manifest.id,
            version=str(manifest.schema_version),
            manifest_sha256=self.suite.sha256,
            totals={WHOLE: len(self.suite.tasks)},
            kind=manifest.kind,
        )

    @property
    def task_ids(self) -> tuple[str, ...]:
        """All tasks, in the order of the manifest."""
        return tuple(task.id for task in self.suite.tasks)

    @property
    def verifier(self) -> str:
        """The graders."""
        return "grader"

    @property
    def scripted(self) -> bool:
        """Whether scripts play it."""
        return self.suite.manifest.kind == "deterministic"

    def members(self, subset: str) -> tuple[str, ...]:
        """The tasks with a tag, or ``all`` of them; errors as in the role."""
        if subset == ALL:
            return self.task_ids
        tags = sorted({tag for task in self.suite.tasks for tag in task.tags})
        if subset not in tags:
            raise UnknownNameError("subset", subset, [ALL, *tags])
        return tuple(task.id for task in self.suite.tasks if subset in task.tags)

    def brief(self, task_id: str) -> Brief:
        """The prompt, and a repository made of the fixture; errors as in the role."""
        task = self.suite.task(task_id)
        return Brief(
            task_id=task.id,
            prompt=task.prompt,
            lay_out=partial(
                make_workspace,
                self.suite.fixture(task),
                tree_sha256=task.fixture.tree_sha256,
            ),
            options=self._options(task),
        )

    def budgets(self, task_ids: Sequence[str]) -> Mapping[str, TaskBudget]:
        """Every task has a budget of its own."""
        return {task_id: _budget(self.suite.task(task_id)) for task_id in task_ids}

    def options(self, task_ids: Sequence[str]) -> Mapping[str, Mapping[str, str]]:
        """The script of each task that has one."""
        return {task_id: self._options(self.suite.task(task_id)) for task_id in task_ids}

    def pins(self, task_ids: Sequence[str]) -> Mapping[str, str]:
        """Digests of fixtures, as the manifest has them, and of graders, by their paths.

        Raises:
            DataError: a grader is no proper tree.
        """
        pins: dict[str, str] = {}
        for task in map(self.suite.task, task_ids):
            pins[task.fixture.path] = task.fixture.tree_sha256
            pins[task.grader] = tree_sha256(self.suite.grader(task))
        return pins

    def unmet(self, task_ids: Sequence[str]) -> tuple[str, ...]:
        """Runtimes that tasks need and this machine lacks.

        Raises:
            DataError: a fixture has another digest than the manifest says.
        """
        needed: dict[str, list[str]] = {}
        for task in map(self.suite.task, task_ids):
            verified(self.suite.fixture(task), task.fixture.tree_sha256)
            for lack in missing(task.runtimes):
                needed.setdefault(lack, []).append(task.id)
        if shutil.which("git") is None:
            needed["git, for the repository of each task"] = list(task_ids)
        return tuple(
            f"this machine lacks {lack}, and {_those(ids)} it" for lack, ids in needed.items()
        )

    def _options(self, task: SuiteTask) -> Mapping[str, str]:
        if not isinstance(task, ScriptedTask):
            return {}
        return {"script": str(self.suite.script(task))}


def _budget(task: SuiteTask) -> TaskBudget:
    bounds = task.bounds
    return TaskBudget(turns=bounds.turns, dollars=bounds.dollars, seconds=bounds.seconds)


def _those(ids: Sequence[str]) -> str:
    named = ", ".join(ids[:3])
    rest = len(ids) - 3
    if rest > 0:
        return f"{named} and {rest} more tasks need"
    return f"{named} {'needs' if len(ids) == 1 else 'need'}"
