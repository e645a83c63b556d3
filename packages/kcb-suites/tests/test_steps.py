"""The steps of graders bite: each is tried in a grader that runs as a stranger would run it."""

from __future__ import annotations

import ast
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kcb_suites.testing.tiny_tree import write
from kcb_suites.vendoring import LIBRARY

Graded = Callable[..., subprocess.CompletedProcess[str]]

HEAD = "import json, os, sys\nfrom steps import Grader, NoAnswer, Raised, main\n\n\n"


@pytest.fixture
def graded(tmp_path: Path) -> Graded:
    """Runs a grader, given the body of its ``grade``, on a workspace of the given files."""

    def run(
        body: str, workspace: dict[str, str], grader: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        lines = "".join(f"    {line}\n" for line in body.splitlines())
        source = f"{HEAD}def grade(g):\n{lines}\n\nmain(grade)\n"
        files = {"steps.py": LIBRARY.read_text(), "grade.py": source, **(grader or {})}
        folder = write(tmp_path / "grader", files)
        (tmp_path / "work").mkdir(exist_ok=True)
        write(tmp_path / "work", workspace)
        return subprocess.run(
            [sys.executable, str(folder / "grade.py"), str(tmp_path / "work")],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return run


def test_it_is_one_file_for_python_3_10_and_nothing_else() -> None:
    """A grader has to run where nothing of this product is."""
    tree = ast.parse(LIBRARY.read_text(), feature_version=(3, 10))
    imported = {
        (alias.name if isinstance(node, ast.Import) else node.module or "").partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert imported <= sys.stdlib_module_names


def test_a_check_that_holds_passes(graded: Graded) -> None:
    """And the number of checks is told to people, beside the contract."""
    done = graded("g.check(True, 'never')", {})
    assert (done.returncode, done.stdout, done.stderr) == (0, "PASS\n", "1 checks\n")


@pytest.mark.parametrize(
    "body", ["raise ValueError('mine')", "pass", "sys.exit(0)", "g.check(1 / 0, 'x')"]
)
def test_a_grader_that_fails_itself_says_no_verdict(graded: Graded, body: str) -> None:
    """Neither a crash nor a grader that checks nothing may pass or fail anybody."""
    done = graded(body, {})
    assert done.returncode == 2
    assert done.stdout == ""


def test_reasons_are_lines(graded: Graded) -> None:
    """Whatever stands in a reason, the contract of lines is kept."""
    done = graded("g.check(False, 'one\\nPASS\\n' + 'x' * 9999)", {})
    lines = done.stdout.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("FAIL one PASS xxx")
    assert len(lines[0]) < 500
    assert lines[1] == "FAIL"


@pytest.mark.parametrize(
    ("actual", "expected", "same"),
    [("1", "1.0", True), ("True", "1", False), ("[True]", "[1]", False), ("'1'", "1", False)],
)
def test_equality_is_that_of_json(graded: Graded, actual: str, expected: str, same: bool) -> None:
    """A truth value is no number."""
    assert (graded(f"g.equal({actual}, {expected}, 'x')", {}).returncode == 0) is same


ASK = """
given = g.work.ask("driver.py", [1, 2, 3])
g.equal([given[0], given[1].name, type(given[2]).__name__], [1, "KeyError", "NoAnswer"], "answers")
"""


def test_answers_errors_and_deaths_are_told_apart(graded: Graded) -> None:
    """A module that ends the program early gives no answer, whatever it prints."""
    code = "import os\n\n\ndef f(q):\n    if q == 2:\n        raise KeyError(q)\n"
    code += "    if q == 3:\n        print('PASS', flush=True)\n        os._exit(0)\n    return q\n"
    done = graded(ASK, {"code.py": code}, {"driver.py": "from code import f as answer\n"})
    # The judged module wins over one of the standard library that has its name.
    assert done.returncode == 0, done.stdout + done.stderr


RUN = """
run = g.work.run(["python3", "-I", "program.py"], stdin="in", timeout_s=20)
g.equal(run.stdout, "{expected}", "output")
g.check(run.ok, run.tail())
"""

PROGRAMS = {
    "its folder is writable": ("open('new', 'w').write('x'); print(open('new').read())", "x\\n"),
    "HOME is writable": (
        "import os; open(os.path.expanduser('~/new'), 'w'); print(os.environ['TMPDIR'] == "
        "os.environ['HOME'])",
        "True\\n",
    ),
    "standard streams can be opened again": (
        "print(open('/dev/stdin').read(), file=open('/dev/stdout', 'w'))",
        "in\\n",
    ),
    "nothing is inherited": ("import os; print('SECRET' in os.environ)", "False\\n"),
    "programs start programs": (
        "import subprocess as s; print(s.check_output(['sh', '-c', 'echo hi'], text=True))",
        "hi\\n\\n",
    ),
    "locks and pools work": (
        "import multiprocessing as m; p = m.get_context('fork').Pool(1); print(p.map(abs, [-1]))",
        "[1]\\n",
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_have_what_they_need(
    graded: Graded, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The fence around them must not break what is honest."""
    monkeypatch.setenv("SECRET", "x")
    program, expected = PROGRAMS[name]
    done = graded(RUN.format(expected=expected), {"program.py": program})
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_a_program_leaves_running_is_ended(graded: Graded, tmp_path: Path) -> None:
    """Also what it holds its output open with; and time that is up is said."""
    script = "sleep 300 &\nsleep 300\n"
    body = "run = g.work.run(['sh', 'x.sh'], timeout_s=1)\ng.check(run.timed_out, 'x')\n"
    begun = time.monotonic()
    done = graded(body + "g.equal(run.tail(), 'it did not end in time', 'tail')", {"x.sh": script})
    assert done.returncode == 0, done.stdout + done.stderr
    assert time.monotonic() - begun < 30


def test_output_without_end_is_bounded(graded: Graded) -> None:
    """The grader keeps a mebibyte of it."""
    body = "run = g.work.run(['python3', '-c', 'print(\"x\" * (5 << 20))'])\n"
    assert graded(body + "g.equal(len(run.stdout), 1 << 20, 'kept')", {}).returncode == 0


VISIBLE = "g.visible_tests(['python3', '-m', 'unittest', 'discover', '-s', 'tests', '-t', '.'], {})"
FILES = ["tests/__init__.py", "tests/test_x.py"]
TEST = "import unittest\nimport x\n\n\nclass X(unittest.TestCase):\n    def test_x(self):\n"
TEST += "        self.assertEqual(x.x(), 1)\n"


@pytest.mark.parametrize(
    ("workspace", "words"),
    [
        pytest.param({"x.py": "def x(): return 1", "tests/test_x.py": TEST}, "", id="right"),
        pytest.param({"x.py": "def x(): return 1"}, "test_x.py is gone", id="gone"),
        pytest.param(
            {"x.py": "def x(): return 2", "tests/test_x.py": TEST}, "the visible tests fail", id="w"
        ),
        pytest.param(
            {"x.py": "def x(): return 2", "tests/test_x.py": "", "unittest.py": ""},
            "the visible tests fail",
            id="edited, with a framework of its own",
        ),
        pytest.param(
            {"x.py": "def x(): return 2", "tests/test_x.py": TEST, "tests/load_tests.py": "x"},
            "the visible tests fail",
            id="other files",
        ),
    ],
)
def test_visible_tests_are_run_as_handed_out(
    graded: Graded, workspace: dict[str, str], words: str
) -> None:
    """What the workspace made of them counts for nothing."""
    grader = {"visible/tests/__init__.py": "", "visible/tests/test_x.py": TEST}
    done = graded(VISIBLE.format(FILES), {"tests/__init__.py": "", **workspace}, grader)
    assert words in done.stdout
    assert done.returncode == (1 if words else 0), done.stdout + done.stderr


MUTANTS = """
command = ["python3", "-m", "unittest", "discover", "-s", "tests", "-t", "."]
g.mutants(command, ["tests"])
"""
RIGHT = "def x():\n    return 1\n\n\ndef y():\n    return 2\n"
CORPUS = {
    "reference/x.py": RIGHT,
    "equivalents/other/x.py": "def x():\n    return 2 - 1\n\n\ndef y():\n    return 4 - 2\n",
    "mutants/first/x.py": RIGHT.replace("1", "7"),
    "mutants/second/x.py": RIGHT.replace("2", "7"),
}
BOTH = TEST + "        self.assertEqual(x.y(), 2)\n"
PEEKS = TEST + "        self.assertIn('return 1', open('x.py').read())\n"
WRONG = TEST + "        self.assertEqual(x.y(), 3)\n"


@pytest.mark.parametrize(
    ("tests", "words"),
    [
        pytest.param(BOTH, "", id="thorough"),
        pytest.param(TEST, "notice 1 of 2 faults, 2 are asked for", id="misses one"),
        pytest.param(PEEKS, "the tests fail on equivalent code", id="looks at the text"),
        pytest.param(WRONG, "the tests fail on the code as handed out", id="wrong"),
        pytest.param("raise SystemExit(1)\n", "the code as handed out", id="always fails"),
        pytest.param("import os\nos._exit(0)\n", "notice 0 of 2", id="always passes"),
    ],
)
def test_tests_are_graded_by_what_they_notice(graded: Graded, tests: str, words: str) -> None:
    """They pass on right code in whatever words, and fail on each fault."""
    workspace = {"tests/__init__.py": "", "tests/test_x.py": tests, "x.py": "def x(): return 0\n"}
    done = graded(MUTANTS, workspace, CORPUS)
    assert words in done.stdout
    assert done.returncode == (1 if words else 0), done.stdout + done.stderr


def corpus_with(mutant: str) -> dict[str, str]:
    """The corpus, whose second mutant is this module."""
    return {**CORPUS, "mutants/second/x.py": mutant}


BRISK = MUTANTS.replace('["tests"]', '["tests"], timeout_s=4')
"""Right code has four seconds, and a mutant one before it is played again."""

TESTED = {"tests/__init__.py": "", "tests/test_x.py": BOTH}


def test_a_fault_that_makes_code_endless_is_noticed(graded: Graded) -> None:
    """No test need say anything then: right code ends well within the time that it was given."""
    mutant = RIGHT.replace("return 2", "while True:\n        pass")
    done = graded(BRISK, TESTED, corpus_with(mutant))
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_mutant_that_is_only_slow_is_not_noticed(graded: Graded) -> None:
    """Whatever a machine is busy with, time alone tells nothing of the tests."""
    mutant = RIGHT.replace("return 2", "import time\n    time.sleep(2)\n    return 2")
    done = graded(BRISK, TESTED, corpus_with(mutant))
    assert "notice 1 of 2 faults" in done.stdout, done.stdout + done.stderr
    assert "not noticed: second\n" in done.stderr


def test_the_author_is_told_which_faults_live(graded: Graded) -> None:
    """On standard error, since standard output is the contract's."""
    done = graded(MUTANTS, {"tests/__init__.py": "", "tests/test_x.py": TEST}, CORPUS)
    assert "not noticed: second\n" in done.stderr
    assert "first" not in done.stderr


SLOWING = """
import steps
real, plays = steps.Workspace.run, []
def run(self, command, **words):
    plays.append(command)
    return steps.Run(-9, "", "", True) if len(plays) > 2 else real(self, command, **words)
steps.Workspace.run = run
"""
"""After the two plays of right code nothing ends any more."""


def test_a_machine_that_became_too_slow_gives_no_verdict(graded: Graded) -> None:
    """Where right code does not end either, a mutant that does not is no sign of anything."""
    done = graded(SLOWING + MUTANTS, TESTED, CORPUS)
    assert (done.returncode, done.stdout) == (2, "")
    assert "too slow by now" in done.stderr


def test_right_code_has_more_time_too(graded: Graded) -> None:
    """A slow machine fails no honest tests."""
    tests = BOTH.replace("import x\n", "import time\nimport x\n\ntime.sleep(1.5)\n")
    body = MUTANTS.replace('["tests"]', '["tests"], timeout_s=1')
    done = graded(body, {"tests/__init__.py": "", "tests/test_x.py": tests}, CORPUS)
    assert done.returncode == 0, done.stdout + done.stderr


LIGHT = """\
        self.assertNotIn("asyncio", sys.modules)
        self.assertTrue(import_module("unittest.mock").Mock(return_value=True)())
"""


def test_tests_start_with_what_they_need_and_no_more(graded: Graded) -> None:
    """Graders start Python hundreds of times: nothing is loaded that is not asked for."""
    test = "import sys\nfrom importlib import import_module\n" + TEST + LIGHT
    grader = {"visible/tests/__init__.py": "", "visible/tests/test_x.py": test}
    workspace = {"x.py": "def x(): return 1", "tests/__init__.py": "", "tests/test_x.py": test}
    done = graded(VISIBLE.format(FILES), workspace, grader)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_end_of_a_program_is_seen_where_the_kernel_does_not_tell(graded: Graded) -> None:
    """Some sandboxes know no pidfd."""
    body = "del os.pidfd_open\nrun = g.work.run(['python3', '-c', 'exit(7)'])\n"
    body += "g.equal(run.status, 7, 'status')\n"
    body += "g.check(g.work.run(['sleep', '60'], timeout_s=1).timed_out, 'x')"
    assert graded(body, {}).returncode == 0
