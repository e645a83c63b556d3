"""Judges debug-template-engine: quill does what its README says."""

import json

from cases import CASES
from steps import Grader, main

VISIBLE = [f"tests/{name}.py" for name in ("__init__", "test_language", "test_letters")]
DISCOVER = ["python3", "-m", "unittest", "discover", "-s", "tests", "-t", "."]


def command_line(grader: Grader) -> None:
    """python3 -m quill: escaping by the name, and errors."""
    folder = grader.work.path("hidden")
    folder.mkdir()
    for name, text in {"a.html": "{{ x }}", "a.txt": "{{ x }}\n", "b.txt": "\n{{ x.y.z }}"}.items():
        (folder / name).write_text(text, "utf-8")
    (folder / "data.json").write_text(json.dumps({"x": "<&>"}), "utf-8")
    for name, expected in [
        ("a.html", (0, "&lt;&amp;&gt;", "")),
        ("a.txt", (0, "<&>\n", "")),
        ("b.txt", (1, "", "error: b.txt:2: y is undefined\n")),
        ("c.txt", (1, "", "error: no template c.txt\n")),
    ]:
        run = grader.work.run(["python3", "-m", "quill", "hidden", name, "hidden/data.json"])
        grader.equal((run.status, run.stdout, run.stderr), expected, f"python3 -m quill: {name}")


def grade(grader: Grader) -> None:
    """All cases, the command line, and the visible tests."""
    grader.answers("render.py", CASES)
    command_line(grader)
    grader.visible_tests(DISCOVER, VISIBLE)


main(grade)
