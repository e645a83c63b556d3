"""Judges the rate limits of gatehouse by scenes that are played on a gateway."""

from cases import CONFIG, REFUSED, SCENES
from steps import Grader, main

VISIBLE = ["tests/gateway.test.js", "tests/config.test.js"]


def grade(grader: Grader) -> None:
    """Play the scenes, offer wrong configurations, run the visible tests."""
    grader.answers("driver.mjs", list(questions()))
    grader.visible_tests(["node", "--test", *VISIBLE], VISIBLE)


def questions():
    """Each scene, and each wrong configuration as a reload of a right one."""
    for about, config, script in SCENES:
        steps = [step for step, _ in script]
        expected = [given for step, given in script if step[0] != "at"]
        yield about, {"config": config, "steps": steps}, expected
    for config, message in REFUSED:
        yield "a wrong configuration", {"config": CONFIG, "steps": [["reload", config]]}, [message]


if __name__ == "__main__":
    main(grade)
