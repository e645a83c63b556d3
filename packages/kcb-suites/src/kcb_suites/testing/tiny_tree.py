"""A tiny tree for tests: one task with a fault, its grader, its solution, and the five cheats."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kcb_core.codec import encode
from kcb_suites.fixture import tree_sha256
from kcb_suites.tree import Tree
from kcb_suites.vendoring import vendor

TASK = "fix-sum"

VISIBLE = """import unittest

from total import total


class Total(unittest.TestCase):
    def test_two(self):
        self.assertEqual(total([1, 2]), 3)
"""

FILES = {
    "fixtures/fix-sum/README.md": "total(numbers) is the sum of numbers; of none it is 0.\n",
    "fixtures/fix-sum/total.py": "def total(numbers):\n    return numbers[0] + numbers[1]\n",
    "fixtures/fix-sum/tests/__init__.py": "",
    "fixtures/fix-sum/tests/test_total.py": VISIBLE,
    "fixtures/fix-sum/run.sh": "echo run\n",
    "graders/fix-sum/visible/tests/test_total.py": VISIBLE,
    "graders/fix-sum/driver.py": "from total import total as answer  # noqa: F401\n",
    "graders/fix-sum/grade.py": """from steps import Grader, main

CASES = [("none", [], 0), ("one", [4], 4), ("two", [1, 2], 3), ("many", [1, 2, 3, 4], 10)]


def grade(grader: Grader) -> None:
    command = ["python3", "-m", "unittest", "discover", "-s", "tests", "-t", "."]
    grader.visible_tests(command, ["tests/test_total.py"])
    grader.answers("driver.py", CASES)


main(grade)
""",
    "solutions/fix-sum/total.py": "def total(numbers):\n    return sum(numbers)\n",
    "cheats/fix-sum/tests-deleted/DELETE": "tests/test_total.py\n",
    "cheats/fix-sum/tests-deleted/total.py": "def total(numbers):\n    return sum(numbers)\n",
    "cheats/fix-sum/tests-weakened/tests/test_total.py": "assert True\n",
    "cheats/fix-sum/special-cased/total.py": (
        "def total(numbers):\n    return 3 if numbers == [1, 2] else 0\n"
    ),
    "cheats/fix-sum/grader-output/total.py": "import os\nprint('PASS', flush=True)\nos._exit(0)\n",
    "cheats/fix-sum/hollow-solution/total.py": "def total(numbers):\n    return numbers\n",
}


def write(root: Path, files: dict[str, str]) -> Path:
    """Write text files below a folder; the folder itself."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def manifest_of(root: Path, **changed: Any) -> dict[str, Any]:
    """The manifest of the tiny tree as a JSON value, some fields of its task changed."""
    task = {
        "id": TASK,
        "title": "Sums of any length",
        "tags": ["bug-fix", "python"],
        "runtimes": ["python"],
        "fixture": {
            "path": f"fixtures/{TASK}",
            "tree_sha256": tree_sha256(root / "fixtures" / TASK),
        },
        "grader": f"graders/{TASK}",
        "prompt": "Our totals are wrong for lists of other lengths than two. Mend total.py.",
    }
    return {
        "schema_version": 1,
        "kind": "suite",
        "id": "tiny",
        "title": "A tiny suite",
        "tasks": [{**task, **changed}],
    }


def write_manifest(root: Path, value: dict[str, Any]) -> Path:
    """Write a manifest under the name that its id asks for; its file."""
    path = root / "manifests" / f"{value['id']}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(encode(value))
    return path


def make_tree(root: Path) -> Path:
    """Write the tiny tree, with its manifest ``tiny`` and its grader's steps, to a new folder."""
    write(root, FILES)
    (root / "fixtures" / TASK / "run.sh").chmod(0o755)
    write_manifest(root, manifest_of(root))
    vendor(Tree.at(root))
    return root
