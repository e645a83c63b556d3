"""Judges build-spreadsheet: tally does what SPEC.md says."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from commands import CHANGED, SHOWN, WRONG, Changed, Shown
from formulas import DATA, FORMULAS
from steps import Grader, Run, Workspace, main

VISIBLE = ["tests/__init__.py", "tests/test_tally.py"]
DISCOVER = ["python3", "-m", "unittest", "discover", "-s", "tests", "-t", "."]
FORMULA_COLUMN = 8
AT_ONCE = 4
KEEP_COMPILED = {"PYTHONDONTWRITEBYTECODE": ""}
"""The program is called more than a hundred times, and need not be compiled for each of them."""

Check = tuple[str, Any, Any]
"""What it is about, what was received, what is expected."""


def tally(work: Workspace, *arguments: str, sheet: str = "", folder: str = "") -> Run:
    """Call the program in the root of the workspace; files are in a folder of the case."""
    if folder:
        arguments = tuple(f"{folder}/{a}" if a.endswith(".csv") else a for a in arguments)
    command = ["python3", "-m", "tally", *arguments]
    return work.run(command, stdin=sheet, env=KEEP_COMPILED, timeout_s=20)


def formulas(work: Workspace, name: str) -> list[Check]:
    """One sheet with all formulas of a kind in column H; each value is a case."""
    cases = FORMULAS[name]
    rows = [[*row, *[""] * (FORMULA_COLUMN - 1 - len(row)), ""] for row in DATA]
    rows += [[""] * FORMULA_COLUMN for _ in range(len(cases) - len(rows))]
    for row, (formula, _) in zip(rows, cases, strict=False):
        row[-1] = formula
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    run = tally(work, "get", "-", f"H1:H{len(cases)}", sheet=text.getvalue())
    lines = run.stdout.split("\n") if run.ok else []
    lines += [run.tail()] * len(cases)
    return [
        (f"{name}: {formula}", line, f"H{number}: {value}")
        for number, ((formula, value), line) in enumerate(zip(cases, lines, strict=False), 1)
    ]


def shown(work: Workspace, case: Shown) -> list[Check]:
    """Standard output and the exit status."""
    run = tally(work, *case.arguments, sheet=case.sheet)
    about = f"{case.about} ({' '.join(case.arguments)})"
    return [(about, [run.status, run.stdout], [case.status, case.output])]


def changed(work: Workspace, case: Changed, number: int) -> list[Check]:
    """The file afterwards; for each fifth case another file, and the first stays as it is."""
    folder = f"changed-{number}"
    file = _file(work, f"{folder}/sheet.csv", case.before)
    out = number % 5 == 4
    options = ["--out", "other.csv"] if out else []
    run = tally(work, case.command, *options, "sheet.csv", *case.arguments, folder=folder)
    about = " ".join([case.command, *options, *case.arguments])
    actual = [run.status, run.stdout, _text(file), _text(file.with_name("other.csv"))]
    expected = [case.before, case.after] if out else [case.after, None]
    return [(f"{about} for {case.before!r} ({run.tail()})", actual, [0, "", *expected])]


def wrong(work: Workspace, arguments: tuple[str, ...], number: int) -> list[Check]:
    """A call that ends with status 2 and changes nothing."""
    folder, before = f"wrong-{number}", "1,=A1\n2,x\n3,=B1\n"
    file = _file(work, f"{folder}/a.csv", before)
    _file(work, f"{folder}/quote.csv", '1,"2\n')
    run = tally(work, *arguments, folder=folder)
    told = run.stderr.startswith("error: ")
    about = f"a wrong call: {' '.join(arguments)}"
    return [(about, [run.status, run.stdout, told, _text(file)], [2, "", True, before])]


def new_file(work: Workspace) -> list[Check]:
    """A sheet that does not exist yet."""
    tally(work, "set", "new.csv", "B2", "=1+1")
    return [("set for a new file", _text(work.path("new.csv")), ",\n,=1+1\n")]


def too_large(work: Workspace, about: str, sheet: str) -> list[Check]:
    """A file with too many rows or columns."""
    run = tally(work, "calc", "-", sheet=sheet)
    return [(about, [run.status, run.stdout], [2, ""])]


def _file(work: Workspace, name: str, text: str) -> Path:
    file = work.path(name)
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(text.encode())
    return file


def _text(file: Path) -> str | None:
    return file.read_bytes().decode("utf-8", "replace") if file.is_file() else None


def jobs() -> Iterable[tuple[Callable[..., list[Check]], tuple[Any, ...]]]:
    """All calls of the program, each independent of the others."""
    yield from ((formulas, (name,)) for name in FORMULAS)
    yield from ((shown, (case,)) for case in SHOWN)
    yield from ((changed, (case, number)) for number, case in enumerate(CHANGED))
    yield from ((wrong, (arguments, number)) for number, arguments in enumerate(WRONG))
    yield new_file, ()
    yield too_large, ("too many columns", "," * 702 + "\n")
    yield too_large, ("too many rows", "\n" * 9999 + "1\n")


def grade(grader: Grader) -> None:
    """Play all cases, some at a time, compare in order, then run the visible tests."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        results = pool.map(lambda job: job[0](grader.work, *job[1]), jobs())
        for checks in results:
            for about, actual, expected in checks:
                grader.equal(actual, expected, about)
    grader.visible_tests(DISCOVER, VISIBLE)


main(grade)
