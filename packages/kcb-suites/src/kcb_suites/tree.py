"""Trees: a folder with manifests, fixtures and graders, and with solutions and cheats beside them.

One comes with this package, imported ones lie in the user's data folder, and any other is named by
its path. Nothing outside of a tree is ever reached by a path in one of its manifests.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kcb_core.codec import digest
from kcb_core.errors import DataError, DeclarationError, UnknownNameError
from kcb_core.storage import read_bounded
from kcb_suites.contract import GRADE
from kcb_suites.manifest import (
    RecoveryManifest,
    ScriptedTask,
    SuiteTask,
    TaskManifest,
    read_manifest,
)
from kcb_suites.recovery import verify

BUILT_IN = Path(__file__).parent / "suites"
MANIFESTS, SOLUTIONS, CHEATS = "manifests", "solutions", "cheats"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """One tree."""

    root: Path

    @classmethod
    def at(cls, root: Path) -> Tree:
        """The tree at a path.

        Raises:
            DeclarationError: there is none.
        """
        if not (root / MANIFESTS).is_dir():
            raise DeclarationError(
                f"{root}: is no tree of suites; one has a folder {MANIFESTS!r}, with fixtures, "
                "graders and solutions beside it"
            )
        return cls(root=root)

    @property
    def manifests(self) -> tuple[Path, ...]:
        """Files of its manifests, in the order of their names."""
        return tuple(sorted((self.root / MANIFESTS).glob("*.json")))

    def place(self, path: str, *, source: str, field: str) -> Path:
        """Where something of the tree is, which must be there.

        Args:
            path: as a manifest has it.
            source: the manifest, for the message.
            field: its field.

        Raises:
            DataError: it is not there, or a link leads to it.
        """
        place = self.root
        for step in path.split("/"):
            place = place / step
            if place.is_symlink():
                raise DataError(f"{source}: field {field!r}: {place} is a link; nothing follows it")
        if not place.exists():
            raise DataError(f"{source}: field {field!r}: there is no {place}")
        return place


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """A manifest with tasks, and the tree that holds what it names."""

    tree: Tree
    manifest: TaskManifest
    file: Path
    """The manifest's file."""
    sha256: str
    """Digest of that file."""

    @property
    def tasks(self) -> tuple[SuiteTask, ...]:
        """Its tasks, in order."""
        return self.manifest.tasks

    def task(self, name: str) -> SuiteTask:
        """The task of this id.

        Raises:
            UnknownNameError: there is none.
        """
        for task in self.tasks:
            if task.id == name:
                return task
        raise UnknownNameError("task", name, [task.id for task in self.tasks])

    def fixture(self, task: SuiteTask) -> Path:
        """The folder of a task's fixture; errors as in :meth:`Tree.place`."""
        return self._place(task.fixture.path, task, "fixture.path")

    def grader(self, task: SuiteTask) -> Path:
        """The folder of a task's grader; errors as in :meth:`Tree.place`."""
        folder = self._place(task.grader, task, "grader")
        self._place(f"{task.grader}/{GRADE}", task, "grader")
        return folder

    def script(self, task: ScriptedTask) -> Path:
        """The file with the script that plays a task; errors as in :meth:`Tree.place`."""
        return self._place(task.script, task, "script")

    def _place(self, path: str, task: SuiteTask, field: str) -> Path:
        where = f"tasks[{self.tasks.index(task)}].{field}"
        return self.tree.place(path, source=str(self.file), field=where)


def load(file: Path) -> RecoveryManifest | Suite:
    """A manifest together with what it names: of tasks a suite, of recovery the manifest.

    Raises:
        DeclarationError: it is in no tree, or cannot be read.
        DataError: it is malformed, or something that it names is not there.
    """
    manifest = read_manifest(file)
    if isinstance(manifest, RecoveryManifest):
        verify(manifest, file)
        return manifest
    tree = Tree.at(file.parent.parent)
    sha256 = digest(read_bounded(file))
    suite = Suite(tree=tree, manifest=manifest, file=file, sha256=sha256)
    for task in suite.tasks:
        suite.fixture(task)
        suite.grader(task)
        if isinstance(task, ScriptedTask):
            suite.script(task)
    return suite


def data_folder() -> Path:
    """Where imported trees lie, each in a folder of its own: in the user's data folder."""
    named = os.environ.get("XDG_DATA_HOME", "")
    base = Path(named) if os.path.isabs(named) else Path.home() / ".local" / "share"
    return base / "klein-code-bench" / "suites"


def installed_trees() -> Iterator[Tree]:
    """The built-in tree, and every imported one in the order of their names."""
    yield Tree.at(BUILT_IN)
    if data_folder().is_dir():
        for root in sorted(data_folder().iterdir()):
            if (root / MANIFESTS).is_dir():
                yield Tree.at(root)


def suites_of(tree: Tree) -> Iterator[Suite]:
    """Every suite of a tree."""
    for file in tree.manifests:
        loaded = load(file)
        if isinstance(loaded, Suite):
            yield loaded


def find_suites(where: str = "") -> tuple[Suite, ...]:
    """The suites that a person names.

    Args:
        where: a tree's folder or a manifest's file, or the id of a manifest of an installed tree;
            empty for all suites of the built-in tree.

    Raises:
        DeclarationError: nothing is called so, or a tree holds no suite.
        DataError: a manifest is malformed, or something that it names is not there.
    """
    path = Path(where)
    if where and path.is_file():
        loaded = load(path.absolute())
        if isinstance(loaded, Suite):
            return (loaded,)
        raise DeclarationError(f"{path}: is a manifest of kind 'recovery', which has no tasks")
    if not where or path.is_dir():
        tree = Tree.at(path) if where else Tree.at(BUILT_IN)
        found = tuple(suites_of(tree))
        if not found:
            raise DeclarationError(f"{tree.root}: holds no manifest with tasks")
        return found
    return (_by_id(where),)


def find_suite(where: str) -> Suite:
    """The one suite that a person names; arguments and errors as in :func:`find_suites`."""
    found = find_suites(where)
    if len(found) > 1:
        names = ", ".join(suite.manifest.id for suite in found)
        raise DeclarationError(f"{where}: holds several suites, name the file of one: {names}")
    return found[0]


def _by_id(name: str) -> Suite:
    files = {file.stem: file for tree in installed_trees() for file in reversed(tree.manifests)}
    if name not in files:
        raise UnknownNameError("suite", name, sorted(files))
    loaded = load(files[name])
    if isinstance(loaded, Suite):
        return loaded
    raise DeclarationError(f"{name}: is a manifest of kind 'recovery', which has no tasks")
