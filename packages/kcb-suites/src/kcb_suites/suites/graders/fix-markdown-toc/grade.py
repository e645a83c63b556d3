"""Judges tocdown: its library by literal answers, its command line by its words and its files."""

from cases import ANCHORS, ERRORS, HEADINGS, TABLES, UPDATES
from steps import Grader, Raised, main

VISIBLE = ["tests/headings.test.js", "tests/anchors.test.js", "tests/update.test.js"]
USAGE = "usage: tocdown [--check] [--ordered] [--min N] [--max N] FILE...\n"
STALE = "<!-- toc -->\n## A\n"
FRESH = "<!-- toc -->\n\n- [A](#a)\n\n<!-- tocstop -->\n## A\n"
FILES = {
    "a.md": STALE,
    "b.md": FRESH,
    "none.md": "## A\n",
    "bad.md": "<!-- toc all -->\n",
}

# (arguments, exit status, standard output, standard error, files that become fresh)
COMMANDS = [
    ("a.md b.md none.md", 0, "updated a.md\nunchanged b.md\nno marker none.md\n", "", ["a.md"]),
    ("--check a.md b.md", 1, "stale a.md\nunchanged b.md\n", "", []),
    ("--check b.md a.md", 1, "unchanged b.md\nstale a.md\n", "", []),
    ("--check b.md none.md", 0, "unchanged b.md\nno marker none.md\n", "", []),
    (
        "bad.md gone.md a.md",
        2,
        "updated a.md\n",
        "tocdown: bad.md: unknown toc option: all\ntocdown: gone.md: cannot read\n",
        ["a.md"],
    ),
    ("--check gone.md a.md", 2, "stale a.md\n", "tocdown: gone.md: cannot read\n", []),
    ("--min 3 --check b.md", 1, "stale b.md\n", "", []),
    ("--max 7 a.md", 2, "", USAGE, []),
    ("--deep a.md", 2, "", USAGE, []),
    ("--check", 2, "", USAGE, []),
]


def grade(grader: Grader) -> None:
    """Ask the library, run the program, run the visible tests."""
    grader.answers("driver.mjs", list(questions()))
    for command in COMMANDS:
        run_command(grader, *command)
    grader.visible_tests(["node", "--test", *VISIBLE], VISIBLE)


def questions():
    """All cases of the library in the form that the driver takes."""
    for text, anchor in ANCHORS:
        yield f"the anchor of {text!r}", {"call": "anchorOf", "source": text}, anchor
    for about, source, found in HEADINGS:
        yield f"headings: {about}", {"call": "headings", "source": source}, found
    for about, source, options, lines in TABLES:
        question = {"call": "table", "source": source, "options": options}
        yield f"the table: {about}", question, "\n".join(lines)
    for about, source, options, expected in UPDATES:
        yield f"update: {about}", {"call": "update", "source": source, "options": options}, expected
        again = {"call": "update", "source": expected[1], "options": options}
        status = "no marker" if expected[0] == "no marker" else "unchanged"
        yield f"update again: {about}", again, [status, expected[1]]
    for about, source, message in ERRORS:
        yield f"update: {about}", {"call": "update", "source": source}, Raised("TocError", message)


def run_command(
    grader: Grader, arguments: str, status: int, stdout: str, stderr: str, fresh: list[str]
) -> None:
    """Run the program beside fresh sample files; compare what it says and what it leaves."""
    work = grader.work.copy()
    for name, text in FILES.items():
        work.path(name).write_text(text, "utf-8")
    run = work.run(["node", "bin/tocdown.js", *arguments.split()])
    about = f"tocdown {arguments}"
    grader.equal([run.status, run.stdout, run.stderr], [status, stdout, stderr], about)
    left = {name: work.read(name) for name in FILES}
    grader.equal(left, FILES | {name: FRESH for name in fresh}, f"{about}: the files after it")


if __name__ == "__main__":
    main(grade)
