"""Hidden checks of tests-interval-set: tests that pass on right code and notice wrong code."""

from __future__ import annotations

from steps import Grader, main

COMMAND = ["python3", "-m", "unittest", "discover", "-s", "tests", "-t", "."]
LEAST = 33


def grade(grader: Grader) -> None:
    """Run the workspace's tests on the code as handed out, its equivalents and its mutants."""
    grader.visible_tests(
        ["python3", "-m", "unittest", "tests.test_example"],
        ["tests/__init__.py", "tests/test_example.py"],
    )
    grader.mutants(COMMAND, ["tests"], least=LEAST)


main(grade)
