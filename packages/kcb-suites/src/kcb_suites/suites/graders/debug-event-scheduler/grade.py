"""Judges tickwork: by the occurrences of rules, and by scripts on a clock of the grader."""

from cases import OCCURRENCES, SCRIPTS
from steps import Grader, main

VISIBLE = ["tests/rules.test.js", "tests/scheduler.test.js"]


def grade(grader: Grader) -> None:
    """Ask for occurrences, play the scripts, run the visible tests."""
    grader.answers("driver.mjs", list(questions()))
    grader.visible_tests(["node", "--test", *VISIBLE], VISIBLE)


def questions():
    """All cases in the form that the driver takes."""
    for rule, after, options, expected in OCCURRENCES:
        question = {"rule": rule, "after": after, "options": options}
        yield f"{rule} after {after}, {options}", question, expected
    for about, options, script, said in SCRIPTS:
        yield about, {"options": options, "script": script}, said


if __name__ == "__main__":
    main(grade)
