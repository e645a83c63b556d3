"""Hidden grader of tests-text-wrapper: the tests pass on right code, and notice faults."""

from steps import Grader, main

COMMAND = ["python3", "-m", "unittest", "discover", "-s", "tests", "-t", "."]
LEAST = 34


def grade(grader: Grader) -> None:
    """The handed out test, then the workspace's tests against 36 faults."""
    grader.visible_tests(COMMAND, ["tests/__init__.py", "tests/test_smoke.py"])
    grader.mutants(COMMAND, ["tests"], least=LEAST)


if __name__ == "__main__":
    main(grade)
