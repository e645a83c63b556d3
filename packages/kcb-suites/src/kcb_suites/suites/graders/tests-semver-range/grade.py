"""Judges tests for verspan: right code passes them, each of the faulty copies fails them."""

from steps import Grader, main

VISIBLE = ["tests/version.test.js"]


def grade(grader: Grader) -> None:
    """Run the tests on the library, on other words for it, and on its mutants."""
    grader.mutants(["node", "run-all.mjs"], ["tests"])
    grader.visible_tests(["node", "--test", *VISIBLE], VISIBLE)


if __name__ == "__main__":
    main(grade)
