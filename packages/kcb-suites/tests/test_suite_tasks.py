"""A suite as a set of tasks: what it says of itself, and how it is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from kcb_core.errors import DataError, DeclarationError, UnknownNameError
from kcb_core.limits import TaskBudget
from kcb_core.tasksets import Whereabouts
from kcb_suites.running.suite_tasks import Suites, SuiteTasks
from kcb_suites.testing.tiny_tree import TASK, manifest_of, write_manifest
from kcb_suites.tree import Suite, find_suite


def test_it_says_what_it_is(suite: Suite) -> None:
    """A stamp of its own, the budget of the task, and the digests of all that results depend on."""
    tasks = SuiteTasks(suite)
    assert (tasks.stamp.name, tasks.stamp.kind, tasks.stamp.totals) == (
        "tiny",
        "suite",
        {"suite": 1},
    )
    assert tasks.task_ids == (TASK,)
    assert tasks.verifier == "grader"
    assert tasks.budgets([TASK]) == {TASK: TaskBudget(turns=60, dollars=2.0, seconds=1800.0)}
    assert set(tasks.pins([TASK])) == {f"fixtures/{TASK}", f"graders/{TASK}"}
    assert tasks.unmet([TASK]) == ()


def test_its_parts_are_all_of_it_and_its_tags(suite: Suite) -> None:
    """Anything else is refused, with what there is."""
    tasks = SuiteTasks(suite)
    assert tasks.members("all") == tasks.members("bug-fix") == (TASK,)
    with pytest.raises(UnknownNameError, match="known: all, bug-fix, python"):
        tasks.members("hard")


def test_a_brief_lays_out_a_repository_and_names_no_grader(suite: Suite, tmp_path: Path) -> None:
    """What an agent is given, and all of it."""
    brief = SuiteTasks(suite).brief(TASK)
    assert brief.lay_out is not None
    brief.lay_out(tmp_path / "start")
    found = {path.name for path in (tmp_path / "start").iterdir()}
    assert found == {".git", "README.md", "run.sh", "tests", "total.py"}
    assert "grader" not in repr(brief).replace(str(suite.tree.root), "")


def test_a_grader_that_changed_is_another_experiment(suite: Suite) -> None:
    """Its digest is among the pins, so that a run cannot go on with another one."""
    before = SuiteTasks(suite).pins([TASK])
    grade = suite.grader(suite.task(TASK)) / "grade.py"
    grade.write_text(grade.read_text() + "# mended\n")
    after = SuiteTasks(suite).pins([TASK])
    assert {name for name in before if before[name] != after[name]} == {f"graders/{TASK}"}


def test_a_task_must_not_pass_for_one_of_a_dataset(root: Path) -> None:
    """The id alone tells the two apart in every report."""
    name = "fix-http-404-pages"
    file = write_manifest(root, manifest_of(root, id=name))
    with pytest.raises(DataError, match="has the shape of the id of a dataset's task"):
        SuiteTasks(find_suite(str(file)))


def test_a_suite_is_found_at_a_path_and_a_dataset_is_not(root: Path, tmp_path: Path) -> None:
    """Each kind of sets knows its own."""
    assert list(Suites().sets(Whereabouts(path=root))) == ["tiny"]
    assert list(Suites().sets(Whereabouts(path=root / "manifests" / "tiny.json"))) == ["tiny"]
    (tmp_path / "manifest.json").write_text("{}")
    for path in (tmp_path, tmp_path / "manifest.json"):
        with pytest.raises(DeclarationError):
            Suites().sets(Whereabouts(path=path))
