"""``klein-bench suite check`` finds each kind of broken grader, by really grading."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kcb_suites.testing.tiny_tree import FILES, TASK, manifest_of, write, write_manifest

Bench = Callable[..., subprocess.CompletedProcess[str]]

RIGHT = FILES["solutions/fix-sum/total.py"]


def test_a_good_tree_is_proved(root: Path, bench: Bench) -> None:
    """Untouched, solution and five cheats: seven gradings."""
    done = bench("suite", "check", "--suite", str(root))
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{TASK}\tproved\t7\t" in done.stdout
    assert "1 tasks, 7 gradings: 1 proved, 0 FAILED, 0 unmet" in done.stdout


def test_json_and_words_say_the_same(root: Path, bench: Bench) -> None:
    """A program that reads it needs no table, and ``--verbose`` shows what graders say."""
    (proof,) = json.loads(bench("suite", "check", "--suite", str(root), "--json").stdout)
    trials = {found["trial"]: found["found"] for found in proof["findings"]}
    assert trials.pop("solution") == "resolved"
    assert set(trials) == {"untouched", *(f"cheat {name}" for name in CHEATS)}
    assert set(trials.values()) == {"failed"}
    said = bench("suite", "check", "--suite", str(root), "--verbose").stdout
    assert f"{TASK}: untouched: failed" in said
    assert "    many: expected 10, received 3" in said


CHEATS = ("tests-deleted", "tests-weakened", "special-cased", "grader-output", "hollow-solution")

LATE = "import sys, time\nfrom pathlib import Path\n"
LATE += "if 'numbers[0]' in (Path(sys.argv[1]) / 'total.py').read_text():\n    time.sleep(5)\n"
"""What keeps the grading of the untouched fixture, the first of all, back."""


def test_what_is_said_has_one_order(root: Path, bench: Bench) -> None:
    """However many gradings go on at once, and whichever ends first."""
    grade = root / "graders" / TASK / "grade.py"
    grade.write_text(LATE + grade.read_text())
    (root / "solutions" / TASK / "total.py").write_text("def total(numbers):\n    return 3\n")
    said = bench("suite", "check", "--suite", str(root), "--json", "--jobs", "4").stdout
    (proof,) = json.loads(said)
    names = [found["trial"] for found in proof["findings"]]
    assert names == ["untouched", "solution", *(f"cheat {name}" for name in sorted(CHEATS))]
    assert proof["findings"][0]["wall_s"] > 5
    assert [problem.partition(":")[0] for problem in proof["problems"]] == ["solution"]


@pytest.mark.parametrize(("least", "status"), [(6, 0), (7, 1)])
def test_a_grader_that_checks_little_is_found(
    root: Path, bench: Bench, least: int, status: int
) -> None:
    """A test that is there and passes, and four answers, are six checks."""
    done = bench("suite", "check", "--suite", str(root), "--least-checks", str(least))
    assert done.returncode == status, done.stdout + done.stderr
    words = "solution: its grader makes 6 checks, and at least 7 are asked for"
    assert (words in done.stdout) == bool(status)


BROKEN = {
    "a solution that does not solve": (
        {"solutions/fix-sum/total.py": "def total(numbers):\n    return 3\n"},
        "solution: must be resolved, is failed",
    ),
    "a fixture that passes": (
        {"fixtures/fix-sum/total.py": RIGHT},
        "untouched: must be failed, is resolved",
    ),
    "a cheat that passes": (
        {"cheats/fix-sum/hollow-solution/total.py": RIGHT},
        "cheat hollow-solution: must be failed, is resolved",
    ),
    "a grader that crashes": (
        {"graders/fix-sum/grade.py": "raise ValueError('mine')\n"},
        "untouched: must be failed, is void: it ended with status 1 and no verdict",
    ),
    "a grader that writes to the workspace": (
        {
            "graders/fix-sum/grade.py": "import sys\nfrom pathlib import Path\n"
            "(Path(sys.argv[1]) / 'x').write_text('')\nprint('FAIL x')\nprint('FAIL')\n"
            "sys.exit(1)\n"
        },
        "it changed the workspace that it was given",
    ),
    "a deletion outside": (
        {"cheats/fix-sum/tests-deleted/DELETE": "../../x\n"},
        "leaves the workspace",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_broken_is_found(root: Path, bench: Bench, name: str) -> None:
    """Exit status 1, and one line that says which trial went otherwise."""
    files, words = BROKEN[name]
    write(root, files)
    write_manifest(root, manifest_of(root))
    done = bench("suite", "check", "--suite", str(root))
    assert done.returncode == 1, done.stdout + done.stderr
    assert words in done.stdout
    assert "1 FAILED" in done.stdout


def test_a_changed_fixture_is_found_without_grading(root: Path, bench: Bench) -> None:
    """The new digest is printed, for a person to copy."""
    write(root, {"fixtures/fix-sum/README.md": "changed"})
    done = bench("suite", "check", "--suite", str(root))
    assert done.returncode == 1
    assert manifest_of(root)["tasks"][0]["fixture"]["tree_sha256"] in done.stdout
    assert "1 tasks, 0 gradings" in done.stdout


@pytest.mark.parametrize("gone", ["solutions/fix-sum", "cheats/fix-sum/special-cased"])
def test_a_missing_part_is_found(root: Path, bench: Bench, gone: str) -> None:
    """Without a solution nothing shows that a grader can pass anything."""
    shutil.rmtree(root / gone)
    done = bench("suite", "check", "--suite", str(root))
    assert done.returncode == 1
    assert "there is no" in done.stdout


def test_a_tree_without_cheats_is_proved_by_the_rest(root: Path, bench: Bench) -> None:
    """Trees of others need not have any."""
    shutil.rmtree(root / "cheats")
    done = bench("suite", "check", "--suite", str(root))
    assert done.returncode == 0
    assert "1 tasks, 2 gradings: 1 proved" in done.stdout


def test_a_missing_runtime_is_an_unmet_prerequisite(root: Path, bench: Bench) -> None:
    """It is said, nothing is tried, and the status is that of a machine that cannot tell."""
    write_manifest(root, manifest_of(root, runtimes=["node"]))
    words = ("suite", "check", "--suite", str(root))
    done = bench(*words, PATH=str(tools(root.parent)))
    assert done.returncode == 3, done.stdout + done.stderr
    assert f"{TASK}: needs node 20 or newer, which is not here" in done.stdout
    assert "0 proved, 0 FAILED, 1 unmet" in done.stdout
    assert bench(*words, "--allow-unmet", PATH=str(tools(root.parent))).returncode == 0


def test_an_old_runtime_is_none(root: Path, bench: Bench) -> None:
    """A program of that name is not enough."""
    write_manifest(root, manifest_of(root, runtimes=["node"]))
    folder = tools(root.parent)
    write(folder, {"node": "#!/bin/sh\necho v18.19.0\n"})
    (folder / "node").chmod(0o755)
    done = bench("suite", "check", "--suite", str(root), PATH=str(folder))
    assert done.returncode == 3
    assert "needs node 20" in done.stdout


def tools(parent: Path) -> Path:
    """A folder with git and nothing else."""
    folder = parent / "tools"
    folder.mkdir(exist_ok=True)
    git = shutil.which("git")
    assert git
    if not (folder / "git").exists():
        (folder / "git").symlink_to(git)
    return folder


def mutants(root: Path, count: int, equivalents: int) -> None:
    """Make the tiny task one of writing tests."""
    grader = root / "graders" / TASK
    write(grader, {"reference/total.py": RIGHT})
    for number in range(count):
        write(grader, {f"mutants/m{number}/total.py": f"total = {number}\n"})
    for number in range(equivalents):
        write(grader, {f"equivalents/e{number}/total.py": f"# {number}\n{RIGHT}"})
    write_manifest(root, manifest_of(root, tags=["tests"]))


@pytest.mark.parametrize(
    ("count", "equivalents", "words"),
    [(19, 2, "has 19 mutants"), (20, 1, "has 1 equivalents"), (20, 2, "")],
)
def test_graders_of_tests_hold_enough_mutants(
    root: Path, bench: Bench, count: int, equivalents: int, words: str
) -> None:
    """With few of them, tests pass by luck."""
    mutants(root, count, equivalents)
    done = bench("suite", "check", "--suite", str(root))
    assert words in done.stdout
    assert done.returncode == (1 if words else 0)


def test_a_mutant_that_is_no_mutant_is_found(root: Path, bench: Bench) -> None:
    """Nothing could kill it, and two that are the same count once."""
    mutants(root, 20, 2)
    write(
        root / "graders" / TASK,
        {"mutants/m3/total.py": RIGHT, "mutants/m5/total.py": "total = 4\n"},
    )
    done = bench("suite", "check", "--suite", str(root))
    assert done.returncode == 1
    assert "mutants/m3 is the same as the reference" in done.stdout
    assert "mutants/m5 is the same as m4" in done.stdout


def test_a_slip_in_a_name_is_answered(root: Path, bench: Bench) -> None:
    """Exit status 2, with the nearest name."""
    done = bench("suite", "check", "--suite", str(root), "--task", "fix-sun")
    assert done.returncode == 2
    assert "did you mean 'fix-sum'?" in done.stderr
    done = bench("suite", "check", "--suite", "suite-codin-v1")
    assert done.returncode == 2
    assert "unknown suite 'suite-codin-v1'" in done.stderr


def test_it_can_be_stopped(root: Path) -> None:
    """Ctrl-C ends what is being graded, and leaves no folder behind."""
    write(root, {"graders/fix-sum/grade.py": "import time\ntime.sleep(600)\n"})
    scratch = root.parent / "scratch"
    scratch.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "kcb_core", "suite", "check", "--suite", str(root)],
        env={**os.environ, "TMPDIR": str(scratch)},
        stderr=subprocess.PIPE,
        text=True,
    )
    until = time.monotonic() + 60
    while not list(scratch.glob("kcb-grading-*/bin")) and time.monotonic() < until:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted" in said
    assert list(scratch.iterdir()) == []
