"""Trees: found by path and by name, imported whole or not at all, graders given their steps."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from kcb_suites.testing.tiny_tree import TASK, manifest_of, write, write_manifest

Bench = Callable[..., subprocess.CompletedProcess[str]]


def installed(root: Path) -> Path:
    """Where the command line's user has imported trees."""
    return root.parent / "home" / ".local" / "share" / "klein-code-bench" / "suites"


def test_an_imported_tree_is_found_by_the_name_of_its_suite(root: Path, bench: Bench) -> None:
    """Everything comes along, and the executable bit too, since the digest covers it."""
    done = bench("suite", "import", str(root))
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"tiny: 1 tasks, in {installed(root) / 'tree'}\n"
    assert "tiny\tsuite\t1\tA tiny suite" in bench("suite", "list").stdout
    assert bench("suite", "check", "--suite", "tiny").returncode == 0
    assert TASK in bench("suite", "list", "--suite", "tiny").stdout


def test_the_data_folder_follows_the_standard(root: Path, bench: Bench) -> None:
    """``XDG_DATA_HOME`` says where, if it is absolute."""
    data = root.parent / "data"
    bench("suite", "import", str(root), "--name", "mine", XDG_DATA_HOME=str(data))
    assert (data / "klein-code-bench" / "suites" / "mine" / "manifests" / "tiny.json").is_file()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        ({"fixtures/fix-sum/README.md": "other"}, "tree_sha256 is "),
        ({"manifests/tiny.json": "{}"}, "field 'kind'"),
    ],
)
def test_a_tree_with_a_fault_is_not_copied(
    root: Path, bench: Bench, spoil: dict[str, str], words: str
) -> None:
    """What differs is said, and nothing is left half there."""
    write(root, spoil)
    done = bench("suite", "import", str(root))
    assert done.returncode == 2
    assert words in done.stderr
    assert not installed(root).exists()


def test_every_difference_is_named_at_once(root: Path, bench: Bench) -> None:
    """Whoever mends a tree does not want to be told one thing at a time."""
    write_manifest(root, {**manifest_of(root), "id": "second", "title": " "})
    write(root, {"fixtures/fix-sum/README.md": "other"})
    said = bench("suite", "import", str(root)).stderr
    assert "field 'title' is empty" in said
    assert "tree_sha256" in said


def test_a_link_in_a_tree_is_refused(root: Path, bench: Bench) -> None:
    """It would lead to whatever lies there on the machine that imports."""
    (root / "solutions" / TASK / "link").symlink_to("/etc/passwd")
    done = bench("suite", "import", str(root))
    assert done.returncode == 2
    assert "is a link" in done.stderr
    assert list(installed(root).iterdir()) == []


def test_neither_a_folder_nor_a_name_is_taken_twice(root: Path, bench: Bench) -> None:
    """Two suites of one name could not be told apart in a result."""
    assert bench("suite", "import", str(root)).returncode == 0
    again = bench("suite", "import", str(root), "--name", "other")
    assert again.returncode == 2
    assert "suite 'tiny' is declared by both" in again.stderr
    output = root.parent / "out"
    assert bench("suite", "import", str(root), "--output", str(output)).returncode == 0
    assert "is there already" in bench("suite", "import", str(root), "-o", str(output)).stderr


def test_what_is_no_tree_is_said(root: Path, bench: Bench) -> None:
    """The message tells what one looks like."""
    done = bench("suite", "import", str(root / "fixtures"))
    assert done.returncode == 2
    assert "is no tree of suites" in done.stderr


def test_show_gives_prompt_budget_and_files_and_makes_the_workspace(
    root: Path, bench: Bench
) -> None:
    """What an agent is given, for a person who wants to solve it by hand."""
    output = root.parent / "work"
    done = bench("suite", "show", TASK, "--suite", str(root), "-o", str(output))
    assert done.returncode == 0, done.stderr
    assert "budget 60 turns, $2, 1800 s" in done.stdout
    assert "Mend total.py" in done.stdout
    assert "  README.md" in done.stdout
    assert (output / ".git").is_dir()
    task = json.loads(bench("suite", "show", TASK, "--suite", str(root), "--json").stdout)
    assert task["id"] == TASK
    assert "solution" not in done.stdout


def test_vendor_writes_and_checks_the_copies(root: Path, bench: Bench) -> None:
    """Byte for byte, and only where a grader imports the steps."""
    steps = root / "graders" / TASK / "steps.py"
    write(root, {"graders/own/grade.py": "print('PASS')\n"})
    words = ("suite", "vendor", "--suite", str(root))
    assert bench(*words, "--check").returncode == 0
    steps.write_text(steps.read_text() + "# mine\n")
    checked = bench(*words, "--check")
    assert checked.returncode == 1
    assert str(steps) in checked.stderr
    assert bench(*words).stdout == f"{steps}\n"
    assert bench(*words, "--check").returncode == 0
    assert not (root / "graders" / "own" / "steps.py").exists()
