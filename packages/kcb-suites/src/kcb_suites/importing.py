"""Importing: a tree that somebody else wrote is looked over whole, and then copied whole."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from kcb_core.errors import DataError, DeclarationError, DuplicateNameError, KcbError, MachineError
from kcb_core.submission import Submission
from kcb_runner.tree import remove_tree
from kcb_suites.fixture import read_tree, verified, write_copy
from kcb_suites.manifest import RecoveryManifest
from kcb_suites.tree import MANIFESTS, Suite, Tree, data_folder, installed_trees, load
from kcb_suites.wording import require_id

_PARTS = (MANIFESTS, "fixtures", "graders", "solutions", "cheats", "scripts")
"""Folders of a tree; what else lies there is not taken."""


def look_over(tree: Tree) -> tuple[tuple[Suite, ...], tuple[Path, ...]]:
    """The suites of a tree, with every fixture as its manifest says, and its other manifests.

    Raises:
        DataError: something is malformed or different; everything that is, is named.
        DeclarationError: it holds no suite.
    """
    suites, others, problems = [], [], []
    for file in tree.manifests:
        try:
            loaded = load(file)
        except KcbError as error:
            problems.append(str(error))
            continue
        if isinstance(loaded, RecoveryManifest):
            others.append(file)
        else:
            suites.append(loaded)
            problems += _differences(loaded)
    if problems:
        raise DataError("\n".join(dict.fromkeys(problems)))
    if not suites:
        raise DeclarationError(f"{tree.root}: holds no manifest with tasks")
    return tuple(suites), tuple(others)


def import_tree(root: Path, *, name: str = "", output: Path | None = None) -> tuple[Suite, ...]:
    """Copy a tree to where its suites are found by their names, or to a folder of one's own.

    Manifests of recovery stay behind, since their tests are in the project that they are about.

    Args:
        root: the tree.
        name: what the copy's folder is called; by default as the tree's.
        output: a new folder for the copy instead.

    Returns:
        The suites, as they are found from now on.

    Raises:
        DataError: something in it is malformed or different; nothing was copied.
        DeclarationError: the folder is there already, or the tree holds no suite.
        DuplicateNameError: a suite of this name is installed.
        MachineError: the copy cannot be written.
    """
    tree = Tree.at(root)
    suites, others = look_over(tree)
    target = output or data_folder() / _folder_name(name or tree.root.name)
    if output is None:
        _refuse_twins(suites)
    if os.path.lexists(target):
        raise DeclarationError(f"{target}: is there already; remove it, or give another name")
    _copy(tree, target, leave={file.name for file in others})
    return look_over(Tree.at(target))[0]


def _folder_name(name: str) -> str:
    try:
        require_id("name", name)
    except ValueError as error:
        raise DeclarationError(f"{error}; say another with --name") from None
    return name


def _differences(suite: Suite) -> Iterator[str]:
    for index, task in enumerate(suite.tasks):
        try:
            verified(suite.fixture(task), task.fixture.tree_sha256)
        except DataError as error:
            yield f"{suite.file}: field 'tasks[{index}].fixture.tree_sha256': {error}"


def _refuse_twins(suites: tuple[Suite, ...]) -> None:
    for tree in installed_trees():
        known = {file.stem for file in tree.manifests}
        for suite in suites:
            if suite.manifest.id in known:
                owners = (str(suite.tree.root), str(tree.root))
                raise DuplicateNameError("suite", suite.manifest.id, owners)


def _copy(tree: Tree, target: Path, *, leave: set[str]) -> None:
    """Copy to a folder beside the target and give it the name in one step."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    except OSError as error:
        raise MachineError(f"{target.parent}: cannot be written: {error.strerror}") from error
    try:
        for part in _PARTS:
            if (tree.root / part).is_dir():
                _copy_part(tree.root / part, aside / "tree" / part, leave)
        os.rename(aside / "tree", target)
    except OSError as error:
        raise MachineError(f"{target}: cannot be written: {error.strerror}") from error
    finally:
        with suppress(OSError):
            remove_tree(aside)


def _copy_part(source: Path, target: Path, leave: set[str]) -> None:
    files = read_tree(source).files
    if source.name == MANIFESTS:
        files = tuple(file for file in files if file.path not in leave)
    write_copy(Submission(files=files), target)
