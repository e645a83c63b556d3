"""Hidden checks of refactor-price-rules: the old behaviour in the structure that was asked for."""

from __future__ import annotations

import generate
import structure
from steps import GRADER_DIR, Grader, Raised, Workspace, main

VISIBLE = [
    "tests/__init__.py",
    "tests/test_cli.py",
    "tests/test_loader.py",
    "tests/test_pricing.py",
]
ADDED = [
    # Kind, its fields, what it gives twice off two teas at 450.
    ("percent-off", {"percent": 10}, 180),
    ("amount-off", {"amount": 20}, 80),
    ("quantity-tiers", {"tiers": [[2, 400]]}, 200),
    ("basket-reward", {"over": 0, "amount": 5}, 10),
]
TABLE = {"kinds": sorted(structure.KINDS), "classes": len(structure.KINDS), "apply": True}


def grade(grader: Grader) -> None:
    """Compare with the original, then measure the structure."""
    same_behaviour(grader)
    measured(grader)
    kinds = [("the table of kinds", "table", TABLE)]
    for kind, fields, given in ADDED:
        kinds.append((f"a kind that is added, like {kind}", [kind, fields], given))
    grader.answers("kinds.py", kinds)
    grader.visible_tests(
        ["python3", "-m", "unittest", "discover", "-s", "tests", "-t", "."], VISIBLE
    )


def same_behaviour(grader: Grader) -> None:
    """Ask the frozen original and the judged code the same."""
    questions = generate.questions()
    expected = Workspace(GRADER_DIR / "frozen").copy().ask("driver.py", questions)
    answered = sum(not isinstance(answer, Raised) for answer in expected)
    if answered < len(questions) // 2:
        raise AssertionError(f"the original answers {answered} of {len(questions)} questions")
    cases = [
        (f"{question['ask']} {number}", question, answer)
        for number, (question, answer) in enumerate(zip(questions, expected, strict=True), 1)
    ]
    grader.answers("driver.py", cases)


def measured(grader: Grader) -> None:
    """The goals that the prompt states, each with what offends against it."""
    grader.check(not grader.work.path("till/pricing.py").exists(), "till/pricing.py is still there")
    for name in ("__init__", "rules", "engine", "basket"):
        grader.check(grader.work.has(f"till/pricing/{name}.py"), f"no till/pricing/{name}.py")
    try:
        modules = structure.parsed(grader.work.path("till"))
    except (SyntaxError, ValueError) as error:
        return grader.fail(f"till cannot be parsed: {error}")
    for what, found in (
        ("functions of more than 30 lines", structure.long_functions(modules)),
        ("global or nonlocal", structure.shared_names(modules)),
        ("if with more than three branches", structure.long_chains(modules)),
        ("match", structure.matches(modules)),
        ("names that should be gone", structure.old_names(modules)),
        ("callback parameters", structure.hook_parameters(modules)),
    ):
        grader.equal(found, [], what)
    for kind, paths in structure.kind_literals(modules).items():
        grader.equal(paths, ["till/pricing/rules.py"], f"where {kind!r} stands as a string")


main(grade)
