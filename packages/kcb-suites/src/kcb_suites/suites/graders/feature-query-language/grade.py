"""Hidden grader of feature-query-language: queries as Python and as the command see them."""

from cases import COMMANDS, EXPLAINED, FOUND, SCORES, SEARCHES, WRONG
from steps import GRADER_DIR, Grader, main

TESTS = ["tests/__init__.py", "tests/test_notes.py", "tests/test_query.py"]


def query_cases():
    """About, question and expected answer of each case of the library."""
    for text, expected in EXPLAINED:
        yield f"explain {text!r}", ["explain", text], expected
    for text, message, position in WRONG:
        expected = {"message": message, "position": position, "form": True}
        yield f"error of {text!r}", ["explain", text], expected
    for text, expected in FOUND:
        yield f"search {text!r}", ["search", text], expected
    for text, expected in SCORES:
        yield f"scores of {text!r}", ["scores", text], expected
    yield (
        "search of a wrong query",
        ["search", "("],
        {
            "message": "parenthesis is never closed",
            "position": 0,
            "form": True,
        },
    )
    yield "load_saved", ["saved", ""], dict(SEARCHES)


def check_command(grader, work, arguments, status, out, err, folder="notes"):
    """Run one command in a folder of notes."""
    run = work.run(["python3", "-m", "jotter", "--folder", folder, *arguments])
    about = "jotter " + " ".join(map(repr, arguments))
    grader.equal([run.status, run.stdout, run.stderr], [status, out, err], about)


def grade(grader: Grader) -> None:
    """Queries, commands, and the tests as they were handed out."""
    work = grader.work.copy()
    work.overlay(GRADER_DIR / "collection")
    grader.answers("driver.py", list(query_cases()), work=work)
    for case in COMMANDS:
        check_command(grader, work, *case)
    check_command(grader, work, ["check"], 0, "", "", folder="example")
    check_command(grader, work, ["check"], 0, "", "", folder="docs")
    grader.visible_tests(["python3", "-m", "unittest", "discover", "-s", "tests", "-t", "."], TESTS)


if __name__ == "__main__":
    main(grade)
