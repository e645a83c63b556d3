"""Judges feature-undo-history: an editor's history does what docs/history.md says."""

from cases import CASES
from steps import Grader, main

VISIBLE = [f"test/{name}.test.js" for name in ("document", "editor", "markup", "history")]


def grade(grader: Grader) -> None:
    """Play each script, then the visible tests."""
    grader.answers("session.mjs", CASES)
    grader.visible_tests(["node", "--test", *VISIBLE], VISIBLE)


main(grade)
