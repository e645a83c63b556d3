"""A workspace that goes looking for its grader: it finds nothing, replaces nothing, ends nobody."""

from __future__ import annotations

import ctypes
import json
import secrets
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kcb_core.report import Outcome
from kcb_suites.grading import Desk
from kcb_suites.testing.tiny_tree import TASK, write
from kcb_suites.tree import Suite

HALVES = (secrets.token_hex(8), secrets.token_hex(8))
"""The answer: another one for each run, since files of earlier ones may lie about."""

SPY = '''"""Looks for the expected answer wherever a program can look; reports what it reached."""
import ctypes, glob, itertools, json, os, signal, sys

MARK = FIRST + SECOND


def walk(top):
    for folder, _, names in os.walk(top, followlinks=True):
        if folder.startswith(("/proc", "/sys", "/usr")):
            continue
        for name in names:
            yield os.path.join(folder, name)


def look(reached, path):
    if not os.path.isfile(path):
        return
    try:
        with open(path, "rb") as file:
            if MARK.encode() in file.read(1 << 20):
                reached.append("read " + path)
        if path.endswith("grade.py"):
            with open(path, "ab"):
                reached.append("can write " + path)
    except OSError:
        pass


def attack():
    reached = []
    parent = os.getppid()
    for name in ("environ", "maps", "mem", "cwd", "root", "exe", "fd/0", "fd/1", "auxv"):
        try:
            path = f"/proc/{parent}/{name}"
            if name in ("cwd", "root", "exe"):
                os.readlink(path)
            else:
                os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
            reached.append("looked into " + name)
        except OSError:
            pass
    try:
        words = open(f"/proc/{parent}/cmdline").read().split("\\0")
    except OSError:
        words = []
    places = {os.path.dirname(word) for word in words if word.endswith("grade.py")}
    for place in [*places, "/", os.getcwd(), os.path.dirname(sys.executable)]:
        up = place
        while True:
            for name in ("*.py", "*/*.py"):
                for path in itertools.islice(glob.iglob(os.path.join(up, name)), 500):
                    look(reached, path)
            if up == os.path.dirname(up):
                break
            up = os.path.dirname(up)
    for place in places:
        for path in (os.path.join(place, name) for name in ("grade.py", "cases.json", "steps.py")):
            look(reached, path)
        try:
            os.rename(place, place + "-gone")
            reached.append("moved the grader")
        except OSError:
            pass
    for top in ("/tmp", "/dev/shm", "/kcb", os.path.expanduser("~/..")):
        for path in itertools.islice(walk(top), 2000):
            look(reached, path)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(0x4206, parent, 0, 0) == 0:
        reached.append("traced the grader")
    return reached


def total(numbers):
    reached = attack()
    if "KILL" in os.listdir():
        for number in (signal.SIGKILL,):
            try:
                os.kill(os.getppid(), number)
                reached.append("signalled the grader")
            except OSError:
                pass
    return json.dumps(reached)
'''

GRADE = '''from steps import Grader, main

MARK = WHOLE


def grade(grader: Grader) -> None:
    """One question, of which nobody but this file knows the answer."""
    grader.answers("driver.py", [("the mark", [], MARK)])


main(grade)
'''


def landlock() -> int:
    """The ABI of Landlock that this kernel has; 0 if it has none."""
    if sys.platform != "linux":
        return 0
    return max(0, ctypes.CDLL(None).syscall(444, None, ctypes.c_size_t(0), 1))


needs_landlock = pytest.mark.skipif(landlock() < 1, reason="the kernel has no Landlock")
needs_scopes = pytest.mark.skipif(landlock() < 6, reason="Landlock keeps no signals inside here")


@pytest.fixture
def spied(suite: Suite, tmp_path: Path) -> tuple[Path, Path, Path]:
    """A grader with a mark, a workspace that looks for it, and the fixture."""
    grader = tmp_path / "hidden-grader"
    shutil.copytree(suite.grader(suite.task(TASK)), grader)
    write(grader, {"grade.py": marked(GRADE), "cases.json": json.dumps(["".join(HALVES)])})
    work = write(tmp_path / "work", {"total.py": marked(SPY)})
    return grader, work, suite.fixture(suite.task(TASK))


def marked(source: str) -> str:
    """A source that knows the answer; in that of the spy it stands nowhere as one word."""
    first, second = HALVES
    for name, value in (("FIRST", first), ("SECOND", second), ("WHOLE", first + second)):
        source = source.replace(name, f'"{value}"')
    return source


def reached(reasons: tuple[str, ...]) -> list[str]:
    """What the workspace says that it could get hold of."""
    (reason,) = reasons
    said = reason.partition("received ")[2]
    assert said.startswith("'["), reason
    found: list[str] = json.loads(said.strip("'"))
    return found


@needs_landlock
@pytest.mark.parametrize("level", ["full", "basic", "none"])
def test_it_reaches_nothing_of_its_grader(spied: tuple[Path, Path, Path], level: str) -> None:
    """At every level of the sandbox around, since the grader builds a fence of its own."""
    if level == "basic" and landlock() < 6:
        pytest.skip("this level needs Landlock of ABI 6")
    grader, workspace, fixture = spied
    grade = Desk(confine=level).grade(grader, workspace, fixture=fixture)
    assert grade.outcome is Outcome.FAILED
    assert reached(grade.reasons) == []


@needs_scopes
@pytest.mark.parametrize("level", ["full", "basic", "none"])
def test_it_cannot_signal_its_grader(spied: tuple[Path, Path, Path], level: str) -> None:
    """A grader that is killed would say nothing, and that is worth something to a cheat."""
    grader, workspace, fixture = spied
    write(workspace, {"KILL": ""})
    grade = Desk(confine=level).grade(grader, workspace, fixture=fixture)
    assert (grade.outcome, grade.voids) == (Outcome.FAILED, ())
    assert reached(grade.reasons) == []


HONEST = """import os, random, subprocess, tempfile


def total(numbers):
    with open("/dev/null", "w") as nowhere:
        subprocess.run(["sh", "-c", "echo hi > /dev/null; ls"], stdout=nowhere, check=True)
    with open("/dev/urandom", "rb") as file, tempfile.TemporaryFile() as kept:
        kept.write(file.read(4))
    os.rename("total.py", "moved.py")
    os.rename("moved.py", "total.py")
    return sum(numbers)
"""


@pytest.mark.parametrize("level", ["full", "basic", "none"])
def test_an_honest_program_is_not_hindered(suite: Suite, tmp_path: Path, level: str) -> None:
    """What every program may do anywhere works behind both fences."""
    if level == "basic" and landlock() < 6:
        pytest.skip("this level needs Landlock of ABI 6")
    task = suite.task(TASK)
    workspace = tmp_path / "work"
    shutil.copytree(suite.fixture(task), workspace)
    write(workspace, {"total.py": HONEST})
    grade = Desk(confine=level).grade(suite.grader(task), workspace, fixture=suite.fixture(task))
    assert grade.passed, grade


def test_the_spy_reaches_a_grader_without_a_fence(spied: tuple[Path, Path, Path]) -> None:
    """The test is worth something: where nothing holds it back, the spy finds its mark."""
    grader, workspace, _ = spied
    steps = grader / "steps.py"
    text = steps.read_text()
    assert "if abi >= 1:" in text
    steps.write_text(text.replace("if abi >= 1:", "if abi >= 100:"))
    run = subprocess.run(
        [sys.executable, str(grader / "grade.py"), str(workspace)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 1
    assert f"read {grader / 'grade.py'}" in run.stdout
    assert "can write" in run.stdout


@needs_landlock
def test_a_stranger_who_runs_a_grader_by_hand_is_safe_too(spied: tuple[Path, Path, Path]) -> None:
    """No sandbox of this product is around; the fence of the steps is all there is."""
    grader, workspace, _ = spied
    run = subprocess.run(
        [sys.executable, str(grader / "grade.py"), str(workspace)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 1
    assert "received '[]'" in run.stdout, run.stdout + run.stderr
