"""Grading: verdicts need a kept contract, and voids are traced to their cause by evidence."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from kcb_core.errors import DeclarationError
from kcb_core.report import FailureKind, Outcome, VoidCause
from kcb_runner.cancel import Cancel, Cancelled
from kcb_suites import fixture as fixture_module
from kcb_suites.fixture import digest_of, overlay, read_workspace
from kcb_suites.grading import Desk, Grade
from kcb_suites.proof import trials_of
from kcb_suites.testing.tiny_tree import TASK, write
from kcb_suites.tree import Suite

SAYS = """import os, pathlib, sys, time
here = pathlib.Path(sys.argv[1])
exec((here / "say.py").read_text())
"""
"""A grader that does what the workspace says: for contracts, and no grader for any use."""

FINE = "print('FAIL as it should')\nprint('FAIL')\nsys.exit(1)\n"
PASSES = "print('PASS')\n"


@pytest.fixture
def puppet(tmp_path: Path) -> tuple[Path, Path]:
    """A grader that does what a workspace says, and a fixture that it fails as it should."""
    grader = write(tmp_path / "grader", {"grade.py": SAYS})
    return grader, write(tmp_path / "fixture", {"say.py": FINE})


def graded(puppet: tuple[Path, Path], tmp_path: Path, say: str, timeout_s: float = 30) -> Grade:
    """What comes of a workspace that makes the grader do something."""
    grader, fixture = puppet
    workspace = write(tmp_path / "workspace", {"say.py": say})
    return Desk(timeout_s=timeout_s).grade(grader, workspace, fixture=fixture)


@pytest.mark.parametrize("index", range(7))
def test_a_task_is_graded_as_its_truth_is(suite: Suite, index: int) -> None:
    """Untouched and every cheat fail, the solution passes."""
    trial = trials_of(suite, suite.task(TASK))[index]
    grade = trial.grade(Desk())
    assert grade.outcome is trial.expected, grade
    assert grade.voids == ()


LOOKS = """import subprocess as s
program = "import sys; print([p for p in sys.path if p.endswith('-packages')], exit, sep='')"
found = s.check_output(["python3", "-c", program], text=True)
print("PASS" if found.startswith("[]Use exit") else f"FAIL {found}FAIL")
sys.exit(not found.startswith("[]Use exit"))
"""


def test_graded_programs_have_the_standard_library_alone(
    puppet: tuple[Path, Path], tmp_path: Path
) -> None:
    """What a machine happens to have installed helps no task, and slows no start down."""
    assert graded(puppet, tmp_path, LOOKS).passed


def test_grading_says_the_same_twice_and_leaves_the_workspace(suite: Suite, tmp_path: Path) -> None:
    """Not even a cache of bytecode may be left in what an agent handed in."""
    task = suite.task(TASK)
    workspace = write(tmp_path / "work", {"total.py": "def total(numbers):\n    return 1\n"})
    before = digest_of(read_workspace(workspace))
    first, second = (
        Desk().grade(suite.grader(task), workspace, fixture=suite.fixture(task)) for _ in range(2)
    )
    assert first.reasons == second.reasons != ()
    assert digest_of(read_workspace(workspace)) == before
    assert sorted(path.name for path in workspace.rglob("*")) == ["total.py"]


@pytest.mark.parametrize(
    "say",
    [
        pytest.param("raise ValueError('mine')", id="crash"),
        pytest.param("os._exit(0)", id="silent end"),
        pytest.param("print('PASS'); sys.exit(3)", id="pass with a status"),
        pytest.param("os.kill(os.getpid(), 9)", id="killed"),
        pytest.param("print('PASS\\n' * 10_000_000)", id="endless output"),
        pytest.param("(here / 'new').write_text('x'); print('PASS')", id="changes the workspace"),
    ],
)
def test_a_workspace_that_alone_breaks_its_grading_has_failed(
    puppet: tuple[Path, Path], tmp_path: Path, say: str
) -> None:
    """The untouched fixture is graded without fault on the same machine: that is the evidence."""
    grade = graded(puppet, tmp_path, say)
    assert (grade.outcome, grade.kind) == (Outcome.FAILED, FailureKind.RESOURCE_LIMIT)
    assert len(grade.voids) == 2
    assert grade.reasons


def test_a_grader_that_hangs_is_ended(puppet: tuple[Path, Path], tmp_path: Path) -> None:
    """Nothing waits for ever, and time used up is no verdict by itself."""
    grade = graded(puppet, tmp_path, "time.sleep(600)", timeout_s=3)
    assert grade.kind is FailureKind.RESOURCE_LIMIT
    assert grade.voids == ("it did not end in time", "it did not end in time")


def test_a_grader_that_breaks_on_the_fixture_too_says_nothing(
    puppet: tuple[Path, Path], tmp_path: Path
) -> None:
    """A crash of a grader is never a failed workspace, and never one that passed."""
    write(puppet[1], {"say.py": "raise ValueError"})
    grade = graded(puppet, tmp_path, "print('PASS'); sys.exit(1)")
    assert (grade.outcome, grade.cause) == (Outcome.VOID, VoidCause.MACHINE)
    assert not grade.passed
    assert len(grade.voids) == 2
    assert grade.voids[1].startswith("the untouched fixture: ")


def test_a_second_try_that_works_is_the_verdict(
    puppet: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault that does not come back was the machine's; the first try is kept on record."""
    once = Desk.grade_once
    broken = Grade(outcome=Outcome.VOID, cause=VoidCause.MACHINE, voids=("a flash",))
    first = [broken]
    monkeypatch.setattr(Desk, "grade_once", lambda *words: first.pop() if first else once(*words))
    grade = graded(puppet, tmp_path, PASSES)
    assert grade.passed
    assert grade.voids == ("a flash",)


def test_a_workspace_that_is_too_large_is_rejected(
    puppet: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bound is the same for everybody, so it is a verdict."""
    monkeypatch.setattr(fixture_module._Room.__init__, "__defaults__", (20, 100))
    grade = graded(puppet, tmp_path, PASSES + "#" * 200)
    assert (grade.outcome, grade.kind) == (Outcome.FAILED, FailureKind.REJECTED)


def test_a_workspace_in_which_something_still_works_is_void(
    puppet: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was graded is then not what is there."""
    once = Desk.grade_once

    def and_write(*words: object) -> Grade:
        write(tmp_path / "workspace", {"late.txt": "x"})
        return once(*words)  # type: ignore[arg-type]

    monkeypatch.setattr(Desk, "grade_once", and_write)
    grade = graded(puppet, tmp_path, PASSES)
    assert (grade.outcome, grade.cause) == (Outcome.VOID, VoidCause.UNKNOWN)


def test_a_grading_ends_with_the_run_that_it_belongs_to(
    puppet: tuple[Path, Path], tmp_path: Path
) -> None:
    """Ctrl-C does not wait for the grader's own limit."""
    cancel = Cancel()
    threading.Timer(1.0, cancel.throw).start()
    workspace = write(tmp_path / "workspace", {"say.py": "time.sleep(600)"})
    with pytest.raises(Cancelled):
        Desk(cancel=cancel).grade(puppet[0], workspace, fixture=puppet[1])


def test_a_missing_workspace_is_said(puppet: tuple[Path, Path], tmp_path: Path) -> None:
    """It is the caller's slip, and no verdict on anybody."""
    with pytest.raises(DeclarationError):
        Desk().grade(puppet[0], tmp_path / "none", fixture=puppet[1])


TRICKS = {
    "conftest.py": "import os\nos._exit(0)\n",
    "sitecustomize.py": "import os\nos._exit(0)\n",
    "usercustomize.py": "import os\nos._exit(0)\n",
    "unittest.py": "print('OK')\nraise SystemExit(0)\n",
    "unittest/__init__.py": "",
    "unittest/__main__.py": "raise SystemExit(0)\n",
    "json.py": "def load(*_): return []\ndef dumps(*_): return '{\"value\": 0}'\n",
    "pytest.ini": "[pytest]\naddopts = --collect-only\n",
    "setup.cfg": "[tool:pytest]\naddopts = --collect-only\n",
    "pyproject.toml": "[tool.pytest.ini_options]\naddopts = ['--collect-only']\n",
    "tests/__init__.py": "import os\nos._exit(0)\n",
    "tests/test_total.py": "",
    ".git/hooks/post-checkout": "#!/bin/sh\ntouch /tmp/owned\n",
    ".git/config": "[core]\n\tfsmonitor = echo PASS\n",
}


@pytest.mark.parametrize("form", ["unittest.py", "unittest/"])
def test_planted_files_gain_nothing(suite: Suite, tmp_path: Path, form: str) -> None:
    """Neither modules that stand in for the framework, nor its configuration, nor git's history."""
    other = {"unittest.py": "unittest/", "unittest/": "unittest.py"}[form]
    files = {name: text for name, text in TRICKS.items() if not name.startswith(other)}
    task = suite.task(TASK)
    workspace = write(tmp_path / "work", {"total.py": "def total(numbers):\n    return 0\n"})
    write(workspace, files)
    grade = Desk().grade(suite.grader(task), workspace, fixture=suite.fixture(task))
    assert grade.outcome is Outcome.FAILED
    assert any("expected 10" in reason for reason in grade.reasons)


def test_they_do_not_hurt_a_right_answer_either(suite: Suite, tmp_path: Path) -> None:
    """A project may have such files for reasons of its own; only what it answers counts."""
    task = suite.task(TASK)
    workspace = write(tmp_path / "work", {"pytest.ini": TRICKS["pytest.ini"]})
    write(workspace, {name: TRICKS[name] for name in ("conftest.py", ".git/config")})
    write(workspace, {"tests/__init__.py": "", "tests/test_total.py": ""})
    overlay(suite.tree.root / "solutions" / TASK, workspace)
    grade = Desk().grade(suite.grader(task), workspace, fixture=suite.fixture(task))
    assert grade.passed, grade
