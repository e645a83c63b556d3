"""Every manifest that is present is valid, with all that it names; a new one is picked up here."""

from __future__ import annotations

from pathlib import Path

import pytest

from kcb_suites.fixture import verified
from kcb_suites.manifest import read_manifest
from kcb_suites.tree import BUILT_IN, Suite, Tree, load
from kcb_suites.vendoring import differing

TREE = Tree.at(BUILT_IN)
CHECKOUT = (BUILT_IN / "solutions").is_dir()
"""Whether this is a checkout: solutions, cheats and cases of recovery are not installed."""

in_checkout = pytest.mark.skipif(not CHECKOUT, reason="installed without answers")


@pytest.mark.parametrize("file", TREE.manifests, ids=lambda file: file.stem)
def test_a_manifest_is_valid_and_its_fixtures_are_as_it_says(file: Path) -> None:
    """After a change of a fixture this prints the new value, for a person to copy."""
    loaded = load(file)
    if isinstance(loaded, Suite):
        for task in loaded.tasks:
            verified(loaded.fixture(task), task.fixture.tree_sha256)


def test_there_are_manifests() -> None:
    """The test before shows nothing where there are none."""
    assert {file.stem for file in TREE.manifests} >= {"suite-coding-v1"}


def named() -> set[str]:
    """Ids of all tasks of the built-in tree."""
    loaded = [read_manifest(file) for file in TREE.manifests]
    return {task.id for m in loaded for task in getattr(m, "tasks", ())}


@pytest.mark.parametrize("part", ["graders", "solutions", "cheats"])
@in_checkout
def test_each_folder_belongs_to_a_task(part: str) -> None:
    """What no manifest names is dead, and a task without one of these is not proved."""
    assert {folder.name for folder in (TREE.root / part).iterdir()} == named()


def test_each_grader_carries_the_steps_as_they_are() -> None:
    """``klein-bench suite vendor`` mends it."""
    assert differing(TREE) == ()


def test_a_suite_has_no_manifest_in_parts() -> None:
    """The manifest is the one source of its tasks."""
    assert [path.name for path in (TREE.root / "manifests").iterdir() if path.is_dir()] == []
