"""Hidden checks of debug-inventory-sync: what the commands say of feeds and orders."""

from __future__ import annotations

import cases
from steps import Grader, main

VISIBLE = [
    "tests/__init__.py",
    "tests/case.py",
    "tests/test_orders.py",
    "tests/test_report.py",
    "tests/test_sync.py",
]


def grade(grader: Grader) -> None:
    """Play every case in one process, one as programs, then the visible tests."""
    grader.answers("driver.py", cases.CASES)
    as_programs(grader)
    grader.visible_tests(
        ["python3", "-m", "unittest", "discover", "-s", "tests", "-t", "."], VISIBLE
    )


def as_programs(grader: Grader) -> None:
    """Three commands, each a process of its own: what they share is the state file."""
    steps = [
        (cases.TEN, cases.outcome(1)),
        (cases.orders(cases.order("W", A1=4)), cases.said("W: reserved")),
        (cases.EXPORT, cases.export("A1,6")),
    ]
    for (files, command), expected in steps:
        for name, text in files.items():
            grader.work.path(name).write_text(text, "utf-8")
        run = grader.work.run(["python3", "-m", "stockroom", *command])
        grader.equal([run.status, run.stdout, run.stderr], expected, f"program: {command[0]}")


main(grade)
