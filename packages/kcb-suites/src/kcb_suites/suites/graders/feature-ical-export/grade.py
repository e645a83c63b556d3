"""Hidden checks of feature-ical-export: the calendar octet by octet, and what was there before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import cases
from steps import Grader, Raised, main

Case = tuple[str, Any, Any]
PLAN, OUT = "hidden.plan", "hidden.ics"
VISIBLE = [
    "tests/__init__.py",
    "tests/test_cli.py",
    "tests/test_planfile.py",
    "tests/test_recur.py",
]


def grade(grader: Grader) -> None:
    """Play every case in one process, some as programs, then the visible tests."""
    grader.answers("driver.py", [*single_events(), *folded_lines(), *options(), *as_before()])
    chosen_events(grader)
    as_program(grader)
    grader.visible_tests(
        ["python3", "-m", "unittest", "discover", "-s", "tests", "-t", "."], VISIBLE
    )


def export(*arguments: str) -> list[str]:
    """The command that writes OUT."""
    return ["export", PLAN, *arguments, "-o", OUT]


def written(lines: str, count: int = 1) -> list[Any]:
    """The answer to an export of ``count`` events."""
    said = f"{count} event{'s' if count != 1 else ''} written to {OUT}\n"
    return [0, said, "", cases.calendar(lines)]


def single_events() -> Iterator[Case]:
    """Plans of one event."""
    for about, plan, before, lines in cases.EVENTS:
        yield about, [f"[e]\n{plan}\n", export()], written(before + cases.single(lines))


def folded_lines() -> Iterator[Case]:
    """Titles that are folded, or are not."""
    for about, title, lines in cases.FOLDED:
        plan = f"[e]\ntitle: {title}\nstart: 2024-03-04 14:30\n"
        expected = written(cases.single(f"{cases.AT}SUMMARY\n"))
        expected[3] = expected[3].replace("SUMMARY", lines)
        yield f"folding: {about}", [plan, export()], expected


def options() -> Iterator[Case]:
    """What the options of the command do, and what it refuses."""
    plan = f"[e]\n{cases.TIMED}changed: 2024-02-01 10:15\n"
    event = cases.single(f"{cases.AT}SUMMARY:T\n").replace("19700101T000000", "20240201T101500")
    yield "changed", [plan, export()], written(event)
    named = written("X-WR-CALNAME:Club\\, all\n" + event.replace("@dayplan", "@club.example"))
    yield "names", [plan, export("--name", "Club, all", "--domain", "club.example")], named
    yield "an empty plan", ["# nothing\n", export()], written("", 0)
    late = export("--from", "2024-03-02", "--to", "2024-03-01")
    yield "to before from", [plan, late], [1, "", "--to lies before --from\n", None]
    wrong = export("--to", "2024-02-30")
    yield "no date", [plan, wrong], [1, "", "bad date: 2024-02-30\n", None]
    for about, text, message in cases.ERRORS:
        yield f"error: {about}", [text, export()], [1, "", f"{message}\n", None]


def as_before() -> Iterator[Case]:
    """The other commands."""
    yield "list", [cases.MANY, ["list", PLAN]], [0, cases.LISTED, "", None]
    both = f"[e]\n{cases.TIMED}status: cancelled\nrepeat: every day\n"
    listed = "e             2024-03-04 14:30  T (cancelled) (repeated)\n"
    yield "list: cancelled, repeated", [both, ["list", PLAN]], [0, listed, "", None]
    days = ["agenda", PLAN, "--from", "2024-03-03", "--to", "2024-03-06"]
    yield "agenda", [cases.MANY, days], [0, cases.AGENDA, "", None]
    day = ["agenda", PLAN, "--from", "2024-03-01", "--to", "2024-03-01"]
    yield "agenda: cancelled", [cases.MANY, day], [0, "", "", None]


def chosen_events(grader: Grader) -> None:
    """Which events are exported, and in which order."""
    questions = [[cases.MANY, export(*arguments)] for _, arguments, _, _ in cases.CHOSEN]
    given = grader.work.ask("driver.py", questions)
    for (about, _, ids, offsets), answer in zip(cases.CHOSEN, given, strict=True):
        text = answer[3] if isinstance(answer, list) and isinstance(answer[3], str) else ""
        found = [
            " ".join(re.findall(r"^UID:(.*)@dayplan\r$", text, re.MULTILINE)),
            " ".join(re.findall(r"^TZID:UTC(.*)\r$", text, re.MULTILINE)),
            answer if isinstance(answer, Raised) else text.endswith("\r\nEND:VCALENDAR\r\n"),
        ]
        grader.equal(found, [ids, offsets, True], f"chosen: {about}")


def as_program(grader: Grader) -> None:
    """The program, with the calendar on its standard output."""
    plan = "[e]\ntitle: Fête\nstart: 2024-03-04 14:30\n"
    grader.work.path(PLAN).write_text(plan, "utf-8")
    lines = cases.calendar(cases.single(f"{cases.AT}SUMMARY:Fête\n"))
    for about, env in (("UTF-8", {}), ("another locale", {"LC_ALL": "C", "PYTHONUTF8": "0"})):
        run = grader.work.run(["python3", "-m", "dayplan", "export", PLAN], env=env)
        grader.equal([run.status, run.stdout, run.stderr], [0, lines, ""], f"output: {about}")


main(grade)
