"""Hidden checks of fix-ledger-rounding: exact money, as the commands print it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cases
from steps import Grader, main

JOURNAL = "hidden.journal"
BALANCE = ["balance", JOURNAL]
VISIBLE = ["tests/__init__.py", "tests/test_cli.py", "tests/test_journal.py", "tests/test_money.py"]


def grade(grader: Grader) -> None:
    """Play every case in one process, some as programs, then the visible tests."""
    grader.answers("driver.py", [*printed(), *refused()])
    as_programs(grader)
    grader.visible_tests(
        ["python3", "-m", "unittest", "discover", "-s", "tests", "-t", "."], VISIBLE
    )


def printed() -> Iterator[tuple[str, Any, Any]]:
    """The cases of journals that are right."""
    for about, journal, figures, *foot in cases.BALANCES:
        yield about, [journal, "", BALANCE], [0, cases.table(figures, *foot), ""]
    for about, journal, rates, currency, figures, foot in cases.CONVERTED:
        yield about, [journal, rates, into(currency)], [0, cases.table(figures, foot), ""]
    for about, journal, expected in cases.SHARES:
        yield f"shares: {about}", [journal, "", ["shares", JOURNAL, "S"]], [0, expected, ""]
    for about, journal, expected in cases.REGISTERS:
        yield f"register: {about}", [journal, "", ["register", JOURNAL, "A"]], [0, expected, ""]


def refused() -> Iterator[tuple[str, Any, Any]]:
    """The cases of what is wrong and has to be told."""
    for about, journal, message in cases.ERRORS:
        expected = [1, "", f"{JOURNAL}:{message}\n"]
        yield f"error: {about}", [journal, "", ["check", JOURNAL]], expected
    question = [cases.booked("EUR 1"), "GBP USD 2\n", into("USD")]
    yield "error: no rate", question, [1, "", "no rate from EUR to USD\n"]
    question = ["2024-03-01 X\n  S:A  EUR 1\n  S:B  USD 1\n  B  EUR -1\n  B  USD -1\n", ""]
    expected = [1, "", "shares: several currencies below S\n"]
    yield "error: several currencies", [*question, ["shares", JOURNAL, "S"]], expected


def into(currency: str) -> list[str]:
    """The command that shows everything in ``currency``."""
    return [*BALANCE, "--in", currency, "--rates", "hidden.rates"]


def as_programs(grader: Grader) -> None:
    """The same answers have to come from ``python3 -m tally``."""
    for journal, command, *expected in cases.PROGRAMS:
        grader.work.path(JOURNAL).write_text(journal, "utf-8")
        run = grader.work.run(["python3", "-m", "tally", command, JOURNAL])
        said = [run.status, run.stdout, run.stderr]
        grader.equal(said, expected, f"python3 -m tally {command}")


main(grade)
