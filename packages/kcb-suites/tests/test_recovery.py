"""Cases of recovery are loaded only if promise and test exist."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kcb_core.errors import DataError
from kcb_suites.recovery import headings, project_of
from kcb_suites.testing.tiny_tree import write, write_manifest
from kcb_suites.tree import load

CASE = {
    "requirement": "runs/No attempt is lost",
    "fault": "process-kill",
    "test": "tests/test_kill.py::test_killed",
}

PROJECT = {
    "docs/reference/promises.md": "# Promises\n\n## runs/No attempt is lost\n\n"
    "```\n## runs/Only an example\n```\n",
    "tests/test_kill.py": "import nothing_of_this_name\n\n\ndef helper(): ...\n\n\n"
    "class Killed:\n    def test_killed(self): ...\n\n\n# def test_commented(): ...\n",
}


def manifest(root: Path, **changed: Any) -> Path:
    """A project that makes one promise, and a manifest about it deep inside."""
    write(root, PROJECT)
    value = {"schema_version": 1, "kind": "recovery", "id": "recovery-x", "title": "x"}
    tree = root / "packages" / "suites"
    tree.mkdir(parents=True, exist_ok=True)
    return write_manifest(tree, {**value, "cases": [{**CASE, **changed}]})


def test_a_case_with_promise_and_test_is_loaded(tmp_path: Path) -> None:
    """The test's file is parsed and never imported: it may need what is not here."""
    load(manifest(tmp_path))
    assert project_of(tmp_path / "packages" / "suites" / "manifests" / "x.json") == tmp_path


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"requirement": "runs/No attempt was lost"}, "did you mean 'runs/No attempt is lost'?"),
        ({"requirement": "runs/Only an example"}, "cases[0].requirement"),
        ({"test": "tests/test_gone.py::test_killed"}, "there is no tests/test_gone.py"),
        ({"test": "tests/test_kill.py::test_kiled"}, "did you mean 'test_killed'?"),
        ({"test": "tests/test_kill.py::test_commented"}, "cases[0].test"),
        ({"test": "tests/test_kill.py::helper"}, "cases[0].test"),
    ],
)
def test_a_case_without_one_is_refused(tmp_path: Path, changed: dict[str, str], words: str) -> None:
    """A promise that nothing tests is none."""
    with pytest.raises(DataError, match=r"recovery-x\.json") as error:
        load(manifest(tmp_path, **changed))
    assert words in str(error.value)


def test_a_project_without_promises_has_no_cases(tmp_path: Path) -> None:
    """Such a manifest was taken out of its project."""
    path = manifest(tmp_path)
    (tmp_path / "docs/reference/promises.md").unlink()
    with pytest.raises(DataError, match=r"promises\.md"):
        load(path)


def test_only_headings_with_a_capability_are_promises(tmp_path: Path) -> None:
    """Others give the page its order."""
    write(tmp_path, PROJECT)
    assert headings(tmp_path / "docs/reference/promises.md") == ("runs/No attempt is lost",)
