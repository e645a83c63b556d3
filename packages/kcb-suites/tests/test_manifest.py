"""Manifests are decoded strictly, and a slip is named with its file, its field and the remedy."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kcb_core.errors import DataError
from kcb_suites.manifest import BUDGETS, Budget, LiveManifest, SuiteManifest, read_manifest
from kcb_suites.testing.tiny_tree import manifest_of, write_manifest
from kcb_suites.tree import load

Value = dict[str, Any]

CASE = {
    "requirement": "runs/No attempt is lost",
    "fault": "process-kill",
    "test": "tests/test_kill.py::test_it",
}
RECOVERY = {
    "schema_version": 1,
    "kind": "recovery",
    "id": "recovery-x",
    "title": "x",
    "cases": [CASE],
}


def refusal(path: Path) -> str:
    """What is said of a manifest that is refused."""
    with pytest.raises(DataError) as error:
        read_manifest(path)
    return str(error.value)


def test_a_suite_is_read(root: Path) -> None:
    """The form that the documentation shows is the one that is taken."""
    manifest = read_manifest(root / "manifests" / "tiny.json")
    assert isinstance(manifest, SuiteManifest)
    assert [task.id for task in manifest.tasks] == ["fix-sum"]


@pytest.mark.parametrize(
    ("budget", "bounds"),
    [
        ("normal", Budget(turns=60, dollars=2, seconds=1800)),
        ("long", Budget(turns=150, dollars=5, seconds=3600)),
        (
            {"turns": 3, "dollars": 0.5, "seconds": 9},
            Budget(turns=3, dollars=0.5, seconds=9),
        ),
    ],
)
def test_budgets_are_named_or_spelt_out(root: Path, budget: Any, bounds: Budget) -> None:
    """The two names stand for figures that are published, and must not drift."""
    path = write_manifest(root, manifest_of(root, budget=budget))
    manifest = read_manifest(path)
    assert isinstance(manifest, SuiteManifest)
    assert manifest.tasks[0].bounds == bounds
    assert set(BUDGETS) == {"normal", "long"}


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        pytest.param({"promt": "x"}, "unknown field 'promt'; did you mean 'prompt'?", id="slip"),
        pytest.param({"id": "Fix Sum"}, "field 'id': 'Fix Sum' is no id", id="id"),
        pytest.param({"grader": "../graders/fix-sum"}, "field 'grader'", id="out of the tree"),
        pytest.param({"grader": "/graders/fix-sum"}, "field 'grader'", id="absolute"),
        pytest.param({"grader": "graders//fix-sum"}, "field 'grader'", id="empty step"),
        pytest.param({"grader": "graders/./fix-sum"}, "field 'grader'", id="dot"),
        pytest.param({"runtimes": []}, "field 'runtimes' names none", id="no runtime"),
        pytest.param({"runtimes": ["ruby"]}, "tasks[0].runtimes[0]", id="other runtime"),
        pytest.param({"runtimes": ["node", "node"]}, "'node' twice", id="runtime twice"),
        pytest.param({"prompt": " \n"}, "field 'prompt' is empty", id="no prompt"),
        pytest.param({"budget": "huge"}, "tasks[0].budget", id="budget"),
        pytest.param(
            {"budget": {"turns": 0, "dollars": 1, "seconds": 1}}, "'turns' must be", id="no turns"
        ),
        pytest.param(
            {"fixture": {"path": "fixtures/fix-sum", "tree_sha256": "AB"}}, "tree_sha256", id="sha"
        ),
        pytest.param({"tags": ["Bug"]}, "field 'tags'", id="tag"),
        pytest.param({"tags": ["deterministic"]}, "calls a manifest of kind 'suite'", id="label"),
    ],
)
def test_a_slip_in_a_task_is_named(root: Path, changed: Value, words: str) -> None:
    """The message starts with the file and says which field it is."""
    path = write_manifest(root, manifest_of(root, **changed))
    said = refusal(path)
    assert said.startswith(f"{path}: ")
    assert words in said
    assert "\n" not in said


def edited(value: Value, **fields: Any) -> Value:
    """A manifest with other fields at its top."""
    return {**value, **fields}


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda v: edited(v, kind="suit"), "unknown kind 'suit'; did you mean 'suite'?"),
        (lambda v: edited(v, schema_version=2), "upgrade kcb-suites"),
        (lambda v: edited(v, schema_version=True), "schema_version"),
        (lambda v: edited(v, model="m"), "unknown field 'model'"),
        (lambda v: edited(v, tasks=[]), "field 'tasks' names none"),
        (lambda v: edited(v, tasks=v["tasks"] * 2), "has the name 'fix-sum' twice"),
        (lambda v: edited(v, tasks=twins(v)), "has the fixture 'fixtures/fix-sum' twice"),
    ],
)
def test_a_slip_at_the_top_is_named(root: Path, edit: Callable[[Value], Value], words: str) -> None:
    """A suite names no model, and each of its tasks has a fixture of its own."""
    assert words in refusal(write_manifest(root, edit(manifest_of(root))))


def twins(value: Value) -> list[Value]:
    """Two tasks that share a fixture."""
    (task,) = value["tasks"]
    return [task, {**task, "id": "other"}]


def test_a_manifest_is_called_as_its_file(root: Path) -> None:
    """Suites are found by the names of their files, without reading all of them."""
    path = write_manifest(root, manifest_of(root)).rename(root / "manifests" / "other.json")
    assert "call the file tiny.json" in refusal(path)


@pytest.mark.parametrize("kind", ["suite", "live"])
@pytest.mark.parametrize(
    "label",
    [
        {"deterministic": True},
        {"title": "A deterministic set"},
        {"description": "Runs are Deterministic."},
        {"kind": "deterministic"},
    ],
    ids=["field", "title", "description", "kind"],
)
def test_what_asks_a_live_model_is_never_called_deterministic(
    root: Path, kind: str, label: Value
) -> None:
    """No field and no value says so; the kind asks for a script with every task."""
    refusal(write_manifest(root, {**manifest_of(root), "kind": kind, **label}))


def test_live_tasks_may_share_a_fixture(root: Path) -> None:
    """Several questions about one repository are a live manifest, not a suite."""
    value = manifest_of(root)
    path = write_manifest(root, edited(value, kind="live", tasks=twins(value)))
    assert isinstance(read_manifest(path), LiveManifest)


def test_a_deterministic_task_needs_its_script(root: Path) -> None:
    """It is loaded only if the script is there."""
    value = manifest_of(root, script="scripts/fix-sum.toml")
    path = write_manifest(root, edited(value, kind="deterministic"))
    with pytest.raises(DataError, match=r"tasks\[0\]\.script.*there is no"):
        load(path)
    (root / "scripts").mkdir()
    (root / "scripts" / "fix-sum.toml").write_text("")
    load(path)
    refusal(write_manifest(root, edited(manifest_of(root), kind="deterministic")))


@pytest.mark.parametrize(
    "what", ["fixtures/fix-sum", "graders/fix-sum", "graders/fix-sum/grade.py"]
)
def test_what_a_manifest_names_must_be_there_and_be_no_link(root: Path, what: str) -> None:
    """A link could lead out of the tree, to an answer or to the machine's own files."""
    place = root / what
    place.rename(aside := root.parent / "aside")
    with pytest.raises(DataError, match=re.escape("there is no")):
        load(root / "manifests" / "tiny.json")
    place.symlink_to(aside)
    with pytest.raises(DataError, match="is a link"):
        load(root / "manifests" / "tiny.json")


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"fault": "crash"}, "fault"),
        ({"description": "The power is cut."}, "no loss of power"),
        ({"test": "tests/test_power.py::test_power_loss"}, "no loss of power"),
        ({"requirement": "no capability"}, "capability/Name"),
        ({"test": "tests/test_kill.py"}, "test"),
        ({"test": "../tests/test_kill.py::test_it"}, "field 'test'"),
    ],
)
def test_a_case_of_recovery_is_precise(tmp_path: Path, changed: Value, words: str) -> None:
    """Killing a process is never presented as loss of power, in whichever field."""
    path = write_manifest(tmp_path, {**RECOVERY, "cases": [{**CASE, **changed}]})
    assert words in refusal(path)
    read_manifest(write_manifest(tmp_path, RECOVERY))
