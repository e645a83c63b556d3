"""Hidden grader of debug-build-cache: stories of projects, told by one driver."""

from cases import STORIES
from steps import Grader, main

TESTS = ["__init__.py", "helpers.py", "test_build.py", "test_reports.py"]


def check_stories(grader):
    """Each thing that is seen in a story is an assertion of its own."""
    given = grader.work.ask("driver.py", [story for _, story, _ in STORIES], timeout_s=60)
    for (about, _, expected), seen in zip(STORIES, given, strict=True):
        if not isinstance(seen, list) or len(seen) != len(expected):
            grader.equal(seen, expected, about)
            continue
        for number, (actual, wanted) in enumerate(zip(seen, expected, strict=True), 1):
            grader.equal(actual, wanted, f"{about} ({number})")


def check_command(grader):
    """The command as it is typed."""
    for arguments, status, said in [
        (["build"], 0, "built n\n"),
        (["build", "n"], 0, "fresh n\n"),
        (["why", "n"], 0, "nothing changed\n"),
        (["build", "x"], 2, ""),
        (["prune", "--keep", "0"], 0, "dropped 1 entries, 1 files\n"),
    ]:
        run = grader.work.run(["python3", "-m", "kiln", *arguments])
        about = f"python3 -m kiln {' '.join(arguments)}"
        grader.equal([run.status, run.stdout], [status, said], about)


def grade(grader: Grader) -> None:
    """Stories, the command, and the tests as they were handed out."""
    check_stories(grader)
    project = '{"targets": {"n": {"steps": ["echo 1 > out"], "outputs": ["out"]}}}'
    grader.work.path("kiln.json").write_text(project, encoding="utf-8")
    check_command(grader)
    grader.visible_tests(
        ["python3", "-m", "unittest", "discover", "-s", "tests", "-t", "."],
        [f"tests/{name}" for name in TESTS],
    )


if __name__ == "__main__":
    main(grade)
