"""Hidden grader of fix-csv-dialect: whole files through `tidy` and through the command."""

from cases import COMMANDS, FILES, UNREADABLE
from steps import Grader, Raised, main

TESTS = ["__init__.py", "test_reading.py", "test_tickets.py", "test_tidying.py"]


def library_cases():
    """The cases of `tidy`: what is expected says what is asked."""
    for about, text, options, expected in FILES:
        yield about, {"text": text, "options": options, "asked": sorted(expected)}, expected
    for about, text, message in UNREADABLE:
        yield about, {"text": text, "asked": ["text"]}, Raised("CsvError", message)


def check_command(grader, about, data, arguments, expected):
    """Run the command on a file of its own."""
    work = grader.work.copy()
    work.path("in.csv").write_bytes(data)
    run = work.run(["python3", "-m", "csvtidy", *arguments, "in.csv"])
    grader.equal([run.status, run.stdout, run.stderr], list(expected), f"command, {about}")


def grade(grader: Grader) -> None:
    """Files, commands, and the tests as they were handed out."""
    grader.answers("driver.py", list(library_cases()))
    for case in COMMANDS:
        check_command(grader, *case)
    grader.visible_tests(
        ["python3", "-m", "unittest", "discover", "-s", "tests", "-t", "."],
        [f"tests/{name}" for name in TESTS],
    )


if __name__ == "__main__":
    main(grade)
